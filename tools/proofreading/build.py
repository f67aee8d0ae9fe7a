"""Builds the proofreader's word lists: ``python -m tools.proofreading.build --shared ../shared/data``.

Words by frequency come from the list in the symspellpy wheel; which of them are words, and in which regions they are
spelled so, is asked of Harper's dictionary; words of the trades come from permit texts, the catalogue and
`trade_words.txt`. Runs again with the same bytes as a result.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from harper import Dialect, Linter
from rapidfuzz.distance import OSA

from server.domain.proofreading.context import HIGHEST, pack

HERE = Path(__file__).parent
SERVER_DATA = HERE.parents[1] / "server" / "data"
OUT = SERVER_DATA / "proofreading"
DIALECTS = {
    "AU": Dialect.AUSTRALIAN,
    "CA": Dialect.CANADIAN,
    "GB": Dialect.BRITISH,
    "US": Dialect.AMERICAN,
}
#: Words of the frequency list that Harper does not know are kept only above this rank: below it they hide misspellings.
RANK_UNCONFIRMED = 30_000
#: A word of the permits is of the trade if so many permits have it and it is not one slip away from a known word.
PERMITS = 3
#: A pair of words of the list counts from this number on, one of permits from this number of permits on; the level
#: that permits give before they are counted.
PAIR_COUNT, PAIR_PERMITS, PERMIT_LEVEL = 6_400_000, 2, 4
_PAIR = re.compile(r"(?=(?<![\w'])([a-z]+) ([a-z]+)(?![\w']))")
#: Words up to this rank are everybody's, not of a trade.
_COMMON = 300
#: Letters of a name, or a rare word, that is worth listing; shorter ones are taken for abbreviations.
_NAME = 4
#: American spellings as they turn into those of elsewhere.
_PATTERNS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"or", "our"), (r"er(s?)$", r"re\1"), (r"ered$", "red"), (r"ering$", "ring"), (r"iz(?=e|i|a)", "is"),
        (r"yz(?=e|i)", "ys"),
        (r"og(s?)$", r"ogue\1"), (r"l(ed|ing|er|ers|or|ors)$", r"ll\1"), (r"ense(s?)$", r"ence\1"),
        (r"ll(ment|s?$|ful)", r"l\1"), (r"dgment", "dgement"), (r"old", "ould"), (r"e", "ae"), (r"e", "oe"),
        (r"lor", "lour"), (r"gray", "grey"), (r"plow", "plough"), (r"tire", "tyre"), (r"aluminum", "aluminium"),
        (r"jewelry", "jewellery"), (r"curb", "kerb"), (r"story", "storey"), (r"stories", "storeys"),
        (r"check", "cheque"),
        (r"draft", "draught"), (r"cozy", "cosy"), (r"ax$", "axe"), (r"skeptic", "sceptic"), (r"pajama", "pyjama"),
        (r"sulf", "sulph"), (r"center", "centre"), (r"fiber", "fibre"), (r"practic(?=ed|ing)", "practis"),
    )
)  # fmt: skip
#: And how those of elsewhere turn into American ones.
_AMERICAN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"our", "or"), (r"ll(?=ed$|ing$|ers?$|ors?$)", "l"), (r"is(?=e|i|a)", "iz"), (r"ys(?=e|i)", "yz"),
        (r"ogue", "og"), (r"ence(?=s?$)", "ense"), (r"re(?=s?$)", "er"), (r"ae|oe", "e"), (r"mould", "mold"),
        (r"grey", "gray"), (r"plough", "plow"),
    )
)  # fmt: skip
#: Words of the list that in texts of the trades are misspellings of theirs (dimmer, dining, bearing).
_MISSPELLED_HERE = frozenset(
    ("baath", "bering", "copping", "dimer", "dinning", "gabble", "newell", "primmer")
)  # fmt: skip
#: Spellings that both sides use, as in names of colours and products or for other words (analyses).
_EVERYWHERE = {
    "grey", "greys", "gray", "grays", "program", "programs", "analyses", "analyzes", "catalyses", "catalyzes", "fayre",
}  # fmt: skip


def main() -> None:
    """Write the lists and their attribution."""
    parser = argparse.ArgumentParser(prog="python -m tools.proofreading.build", description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, required=True, help="folder with permits_dev_sample.jsonl")
    parser.add_argument(
        "--scowl", type=Path, nargs="+", help="word lists of SCOWL, size 80; without them rare.txt stays"
    )
    options = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    linter = Linter()
    frequent = frequency_list()
    known = {word for word in frequent if linter.is_likely_english(word)}
    words = [
        word
        for rank, word in enumerate(frequent)
        if (word in known or rank < RANK_UNCONFIRMED) and word not in _MISSPELLED_HERE
    ]
    words = with_american(linter, words)
    permits = permit_texts(options.shared / "permits_dev_sample.jsonl")
    trade = trade_words(linter, words, permits)
    _write("words.txt", words)
    known_words = sorted(catalogue_names(linter, words, trade).union(_listed("known_words.txt")) - trade - set(words))
    _write("known.txt", known_words)
    if options.scowl:
        _write("rare.txt", rare_words(linter, set(words), options.scowl))
    text_words = set(_listed("text_words.txt")) - trade
    _write("trade.txt", sorted(trade))
    _write("text.txt", sorted(text_words))
    _write("variants.tsv", variants(linter, [*words, *sorted(trade - set(words))]))
    (OUT / "pairs.bin").write_bytes(pack(pair_levels(trade.union(words, text_words), permits)))
    (OUT / "ATTRIBUTION.md").write_text(attribution(), "utf-8")


def frequency_list() -> list[str]:
    """Words of letters, most frequent first."""
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text("utf-8-sig")
    return [word for word in (line.split()[0] for line in text.splitlines()) if word.isalpha() and word.isascii()]


def with_american(linter: Linter, words: Sequence[str]) -> list[str]:
    """The words, each that America spells otherwise followed by how it does, where the list lacks that (neighbors)."""
    listed = set(words)
    spelled = {
        word: other
        for word in words
        for pattern, replacement in _AMERICAN
        if (other := pattern.sub(replacement, word, count=1)) not in listed and linter.is_likely_english(other)
    }
    wrong = _misspelled(Dialect.AMERICAN, sorted({*spelled, *spelled.values()}))
    return [
        one
        for word in words
        for one in (word, spelled.get(word, ""))
        if one == word or (one and word in wrong and one not in wrong)
    ]


def permit_texts(path: Path) -> list[str]:
    """The texts of permits, lower case."""
    return [json.loads(line)["text"].lower() for line in path.read_text("utf-8").splitlines()]


def trade_words(linter: Linter, words: Sequence[str], permits: Iterable[str]) -> set[str]:
    """Words of our own list and catalogue, and those of the permits that the general lists lack and that are no slips
    of other words."""
    listed = set(words)

    def lacks(word: str) -> bool:
        return word not in listed and not linter.is_likely_english(word)

    of_catalogue = {word for word in set(_catalogue_words()) if not lacks(word)}
    own = of_catalogue.union(_listed("trade_words.txt")) - set(words[:_COMMON])
    count = Counter(word for text in permits for word in set(re.findall(r"(?<![\w'])[a-z]{4,}(?![\w'])", text)))
    common = [word for word, number in count.items() if number >= PERMITS and not lacks(word)]
    seen = {
        word
        for word, number in count.items()
        if number >= PERMITS and lacks(word) and not any(_slip(word, other) for other in common)
    }
    return own | seen


def pair_levels(words: Collection[str], permits: Iterable[str]) -> dict[tuple[str, str], int]:
    """How common pairs of known words are, in levels: in the list of the symspellpy wheel, and in permits."""
    levels = {}
    listed = (files("symspellpy") / "frequency_bigramdictionary_en_243_342.txt").read_text("utf-8-sig")
    for line in listed.splitlines():
        first, second, count = line.split()
        if first in words and second in words and int(count) >= PAIR_COUNT:
            levels[first, second] = min(HIGHEST, 1 + int(math.log2(int(count) / PAIR_COUNT)))
    counted = Counter(pair for text in permits for pair in set(_PAIR.findall(text)))
    for (first, second), number in counted.items():
        if number >= PAIR_PERMITS and first in words and second in words:
            level = min(HIGHEST, PERMIT_LEVEL + int(math.log2(number)))
            levels[first, second] = max(level, levels.get((first, second), 0))
    return levels


def catalogue_names(linter: Linter, words: Sequence[str], trade: Collection[str]) -> set[str]:
    """Words of the catalogue that the general lists lack, names mostly; those one slip from a word of the trades are
    spellings of it that people use."""
    listed = set(words)
    return {
        word
        for word in set(_catalogue_words())
        if len(word) >= _NAME
        and word not in listed
        and not linter.is_likely_english(word)
        and not any(_slip(word, other) for other in trade)
    }


def rare_words(linter: Linter, known: Collection[str], lists: Iterable[Path]) -> list[str]:
    """Words of large lists that are neither frequent nor known to Harper; some of the trades are among them."""
    lines = {line.strip().lower() for path in lists for line in path.read_text("utf-8").splitlines()}
    return sorted(
        word
        for word in lines
        if len(word) >= _NAME
        and word.isascii()
        and word.isalpha()
        and word not in known
        and not linter.is_likely_english(word)
    )


def _catalogue_words() -> Iterator[str]:
    for name in ("tasks.json", "products.json"):
        for row in json.loads((SERVER_DATA / name).read_text("utf-8")):
            texts = [row.get("name", ""), row.get("trade", ""), *row.get("names", ())]
            yield from re.findall(r"[a-z]{3,}", " ".join(texts).lower())


def _listed(name: str) -> Iterator[str]:
    for line in (HERE / name).read_text("utf-8").splitlines():
        yield from line.partition("#")[0].split()


def _slip(word: str, other: str) -> bool:
    """Whether one may be a mistyped form of the other; a plural or a participle is none."""
    if word in (f"{other}s", f"{other}ed", f"{other}d") or other in (f"{word}s", f"{word}ed", f"{word}d"):
        return False
    return bool(OSA.distance(word, other, score_cutoff=1) <= 1)


def variants(linter: Linter, words: Sequence[str]) -> list[str]:
    """Rows ``word, regions that spell it so, what the others write``, for words that some region calls wrong."""
    pairs = sorted(
        {
            (word, other)
            for word in words
            for pattern, replacement in _PATTERNS
            for found in pattern.finditer(word)
            if (other := word[: found.start()] + found.expand(replacement) + word[found.end() :]) != word
            and other not in _EVERYWHERE
            and word not in _EVERYWHERE
            and linter.is_likely_english(word)
            and linter.is_likely_english(other)
        }
    )
    either = sorted({word for pair in pairs for word in pair})
    wrong = {region: _misspelled(dialect, either) for region, dialect in DIALECTS.items()}
    rows = {}
    for american, other in pairs:
        for word, instead in ((american, other), (other, american)):
            regions = [region for region in DIALECTS if word not in wrong[region]]
            fixed = [region for region in DIALECTS if region not in regions and instead not in wrong[region]]
            if regions and fixed and word not in rows:
                rows[word] = f"{word}\t{','.join(regions)}\t{instead}"
    return [rows[word] for word in sorted(rows)]


def _misspelled(dialect: Dialect, words: Sequence[str]) -> set[str]:
    linter = Linter(dialect)
    linter.set_lint_config({**dict.fromkeys(linter.get_lint_config(), False), "SpellCheck": True})
    return {
        lint.problem_text
        for start in range(0, len(words), 200)
        for lint in linter.lint("\n\n".join(words[start : start + 200]), language="plaintext", dedup=False)
    }


def attribution() -> str:
    """Where the words come from."""
    return f"""# Sources of the proofreader's word lists

