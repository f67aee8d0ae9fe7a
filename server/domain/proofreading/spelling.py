"""Misspelled words: candidates within a few slips, ranked by how likely the slip and how frequent the word is."""

from __future__ import annotations

import math
import string
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from server.domain.proofreading.edit import Edit
from server.domain.proofreading.slips import Slips, respelled
from server.domain.proofreading.words import SHORTEST, Lexicon, Word

#: Longer words are searched three letters away, and shorter ones but one.
_LONG, _SHORT = 7, 4
_MOST_CANDIDATES = 60
#: Of the words that are near, so many are weighed: the nearest and most frequent, at so many letters a slip.
_WEIGHED, _A_SLIP = 30, 0.5
#: Candidates that are kept of a word; the words beside it may turn their order.
_KEPT = 8
#: Words up to this rank (the, of, is) stand beside any other.
_EVERYWHERE = 150
#: What one likely slip costs at most.
_ONE_LIKELY_SLIP = 0.35
#: A second candidate farther behind than this tells nothing more.
_FAR = 1.5
_SUREST = 0.99
#: The rank of a word that no list has, and up to which a word is anybody's.
_RARE, _FREQUENT = 25_000, 5_000
#: A word without any of these is an abbreviation.
_VOICED = frozenset("aeiouy")
#: Distinct unknown words of a text for which candidates are searched; a text with more is no text.
MOST_UNKNOWN = 80
_LONGEST = 30
#: Contractions without their apostrophe that are no other word.
_CONTRACTIONS = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "wasnt": "wasn't", "couldnt": "couldn't",
    "wouldnt": "wouldn't", "shouldnt": "shouldn't", "hasnt": "hasn't", "havent": "haven't", "hadnt": "hadn't",
    "arent": "aren't", "werent": "weren't", "thats": "that's", "whats": "what's", "youre": "you're",
    "theyre": "they're", "theyve": "they've", "weve": "we've", "youve": "you've", "youll": "you'll",
    "theyll": "they'll", "theres": "there's", "wont": "won't", "cant": "can't", "im": "I'm", "ive": "I've",
}  # fmt: skip
#: Words whose meaning is plain and that the search would miss, short ones among them that are no abbreviations.
_SHORT_WORDS = {
    "teh": "the", "hte": "the", "adn": "and", "taht": "that", "thta": "that", "wiht": "with",
    "witht": "with", "waht": "what", "ahve": "have", "jsut": "just", "yuo": "you",
    "thier": "their", "alot": "a lot", "aswell": "as well", "infront": "in front", "incase": "in case",
    "atleast": "at least", "eachother": "each other", "wich": "which", "noone": "no one", "calender": "calendar",
    "wierd": "weird", "peice": "piece", "peices": "pieces", "rythm": "rhythm", "sieze": "seize", "siezed": "seized",
    "collegue": "colleague", "collegues": "colleagues", "fourty": "forty", "nineth": "ninth", "probly": "probably",
    "layed": "laid", "payed": "paid", "wether": "whether", "publically": "publicly", "tounge": "tongue",
    "heighth": "height", "rember": "remember", "tendancy": "tendency",
}  # fmt: skip
FIXED = _CONTRACTIONS | _SHORT_WORDS
#: Words that are known, and that nobody wants proposed.
NEVER_PROPOSED = frozenset(
    (
        "nigger", "niggers", "nigga", "negro", "negroes", "negros", "kike", "kikes", "spic", "spics", "chink", "coon",
        "gook", "faggot", "faggots", "fag", "fags", "dyke", "retard", "retards", "slut", "sluts", "whore", "whores",
        "cunt", "cunts", "fuck", "fucks", "fucked", "fucking", "shit", "shits", "shitty", "bitch", "bitches", "cock",
        "cocks", "whorehouse", "whorehouses", "brothel", "brothels", "horny",
        "penis", "vagina", "tits", "anal", "anus", "rape", "raped", "rapist", "rapists", "porn", "nazi",
    )
)  # fmt: skip
#: Spellings that are proposed in some regions only, and are so usual in the others that nobody calls them wrong.
_NOWHERE_WRONG = frozenset(
    ("cancelled", "cancelling", "catalogue", "catalogues", "louvre", "louvres", "theatre", "theatres", "travelled")
)
#: Names of days and months that are no other word.
_CAPITAL = frozenset(
    (
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "april",
        "june", "july", "september", "october", "november", "december",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that may have been meant; ``cost`` in letters, rarity included."""

    word: str
    cost: float


#: What tells which word was meant beside the slip, each worth so many letters: another first or last letter, how rare
#: the word is (the logarithm of its rank), whether it is of the trades, how common it is beside its neighbours.
TELLS = ("first_letter", "last_letter", "rarity", "trade", "beside")


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely a word was meant by another, in letters: what the slip costs and what `TELLS` say."""

    slips: Slips
    first_letter: float
    last_letter: float
    rarity: float
    trade: float
    beside: float

    @classmethod
    def of(cls, costs: Mapping[str, float]) -> Likelihood:
        """From costs by the names of `KINDS` and `TELLS`."""
        return cls(Slips(costs), *(costs[name] for name in TELLS))

    def prior(self, word: str, other: str, lexicon: Lexicon) -> float:
        """What is told by the two words without weighing the slip."""
        first, last, rarity, trade = _tells_of(word, other, lexicon)
        return self.first_letter * first + self.last_letter * last + self.rarity * rarity + self.trade * trade


def _tells_of(word: str, other: str, lexicon: Lexicon) -> tuple[bool, bool, float, bool]:
    """The first four of `TELLS`."""
    return (
        word[0] != other[0] and word[:2] != other[1::-1],
        word[-1] != other[-1] and word[-2:] != other[:-3:-1],
        math.log2(lexicon.ranks[other] + 64),
        other in lexicon.trade,
    )


#: What `Speller.signs` gives: costs in letters, lengths in letters beside the usual, the rank's logarithm, whether the
#: word as it stands is listed among rare ones.
SIGNS = ("cost", "margin", "slips", "short", "long", "first_letter", "compound", "rarity", "listed")


@dataclass(frozen=True, slots=True)
class Sureness:
    """How likely a correction is right, by its signs: a logistic regression, fitted to labelled words
    (`tools.proofreading.calibrate`). ``weights`` are those of `SIGNS`."""

    bias: float
    weights: tuple[float, ...]

    def __call__(self, signs: tuple[float, ...]) -> float:
        """0 to `_SUREST`."""
        odds = self.bias + sum(weight * sign for weight, sign in zip(self.weights, signs, strict=True))
        return min(_SUREST, 1 / (1 + math.exp(-max(-30.0, odds))))


class Speller:
    """Finds misspelled words of one region (US, GB, CA, AU)."""

    def __init__(self, lexicon: Lexicon, region: str, likelihood: Likelihood, sureness: Sureness) -> None:
        self._lexicon = lexicon
        self._region = region
        self._likelihood = likelihood
        self._sureness = sureness
        self.candidates = lru_cache(maxsize=20_000)(self._candidates)
        self._unlikely = lru_cache(maxsize=20_000)(self._is_rare_slip)
        self._known = lru_cache(maxsize=20_000)(self._is_known)
        # Known words that may have to be spelled otherwise: few have, so this is asked before anything else.
        self._otherwise = lexicon.foreign_to(region) | _CAPITAL

    def knows(self, word: Word) -> bool:
        """Whether a word is one, or nothing is to be said about it."""
        # Long ones are not remembered.
        return word.is_name or len(word.folded) > _LONGEST or self._known(word.folded, word.text[0].isupper())

    def _is_known(self, folded: str, capital: bool) -> bool:
        """Whether a folded word that is no name within a sentence is one; ``capital``: it has one."""
        if folded in FIXED:
            return False
        return (
            len(folded) < SHORTEST
            or not folded.replace("'", "").isascii()
            or (self._lexicon.knows(folded) and not self._unlikely(folded.removesuffix("'s")))
            or (capital and self._lexicon.knows_name(folded))
        )

    def check(self, words: list[Word], unknown: Collection[int], terms: frozenset[str], text: str) -> Iterator[Edit]:
        """An edit for each misspelled word whose right form is clear enough, and for spellings of other regions.
        ``unknown`` is where words begin that are not known; ``terms`` are the organization's, folded."""
        looked_up: set[str] = set()
        for index, word in enumerate(words):
            if word.start not in unknown:
                edit = self._spelled(word, terms) if word.folded in self._otherwise else None
                if edit is not None:
                    yield edit
            else:
                looked_up.add(word.folded)
                if len(looked_up) > MOST_UNKNOWN:
                    return
                before = words[index - 1] if index else None
                after = words[index + 1] if index + 1 < len(words) else None
                edit = self._correct(
                    word,
                    before.folded if before is not None and text[before.end : word.start] == " " else "",
                    after.folded if after is not None and text[word.end : after.start] == " " else "",
                )
                if edit is not None:
                    yield edit

    def _spelled(self, word: Word, terms: frozenset[str]) -> Edit | None:
        if word.text in _CAPITAL:
            return Edit(
                word.start, word.end, word.text.capitalize(), "capitalization", "capitalization.calendar",
                "Names of days and months have a capital.", 0.92,
            )  # fmt: skip
        if word.is_name or word.is_among(terms) or word.stem in _NOWHERE_WRONG:
            return None
        after = self._lexicon.in_region(word.folded, self._region)
        if after == word.folded:
            return None
        return Edit(
            word.start, word.end, _cased(after, word.text), "spelling", "spelling.region",
            f"“{word.text}” is spelled so elsewhere.", 0.92,
        )  # fmt: skip

    def _correct(self, word: Word, before: str, after: str) -> Edit | None:
        fixed = FIXED.get(word.folded)
        if fixed is not None:
            rule = "spelling.apostrophe" if "'" in fixed else "spelling.typo"
            return Edit(
                word.start, word.end, _cased(fixed, word.text), "spelling", rule,
                f"“{word.text}” is not a word.", 0.97,
            )  # fmt: skip
        bare = word.stem
        possessive = word.folded.removeprefix(bare)
        if not self.corrects(bare):
            return None
        found = self.meant(bare, before, after if not possessive else "")
        if not found:
            return None
        confidence = self._sureness(self.signs(bare, found))
        if word.text[0].isupper() or possessive or self._lexicon.knows(bare):
            confidence -= 0.1  # It may be a name, or just that.
        first, *others = (_cased(_named(one.word) + possessive, word.text) for one in found[:4])
        return Edit(
            word.start, word.end, first, "spelling", "spelling.unknown_word", f"“{word.text}” may be misspelled.",
            round(max(0.0, confidence), 2), tuple(others),
        )  # fmt: skip

    def corrects(self, word: str) -> bool:
        """Whether a folded word may be a misspelled one: not known, no name (O'Hare), no abbreviation (wrkng)."""
        known = self._lexicon.knows(word) and not self._unlikely(word)
        return "'" not in word and bool(_VOICED & set(word)) and not known

    def _is_rare_slip(self, word: str) -> bool:
        """Whether a known word is so rare, and so near one of the trades, that this was meant (calking)."""
        lexicon, slips = self._lexicon, self._likelihood.slips
        if len(word) <= _SHORT or not word.isascii() or "'" in word or not lexicon.is_rare(word):
            return False
        near = (other for other in (*_one_slip(word), *respelled(word)) if other in lexicon.trade)
        return any(slips(word, other) <= _ONE_LIKELY_SLIP for other in near)

    def meant(self, word: str, before: str, after: str) -> tuple[Candidate, ...]:
        """The words that may have been meant between two others, likeliest first; empty where there is no word beside
        it."""
        beside = [
            Candidate(one.word, round(one.cost + self._likelihood.beside * self.levels(before, one.word, after), 4))
            for one in self.candidates(word)
        ]
        return tuple(sorted(beside, key=lambda one: (one.cost, one.word)))

    def tells(self, word: str, other: str, before: str, after: str) -> tuple[float, ...]:
        """What `TELLS` names of a word that may have been meant between two others."""
        return (*_tells_of(word, other, self._lexicon), self.levels(before, other, after))

    def levels(self, before: str, word: str, after: str) -> int:
        """How common a word is beside its neighbours, the levels of both pairs."""
        level, tells = self._lexicon.pairs.level, self._tells
        return (level(before, word) if tells(before) else 0) + (level(word, after) if tells(after) else 0)

    def _tells(self, neighbour: str) -> bool:
        """Whether a neighbour tells what stands beside it; what stands beside everything does not."""
        return self._lexicon.ranks.get(neighbour, 0) >= _EVERYWHERE

    def signs(self, word: str, found: tuple[Candidate, ...]) -> tuple[float, ...]:
        """What tells how likely the first candidate is right, as `SIGNS` names it."""
        first = found[0]
        second = found[1].cost if len(found) > 1 else math.inf
        return (
            first.cost,
            min(second - first.cost, _FAR),
            self._likelihood.slips(word, first.word),
            float(max(0, 7 - len(word))),
            float(max(0, len(word) - 10)),
            float(word[0] != first.word[0]),
            float(self._is_compound(word)),
            math.log2(self._lexicon.ranks.get(first.word, _RARE) + 64),
            float(self._lexicon.may_be(word)),
        )

    def _is_compound(self, word: str) -> bool:
        """Whether two words, each frequent or of the trades, are written as one (carwash)."""
        return any(self._is_part(word[:index]) and self._is_part(word[index:]) for index in range(3, len(word) - 2))

    def _is_part(self, word: str) -> bool:
        return self._lexicon.ranks.get(word, _RARE) < _FREQUENT or word in self._lexicon.trade

    def _candidates(self, word: str) -> tuple[Candidate, ...]:
        """The words that may have been meant, likeliest first."""
        lexicon, likelihood = self._lexicon, self._likelihood
        ranked = sorted(
            (
                Candidate(
                    lexicon.in_region(other, self._region),
                    round(likelihood.slips(word, other) + likelihood.prior(word, other, lexicon), 4),
                )
                for other in self.near(word)
            ),
            key=lambda one: (one.cost, one.word),
        )
        distinct = {one.word: one for one in reversed(ranked)}
        return tuple(sorted(distinct.values(), key=lambda one: (one.cost, one.word))[:_KEPT])

    def near(self, word: str) -> list[str]:
        """The words that are worth weighing, those that look likeliest at first sight."""
        lexicon, prior = self._lexicon, self._likelihood.prior
        slips = {other: 1 for other in _one_slip(word) if other in lexicon.ranks}
        slips.update((other, 1) for other in respelled(word) if other in lexicon.ranks)
        reach = 3 if len(word) >= _LONG else 1 if len(word) <= _SHORT else 2
        for length in range(max(2, len(word) - reach), len(word) + reach + 1):
            bucket = lexicon.buckets.get((word[0], length), [])
            near = process.extract(word, bucket, scorer=OSA.distance, score_cutoff=reach, limit=_MOST_CANDIDATES)
            slips.update((other, distance) for other, distance, _ in near if other not in slips)
        likely = sorted((_A_SLIP * number + prior(word, other, lexicon), other) for other, number in slips.items())
        return [other for _, other in likely if other not in NEVER_PROPOSED][:_WEIGHED]


def _one_slip(word: str) -> Iterator[str]:
    for index in range(len(word) + 1):
        before, after = word[:index], word[index:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]


def _named(word: str) -> str:
    """The word with the capital of a day or month."""
    return word.capitalize() if word in _CAPITAL else word


def _cased(word: str, like: str) -> str:
    """The word with the capital and the apostrophe of what it replaces."""
    if "’" in like:
        word = word.replace("'", "’")
    return word[0].upper() + word[1:] if like[0].isupper() else word
