"""Promises of the proofreader: nothing protected changes, edits fit the text, clean trade text is left alone."""

import sys
import unicodedata

import pytest
from harper import Linter
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.domain.proofreading.context import HIGHEST, Pairs, pack
from server.domain.proofreading.edit import Edit, Utf16, apply
from server.domain.proofreading.grammar import Finding, Grammar
from server.domain.proofreading.profiles import FRAGMENTS, PROTECTED, REGIONS
from server.domain.proofreading.proofreader import SURE, THRESHOLD
from server.domain.proofreading.protected import harmless, spans, tokens
from server.domain.proofreading.sentences import sentences
from server.domain.proofreading.slips import KINDS, Slips
from server.domain.proofreading.spelling import NEVER_PROPOSED
from server.domain.proofreading.words import entry, fold, words
from server.harper import RULES_FILE, Harper, Rule, Rules
from server.proofreading import load_proofreader, proofreader_version, proofreader_with
from tools.evaluation.proofreading import BURNED, CLEAN, MISSPELLINGS, MIXED, WRONG, alarms

RULE_LINES = RULES_FILE.read_text("utf-8").splitlines()
FRAGMENTS_OF_TEXT = st.sampled_from(
    [
        "12 m", "$1,200.50", "615-555-0134", "jo@x.org", "https://a.b/c?d=1", "HVAC", "iPhone", "SKU-AB12", "{{name}}", "`teh`",
        "12 Oak Street", "3 March 2026", "2x4s", "Type 3A", "U.S.", "3/4\"", "teh", "recieve", "Their is", "its not", "could of",
        "alot", "the the", "a apple", "i", "turn of the water", "bathrom", "tuesday", "colour", "color", "\U0001f6e0", "e\u0301",
        "\r\n", "\t", "\u202e", "’", "dont", "Jane's", "O'Brien", "(", "\"", ".", "!", "x" * 60, "1-" * 20,
    ]
)  # fmt: skip
#: A word each in Hindi, Tamil, Thai, pointed Hebrew and pointed Arabic, of letters and marks.
SCRIPTS = ("हिन्दी", "தமிழ்", "ที่นี่", "שָׁלוֹם", "مُحَمَّد")
TEXTS = st.lists(FRAGMENTS_OF_TEXT | st.text(max_size=10), max_size=20).map(" ".join)


@pytest.fixture(scope="module")
def proofreader():
    return load_proofreader()


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(["notes", *sorted(FRAGMENTS)]), st.sampled_from(sorted(REGIONS)))
@example("Fix teh 200A recieve panel. A 8 A fuse, an HVAC unit", "notes", "en-US")
@example("alot 12 m", "title", "en-GB")
def test_whatever_the_text_edits_fit_it_and_protected_tokens_stay(proofreader, text, kind, locale):
    read = proofreader.read(text, kind, locale)
    assert apply(text, read.edits) == read.suggested_text
    assert tokens(read.suggested_text) == tokens(text)
    protected = spans(text)
    position = 0
    for edit in read.edits:
        assert position <= edit.start <= edit.end <= len(text)
        assert text[edit.start : edit.end] != edit.after
        assert THRESHOLD <= edit.confidence <= 1
        assert not any(start < edit.end and edit.start < end for start, end in protected)
        assert not any(
            unicodedata.combining(letter)
            for letter in (text[edit.start : edit.start + 1], text[edit.end : edit.end + 1])
            if letter
        )
        position = edit.end
    assert read.needs_review or all(edit.confidence >= SURE for edit in read.edits)
    assert proofreader.read(text, kind, locale) == read


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.data())
def test_an_edit_that_changes_a_protected_token_is_refused_whatever_the_rule(text, data):
    edits, position = [], 0
    while position < len(text) and len(edits) < 8:
        start = data.draw(st.integers(position, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 6)))
        after = data.draw(st.sampled_from(["", "x", "7", "NASA", " ", "aB", "$5", "the"]) | st.text(max_size=4))
        edits.append(Edit(start, end, after, "any", "any", "", 1.0))
        position = end + 1
    kept = harmless(text, edits)
    assert set(kept) <= set(edits)
    assert tokens(apply(text, kept)) == tokens(text)


@given(st.text(max_size=60))
def test_utf16_positions_are_those_of_browsers(text):
    units = Utf16(text)
    for position in range(len(text) + 1):
        assert units.at(position) == len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


