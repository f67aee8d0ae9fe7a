"""How well texts are proofread: ``python -m tools.evaluation.proofreading --shared ../shared/data`` prints the figures.

Misspellings were written before the ranking was tuned and are split by a hash of the word; those of the held-out half
were not looked at. Permits are real texts: as written (capitals throughout, so nearly all of it is protected), and put
into lower case, where every unknown name and abbreviation can raise an alarm. The trade words that come from permits
would favour the proofreader there, so words of the half that is measured are taken out of its lexicon.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import importlib
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harper import Linter

from server.domain.proofreading.proofreader import Proofreader
from server.domain.proofreading.protected import tokens
from server.proofreading import load_proofreader, proofreader_version, proofreader_with
from tools.proofreading.build import frequency_list, trade_words
from tools.proofreading.calibrate import permit_labels

HERE = Path(__file__).parent


def _rows(name: str) -> list[str]:
    return (HERE / name).read_text("utf-8").splitlines()


def _pairs(name: str) -> list[tuple[str, str]]:
    return [(wrong, right) for wrong, _, right in (row.partition("\t") for row in _rows(name))]


#: Misspelled words and what was meant; clean sentences of the trades; wrong sentences and how they are mended.
MISSPELLINGS = _pairs("misspellings.tsv")
CLEAN = _rows("proofreading_clean.txt")
WRONG = _pairs("proofreading_wrong.tsv")
#: Sentences and how they are right, clean ones among them. They were not looked at until November 2026, when rules
#: were written that mend some of them: they are development data since.
MIXED = _pairs("proofreading_sentences.tsv")
#: Sentences that decided once, and that rules were mended with since.
BURNED = [*_pairs("proofreading_fresh.tsv"), *_pairs("proofreading_burned.tsv")]


def main() -> None:
    """Print the figures, with --alarms each suggestion on the permits."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.evaluation.proofreading", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--shared", type=Path, help="folder with permits_dev_sample.jsonl; without it no permits")
    parser.add_argument("--alarms", action="store_true", help="show each suggestion on the permits")
    options = parser.parse_args()
    proofreader = load_proofreader()
    engines = _engines()
    print(proofreader_version())
    for name, half in (("development", 0), ("held-out", 1)):
        pairs = [pair for pair in MISSPELLINGS if _half(pair[0]) == half]
        theirs = "; ".join(f"{one.name} {one.spelling(pairs)}" for one in engines)
        print(f"misspellings, {name}: {_spelling(proofreader, pairs)}; {theirs}")
    print(f"misspellings of permits, each between its neighbours: {_native(proofreader)}")
    mended = sum(proofreader.read(wrong, "notes", "en-US").suggested_text == right for wrong, right in WRONG)
    print(f"wrong sentences, development: {mended} of {len(WRONG)} mended exactly")
    suggested = {wrong: proofreader.read(wrong, "notes", "en-US").suggested_text for wrong, _ in MIXED}
    print(f"sentences, development: {_edits(suggested)}")
    for one in engines:
        print(f"  {one.name}: {_edits({wrong: one.changed(wrong) for wrong, _ in MIXED})}")
    _print_alarms("clean sentences, development", proofreader, engines, CLEAN, show=True)
    if options.shared is not None and options.shared.is_dir():
        permits = [
            json.loads(line)["text"]
            for line in (options.shared / "permits_dev_sample.jsonl").read_text("utf-8").splitlines()
        ]
        measured = [text for text in permits if _half(text) == 1][:PERMITS]
        other = [text.lower() for text in permits if _half(text) == 0]
        fair = _without_their_words(other)
        _print_alarms("permits as written", fair, engines, measured, show=options.alarms)
        lower = [text.capitalize() for text in measured]
        _print_alarms("permits in lower case", fair, engines, lower, show=options.alarms)
    _print_times(proofreader)


#: How many permits are measured: Harper takes milliseconds for each unknown word.
PERMITS = 500
_REPEATS = 5


class Alone:
    """An engine as it comes: all of its default rules, the first suggestion of each."""

    name: str

    def alarms(self, text: str) -> list[tuple[str, str]]:
        """What it would change, and into what; empty where it has no suggestion."""
        raise NotImplementedError

    def changed(self, text: str) -> str:
        """The text with the first suggestion of each alarm."""
        raise NotImplementedError

    def spelling(self, pairs: Sequence[tuple[str, str]]) -> str:
        """The share of misspellings whose first suggestion is right."""
        right = sum(any(after == meant for _, after in self.alarms(f"the {wrong} is")) for wrong, meant in pairs)
        return f"{right / len(pairs):.3f}"


class HarperAlone(Alone):
    """Harper."""

    name = "Harper alone"

    def __init__(self) -> None:
        self._linter = Linter()

    def alarms(self, text: str) -> list[tuple[str, str]]:
        """See `Alone`."""
        found = self._linter.lint(text, language="plaintext")
        return [(one.problem_text, one.suggestions[0].replacement_text if one.suggestions else "") for one in found]

    def changed(self, text: str) -> str:
        """See `Alone`."""
        found = [one for one in self._linter.lint(text, language="plaintext") if one.suggestions]
        for one in sorted(found, key=lambda lint: -lint.span.start):
            text = self._linter.apply_suggestion(text, one, one.suggestions[0])
        return text