Made by `tools/proofreading`.

## words.txt: English words by frequency

- Frequency dictionary of SymSpell (82,765 words), as shipped in symspellpy {version("symspellpy")}; MIT License,
  copyright Wolf Garbe, mmb L. SymSpell made it from Google Books Ngram data (CC BY 3.0) and SCOWL (permissive,
  copyright Kevin Atkinson and others).
- Which of them are kept was asked of the dictionary of Harper (harper-py {version("harper-py")}); Apache License 2.0.

## rare.txt: words that a text may have, though hardly anybody knows them

- SCOWL, size 80, American and British, as packaged by Debian (wamerican-huge, wbritish-huge 2020.12.07): those that the
  other lists lack. The collective work is Copyright 2000-2011 by Kevin Atkinson as well as any of the copyrights
  mentioned with it (http://wordlist.sourceforge.net). Permission to use, copy, modify, distribute and sell these word
  lists, the associated scripts, the output created from the scripts, and its documentation for any purpose is hereby
  granted without fee, provided that the above copyright notice appears in all copies and that both that copyright
  notice and this permission notice appear in supporting documentation. Kevin Atkinson makes no representations about
  the suitability of this array for any purpose. It is provided "as is" without express or implied warranty.

## pairs.bin: which words stand beside each other

- Bigram dictionary of SymSpell, as shipped in the same package; MIT License. SymSpell made it from Google Books Ngram
  data (CC BY 3.0). Pairs of words that two or more of the permits below have, counted.

## slips.json, sureness.json: what slips cost, how likely a correction is right

- Fitted to words labelled for this project (`tools/proofreading/labelled_words.tsv`, unknown words of the permits below
  with what was meant), to misspellings of our own writing (`tools/evaluation/*misspellings.tsv`), and to words of our
  own lists that are right.

## harper_rules.txt: which rules of Harper are asked

- Chosen for this project from the names of Harper's rules.

## variants.tsv: spellings by region

- Asked of Harper's dictionary, dialects US, GB, CA and AU; Apache License 2.0.

## trade.txt: words of the trades

- Single words of City of Chicago building permits (city open data), of the catalogue of this project, and of its own
  list.

## known.txt: words that are accepted and never proposed

- Names of makers, products and plants, of our own list (`tools/proofreading/known_words.txt`) and of the catalogue of
  this project.

## text.txt: words of texts of the trades

- Single words of the same permits and of public web pages of trades companies (`tools/proofreading/text_words.txt`).
"""


def _write(name: str, lines: Iterable[str]) -> None:
    (OUT / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