@given(st.text(max_size=900) | st.text("a .\n", max_size=900))
def test_sentences_are_where_they_say_and_bounded(text):
    position = 0
    for start, sentence in sentences(text):
        assert text[start : start + len(sentence)] == sentence
        assert 0 < len(sentence) <= 400
        assert start >= position
        position = start + len(sentence)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("see https://a.b/c?d=1 now", "https://a.b/c?d=1"), ("mail jo.x@example.org please", "jo.x@example.org"),
        ("call 615-555-0134 today", "615-555-0134"), ("call (615) 555 0134 today", "(615) 555 0134"), ("pay $1,200.50 now", "$1,200.50"),
        ("on 3 March 2026 we", "3 March 2026"), ("lay 12.5 sq ft of", "12.5 sq ft"), ("an HVAC unit", "HVAC"), ("my iPhone is", "iPhone"),
        ("order SKU-AB12 now", "SKU-AB12"), ("at 12 Oak Street in", "12 Oak Street"), ("dear {{name}} we", "{{name}}"),
        ("run `ls teh` now", "`ls teh`"), ("use 2x4s only", "2x4s"), ("file roof_plan teh", "roof_plan"),
    ],
)  # fmt: skip
def test_what_carries_meaning_as_a_sign_is_one_protected_token(text, token):
    assert token in tokens(text)


@pytest.mark.parametrize("kind", sorted(PROTECTED))
def test_protected_kinds_are_not_read(proofreader, kind):
    read = proofreader.read("teh recieve", kind, "en-US")
    assert (read.suggested_text, read.edits, read.skip_reason) == ("teh recieve", (), "protected_field_kind")


@pytest.mark.parametrize(("text", "fixed"), WRONG, ids=[text[:40] for text, _ in WRONG])
def test_a_sentence_of_the_development_set_is_mended(proofreader, text, fixed):
    assert proofreader.read(text, "notes", "en-US").suggested_text == fixed


def test_clean_trade_text_is_left_alone(proofreader):
    assert [one for text in CLEAN for one in alarms(proofreader, text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "We need a part from the supplier.", "A part from Grohe is on its way.",
        "We wait for a part from the supplier, apart from that all is done.", "Apart from a part from the maker it is here.",
    ],
)  # fmt: skip
def test_a_part_is_a_spare_one(proofreader, text):
    assert proofreader.read(text, "notes", "en-US").edits == ()
    assert proofreader.read("It is apart of the job.", "notes", "en-US").suggested_text == "It is a part of the job."


def test_common_misspellings_are_mended_first(proofreader):
    right = sum(
        proofreader.read(f"the {wrong} is", "notes", "en-US").suggested_text == f"the {meant} is"
        for wrong, meant in MISSPELLINGS
    )
    assert right / len(MISSPELLINGS) >= 0.85


@pytest.mark.parametrize(
    ("text", "review"),
    [
        ("The bathrom is done.", False), ("I dont know.", True), ("We need fourty tiles.", True), ("Teh wall is painted.", False),
    ],
)  # fmt: skip
def test_negations_and_numbers_are_for_a_person_to_look_at(proofreader, text, review):
    read = proofreader.read(text, "notes", "en-US")
    assert read.edits
    assert read.needs_review is review


def test_words_of_the_organization_are_known(proofreader):
    assert proofreader.read("Fit a bathrom fan.", "notes", "en-US").edits
    asked = []

    def own(words, unknown):
        asked.append((words, unknown))
        return frozenset({"bathrom", "form"})

    text = "Water leaks form the bathrom's fan."
    assert len(proofreader.read(text, "notes", "en-US").edits) == 2
    assert not proofreader.read(text, "notes", "en-US", own).edits
    assert asked == [
        ({"water", "leaks", "form", "the", "bathrom", "bathrom's", "fan"}, {"bathrom", "bathrom's"}),
    ]


@pytest.mark.parametrize("text", ["Fit the kohlr's valve.", "Fit the kohlr’s valve.", "Kohlr's valve is in."])
def test_a_possessive_of_the_organization_is_known_just_so(proofreader, text):
    def own(words, unknown):
        assert unknown == {"kohlr", "kohlr's"}
        return frozenset({"kohlr's"} & words)

    assert proofreader.read(text, "notes", "en-US").edits
    assert proofreader.read(text, "notes", "en-US", own).edits == ()
    assert proofreader.read("Fit the kohlr valve.", "notes", "en-US", lambda *_: frozenset({"kohlr's"})).edits


@pytest.mark.parametrize("word", ["Schlüter", "O’Hare's", "x", "y" * 40, "Cafe\u0301", *SCRIPTS])
def test_a_word_of_ones_own_is_found_in_texts_again(word):
    kept = entry(word)
    (found,) = words(f"a {kept} b".partition(" ")[2].partition(" ")[0])
    assert found.folded == fold(kept)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "two words",
        "co-op",
        "R2D2",
        "'tis",
        "\u0301",
        "\u0301a",
        "a'\u0301",
        "y" * 41,
        "a\n",
        "x" + "\u0301" * 40,
    ],
)
def test_what_is_no_single_word_is_none_of_ones_own(text):
    assert entry(text) == ""