class LanguageToolAlone(Alone):
    """The LanguageTool port with its speller. Raises `ImportError` where the extra is not installed."""

    name = "LanguageTool port alone"

    def __init__(self) -> None:
        self._engine = importlib.import_module("lt_py").Engine("en-US")

    def alarms(self, text: str) -> list[tuple[str, str]]:
        """See `Alone`."""
        found = [(text.encode()[start:end].decode(), after) for start, end, after in self._found(text)]
        return [(before, after.decode()) for before, after in found]

    def changed(self, text: str) -> str:
        """See `Alone`."""
        encoded = text.encode()
        for start, end, after in sorted(self._found(text), reverse=True):
            encoded = encoded[:start] + after + encoded[end:] if after else encoded
        return encoded.decode()

    def _found(self, text: str) -> list[tuple[int, int, bytes]]:
        return [
            (one["offset"], one["offset"] + one["length"], next(iter(one["suggestions"]), "").encode())
            for one in self._engine.check(text)
        ]


def _engines() -> list[Alone]:
    try:
        return [HarperAlone(), LanguageToolAlone()]
    except ImportError:
        print("the extra languagetool is not installed: Harper alone stands beside ours")
        return [HarperAlone()]


def alarms(proofreader: Proofreader, text: str, locale: str = "en-US") -> list[tuple[str, str, str, float]]:
    """What would be changed in a text: before, after, rule, confidence."""
    read = proofreader.read(text, "notes", locale)
    return [(text[edit.start : edit.end], edit.after, edit.rule, edit.confidence) for edit in read.edits]


def _half(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2


def _spelling(proofreader: Proofreader, pairs: Sequence[tuple[str, str]]) -> str:
    found = [
        (meant, [one for one in alarms(proofreader, f"the {wrong} is") if one[0] == wrong]) for wrong, meant in pairs
    ]
    told = [(meant, edits[0]) for meant, edits in found if edits]
    right = [one for one in told if one[0] == one[1][1]]
    sure = [one for one in told if one[1][3] >= 0.9]
    sure_right = sum(meant == edit[1] for meant, edit in sure)
    return (
        f"first suggestion right {len(right) / len(pairs):.3f} of {len(pairs)}, wrong {len(told) - len(right)}, "
        f"nothing said {len(pairs) - len(told)}; at 0.9 or above {sure_right} of {len(sure)} right"
    )


def _native(proofreader: Proofreader) -> str:
    rows = [
        (f"{one.before} {one.word} {one.after}".strip(), one.word, one.meant) for one in permit_labels() if one.meant
    ]
    rows = [row for row in rows if " " in row[0]]
    told = [(meant, [one for one in alarms(proofreader, text) if one[0] == word]) for text, word, meant in rows]
    right = sum(bool(edits) and edits[0][1] == meant for meant, edits in told)
    silent = sum(not edits for _, edits in told)
    return f"first suggestion right {right / len(rows):.3f} of {len(rows)}, nothing said {silent}"


def _print_alarms(
    name: str, proofreader: Proofreader, engines: Sequence[Alone], texts: Sequence[str], *, show: bool
) -> None:
    count = sum(len(re.findall(r"[^\W\d_]{2,}", text)) for text in texts)
    found = [one for text in texts for one in alarms(proofreader, text)]
    changed = sum(lost(text, proofreader.read(text, "notes", "en-US").suggested_text) for text in texts)
    signs = sum(sum(tokens(text).values()) for text in texts)
    print(
        f"{name}: {count} words, {len(found) * 1000 / count:.2f} suggestions per 1,000; {signs} protected tokens, "
        f"{changed} changed"
    )
    for one in engines:
        theirs = sum(len(one.alarms(text)) for text in texts)
        theirs_lost = sum(lost(text, one.changed(text)) for text in texts)
        print(f"  {one.name}: {theirs * 1000 / count:.2f} suggestions per 1,000, {theirs_lost} changed")
    if show:
        for before, after, rule, confidence in found:
            print(f"  {before!r} -> {after!r} {rule} {confidence}")


def _edits(suggested: Mapping[str, str]) -> str:
    """Precision, recall and F0.5 of changed words, against the sentences as they are right."""
    right = proposed = wanted = 0
    for wrong, meant in MIXED:
        gold, ours = changes(wrong, meant), changes(wrong, suggested[wrong])
        right, proposed, wanted = right + len(gold & ours), proposed + len(ours), wanted + len(gold)
    precision, recall = right / max(1, proposed), right / wanted
    score = 1.25 * precision * recall / max(1e-9, 0.25 * precision + recall)
    return f"{wanted} changes wanted, {proposed} made: precision {precision:.2f}, recall {recall:.2f}, F0.5 {score:.2f}"


def changes(before: str, after: str) -> set[tuple[int, int, str]]:
    """Runs of changed words: the first, one past the last, and what they became."""
    old, new = before.split(), after.split()
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {(i, j, " ".join(new[k:end])) for tag, i, j, k, end in codes if tag != "equal"}


def lost(text: str, suggested: str) -> int:
    """How many protected tokens of a text are not in the suggested one."""
    return sum((tokens(text) - tokens(suggested)).values())


def _without_their_words(other: Iterable[str]) -> Proofreader:
    """The proofreader with words of the trades from other permits only."""
    return proofreader_with(trade_words(Linter(), frequency_list(), other))


def _print_times(proofreader: Proofreader) -> None:
    prose = " ".join(CLEAN)
    for size in (100, 1_000, 12_000):
        taken = []
        for repeat in range(_REPEATS):
            text = (
                f"Visit {chr(97 + repeat)}{size}. " + "".join(f"{prose[i % len(prose) :]} " for i in range(repeat, 40))
            )[:size]
            started = time.perf_counter()
            proofreader.read(text, "notes", "en-US")
            taken.append((time.perf_counter() - started) * 1000)
        print(f"{size} characters: median {sorted(taken)[_REPEATS // 2]:.1f} ms, worst {max(taken):.1f} ms")


if __name__ == "__main__":
    main()