def test_marks_of_all_scripts_belong_to_the_word_that_they_stand_in():
    marks = [letter for letter in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(letter).startswith("M")]
    assert len(marks) > 2_000
    assert [mark for mark in marks if [one.text for one in words(f"on a{mark}b{mark} a")][1] != f"a{mark}b{mark}"] == []


@pytest.mark.parametrize("text", [*SCRIPTS, "Ru\u0308hrfasz", "bathro\u0301m", "cafe\u0301recieve"])
def test_no_part_of_a_word_with_marks_is_told_wrong(proofreader, text):
    assert proofreader.read(f"We saw {text} on the wall.", "notes", "en-US").edits == ()


def test_a_spelling_of_another_region_is_told_there_only(proofreader):
    assert proofreader.read("The colour is fine.", "notes", "en-GB").edits == ()
    assert proofreader.read("The colour is fine.", "notes", "en-US").suggested_text == "The color is fine."
    assert proofreader.read("The color is fine.", "notes", "en-CA").suggested_text == "The colour is fine."


def test_text_in_another_language_is_skipped(proofreader):
    text = "Vamos a instalar una cocina nueva con azulejos blancos y una puerta grande."
    assert proofreader.read(text, "notes", "en-US").skip_reason == "other_language"


@pytest.mark.parametrize(
    "text", ["\U0001f6e0\tteh e\u0301 wall\r\n\r\nis  recieved\u00a0\u200b.\r\n\t", "\ufeffteh\x0b\x0cteh\u2028teh"]
)
def test_what_is_not_edited_survives_byte_for_byte(proofreader, text):
    read = proofreader.read(text, "notes", "en-US")
    assert len(read.edits) >= 2
    rest, position = [], 0
    for edit in read.edits:
        rest.append(text[position : edit.start])
        position = edit.end
    rest.append(text[position:])
    suggested = read.suggested_text
    for kept, edit in zip(rest, [*read.edits, None], strict=True):
        assert suggested.startswith(kept)
        suggested = suggested[len(kept) :].removeprefix(edit.after if edit is not None else "")
    assert suggested == ""


def test_typing_checks_the_changed_sentence_alone():
    class Counting:
        name = "counting"

        def __init__(self):
            self.checked = []

        def check(self, sentences, region):
            self.checked += sentences
            return [()] * len(sentences)

    counting = Counting()
    proofreader = proofreader_with([], [counting])
    text = " ".join(f"We paint wall number {'x' * n} now." for n in range(1, 40))
    proofreader.read(text, "notes", "en-US")
    counting.checked.clear()
    proofreader.read(f"{text} And one more", "notes", "en-US")
    assert counting.checked == ["And one more"]


def test_what_harper_finds_in_a_sentence_does_not_depend_on_those_checked_with_it():
    together, alone = Harper(), Harper()
    texts = [
        *CLEAN,
        *(wrong for wrong, _ in (*WRONG, *MIXED)),
        'He said "a apple',
        "it's due by 4 p.m.",
        "(see",
        "\u2028 the the",
    ]
    found = [list(one) for one in together.check(texts, "US")]
    assert found == [list(alone.check([text], "US")[0]) for text in texts]
    assert sum(map(len, found)) >= 10


def test_each_rule_that_is_asked_is_one_of_harpers_and_named_once():
    rules = [Rule.of(line).name for line in RULE_LINES if not line.startswith("#")]
    assert len(rules) == len(set(rules))
    assert set(rules) <= Linter().get_default_lint_config().keys()


def test_a_rule_finds_nothing_in_sentences_that_it_is_not_asked_of():
    rules, linter = Rules(RULE_LINES), Linter()
    off = dict.fromkeys(linter.get_default_lint_config(), False)
    linter.set_lint_config(off | dict.fromkeys(rules.names, True))
    texts = [*(wrong for wrong, _ in (*WRONG, *MIXED)), *(text for pair in BURNED for text in pair), *CLEAN]
    found = 0
    for sentence in (sentence for text in texts for _, sentence in sentences(text)):
        lints = linter.organized_lints(f"{sentence}\n\n", language="plaintext", dedup=False)
        finding = {rule for rule, some in lints.items() if some}
        assert finding <= rules.of(sentence), sentence
        found += len(finding)
    assert found >= 20


@pytest.mark.parametrize(
    ("sentence", "rules"),
    [
        ("It’s all  ready broken, its ready all the same.", {"AllReady", "ItsPossessive"}),
        ("We paint the fence there, and then the gate.", set()),
        ("We should of had a apple.", {"AnA", "ModalOf"}),
        ("i left to Spain", {"CapitalizePersonalPronouns", "LeaveToFor"}),
        ("i left it to dry", {"CapitalizePersonalPronouns"}),
    ],
)
def test_a_rule_is_asked_where_its_words_are(sentence, rules):
    assert Rules(RULE_LINES).of(sentence) == rules


def test_a_panic_of_the_engine_costs_the_sentence_that_it_is_about(monkeypatch):
    class PanicException(BaseException):
        pass

    def panics(self, sentences, region, rules):
        if any("panic" in one for one in sentences):
            raise PanicException
        return [(Finding(0, 1, "AllReady", "Typo", one, ()),) for one in sentences]

    monkeypatch.setattr(Harper, "_check", panics)
    sentences = [f"all ready {word}" for word in ("one", "two", "panic", "four", "five")]
    found = Harper().check(sentences, "US")
    assert [[one.message for one in findings] for findings in found] == [
        [] if "panic" in one else [one] for one in sentences
    ]


@given(st.lists(st.text("ab ", min_size=1, max_size=900), max_size=30, unique=True))
def test_findings_are_those_of_their_sentence_however_many_are_checked_at_once(texts):
    class Echo:
        name = "echo"

        def check(self, sentences, region):
            return [(Finding(0, 1, one, "Typo", "", ("x",)),) for one in sentences]

    grammar = Grammar(Echo(), None)
    text = "\n".join(texts)
    found = list(sentences(text))
    for _ in range(2):
        assert [edit.rule for edit in grammar.check(text, "US", fragment=False)] == [
            f"grammar.{one}" for _, one in found
        ]


def test_the_words_beside_it_tell_which_word_was_meant(proofreader):
    speller = proofreader.speller("US")
    alone, beside = (speller.meant("flor", before, "") for before in ("", "ground"))
    assert beside[0].word == alone[0].word == "floor"
    assert beside[0].cost < alone[0].cost
    assert (
        proofreader.read("Replace plumbing fitures.", "notes", "en-US").suggested_text == "Replace plumbing fixtures."
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [("insulashun", "insulation"), ("skylite", "skylight"), ("termight", "termite"), ("groute", "grout"), ("copling", "coupling")],
)  # fmt: skip
def test_a_word_that_is_written_as_it_sounds_is_found(proofreader, written, meant):
    assert proofreader.speller("US").meant(written, "", "")[0].word == meant


@given(st.text("abcdeghiknostu", min_size=1, max_size=12), st.text("abcdeghiknostu", min_size=1, max_size=12))
def test_a_slip_costs_something_and_never_more_than_each_letter_written_anew(word, other):
    costs = dict.fromkeys(KINDS, 0.5) | {"left_out": 1.0, "too_many": 1.0}
    cost = Slips(costs)(word, other)
    assert (cost == 0) == (word == other)
    assert cost <= len(word) + len(other)


def test_american_spellings_are_proposed_to_americans_alone(proofreader):
    for locale, meant in (("en-US", "neighbors"), ("en-GB", "neighbours")):
        assert proofreader.read("The neigbors agreed.", "notes", locale).suggested_text == f"The {meant} agreed."
    assert proofreader.read("The visit was cancelled.", "notes", "en-US").edits == ()


def test_a_rare_word_one_slip_from_one_of_the_trades_is_for_a_person_to_look_at(proofreader):
    read = proofreader.read("Finish the calking around the tub.", "notes", "en-US")
    assert (read.suggested_text, read.needs_review) == ("Finish the caulking around the tub.", True)


def test_a_first_name_is_no_misspelling_where_a_sentence_begins(proofreader):
    assert proofreader.read("Imogen called. Philippa pays.", "notes", "en-US").edits == ()


def test_no_slur_is_proposed(proofreader):
    speller = proofreader.speller("US")
    for word in ("neigbors", "nigers", "fagot", "retrad", "shti", "peniss", "cockk"):
        assert not NEVER_PROPOSED & {one.word for one in speller.candidates(word)}


@given(st.dictionaries(st.tuples(st.text("abc", min_size=1), st.text("abc", min_size=1)), st.integers(1, HIGHEST)))
def test_pairs_have_the_levels_that_were_packed(levels):
    pairs = Pairs(pack(levels))
    assert all(pairs.level(*pair) == level for pair, level in levels.items())
    assert pairs.level("abc", "d") == 0


def test_names_are_not_misspelled(proofreader):
    assert (
        proofreader.read("Please ask Siobhan Kowalczyk of Poughkeepsie and Mr. Teh about it.", "notes", "en-US").edits
        == ()
    )


def test_the_version_names_engine_rules_and_words():
    assert [part.partition("-")[0] for part in proofreader_version().split()] == [
        "proofreading",
        "harper",
        "rules",
        "words",
    ]
