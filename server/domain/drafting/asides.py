"""Asides: sentences that say nothing of the work, so that a request reads the same with them and without.

When somebody is at home, that there are dogs, how to get in, who recommended whom, what the house is: whoever reads a
request whole is swayed by each of them, and none of them asks for anything. A logistic model over the words of a
sentence and their pairs tells them from what may speak of the work ("both of them please", "that's been sorted"). Its
weights are a table that `tools.drafting.asides` fits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from server.domain.drafting.actions import action_of
from server.domain.drafting.layout import lines_of, sentences_of
from server.domain.drafting.quantities import Quantity
from server.domain.drafting.telling import MEASURES

#: A weight a line: the feature, the weight.
WEIGHTS = Path(__file__).with_name("asides_weights.tsv")
#: From this chance on a sentence is an aside; the same of one that may refer to the work.
SURE, SURER = 0.9, 0.97
#: Words of an aside at least, and characters at most; longer texts are papers.
_SHORTEST, _LONGEST, _LONGEST_TEXT = 3, 240, 6_000
_ENDS = frozenset(".!?")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d+|[$£€@?!,:]")
#: What is said of work that was done, paid or put off, by whoever asks for something else or for nothing; and who does
#: what.
_OF_DEALINGS = re.compile(
    r"\b(?:cost(?:s|ing)?|price[ds]?|pricing|ballpark|(?:an?|your|several|free) (?:quote|estimate|bid)s?"
    r"|(?:quote|estimate)s? (?:for|on)|paid|pay(?:ment)?s?|bill(?:ed)?|deposits?|invoiced?|receipts?|refund\w*"
    r"|withdr\w+|warrant(?:y|ies)|guaranteed?|transfer|cancel\w*"
    r"|book(?:ed|ing)|appointments?|reschedul\w*|thank\w*|cheers|sorry|complain\w*|disappoint\w*|let down|hiring|jobs?"
    r"|vacanc\w*|placement|apprentice\w*|subcontract\w*|sell(?:ing)?|proposal|quotation|phase|answer|myself|ourselves"
    r"|own|skip|ignore|forget|leave|except|(?:your|the) (?:guys?|crew|m[ae]n|team|lads?|fitters?))\b",
    re.IGNORECASE,
)
#: What mostly speaks of the work, and must be read unless the sentence is beyond doubt.
_MAY_REFER = re.compile(
    r"\b(?:ours|mine|done|already|still|again|instead|not|no|never|nothing|only|just|n['’]t)\b", re.IGNORECASE
)
#: Verbs of work that are said of other things: a house is built, people move.
_OF_OTHERS = frozenset(
    {"built", "moved", "mend", "provided", "new", "clear", "close", "closed", "open", "post", "book"}
)
#: How soon, at the end of a sentence; which job it is, before it is told.
_HASTE = re.compile(
    r",? ?\b(?:as soon as (?:possible|you can)|a\.?s\.?a\.?p\b|at your (?:earliest )?convenience)(?: please)?"
    r"(?=[ \t]*(?:[.!?\n]|\Z))",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\A\s*(?:(?:job|ref(?:erence)?|w\.?o\.?|work order|ticket|p\.?o\.?|case|order|project|enquiry|lead|call)"
    r"(?: (?:no|number|id|ref))?\.?\s*[:#]?\s*)[A-Z]{0,4}[-/]?\d{2,}[\w/-]*\s*[-–—:.,|]\s*(?=\S)",
    re.IGNORECASE,
)


def without_asides(text: str, figures: Sequence[Quantity] = ()) -> str:
    """The text with its asides blanked out, so that what is left stands where it stood; as it is where nothing would be
    left. ``figures`` are its own: a sentence that tells how large something is is none."""
    if len(text) > _LONGEST_TEXT:
        return text
    told = text
    measured = [one.span.start for one in figures if one.role in MEASURES]
    inside = frozenset(at for one in figures for at in range(one.span.start, one.span.end))
    for start, end in sentences(text, inside):
        if not any(start <= at < end for at in measured) and is_aside(text[start:end]):
            told = f"{told[:start]}{' ' * (end - start)}{told[end:]}"
    for saying_nothing in (_HASTE, _REFERENCE):
        told = saying_nothing.sub(lambda aside: " " * len(aside[0]), told)
    return told if told.strip() else text


def sentences(text: str, inside: frozenset[int] = frozenset()) -> Iterator[tuple[int, int]]:
    """The ranges of the sentences, each with the sign it ends with; ``inside`` are the positions within figures."""
    for line in lines_of(text):
        for start, end in sentences_of(text, *line, inside):
            while text[end : end + 1] in _ENDS:
                end += 1
            yield start, end


def is_aside(sentence: str) -> bool:
    """Whether a sentence surely says nothing of the work."""
    words = words_of(sentence)
    if len(sentence) > _LONGEST or sum(word[0].isalpha() for word in words) < _SHORTEST:
        return False
    if any(action_of(word) and word not in _OF_OTHERS for word in words) or _OF_DEALINGS.search(sentence):
        return False
    return chance(features(words), weights()) >= (SURER if _MAY_REFER.search(sentence) else SURE)


def words_of(sentence: str) -> list[str]:
    """The words and signs of a sentence, in lower case, with its figures as one sign."""
    return ["#" if word.isdigit() else word.replace("’", "'") for word in _WORD.findall(sentence.lower())]


def features(words: Sequence[str]) -> frozenset[str]:
    """What the model weighs of a sentence: words, pairs, how it begins."""
    pairs = [f"{first} {second}" for first, second in pairwise(["^", *words, "$"])]
    return frozenset(["BIAS", *words, *pairs, f"S {' '.join(words[:3])}"])


@cache
def weights() -> Mapping[str, float]:
    """The weights of this version, read once."""
    rows = (line.split("\t") for line in WEIGHTS.read_text("utf-8").splitlines())
    return {feature: float(weight) for feature, weight in rows}


def chance(of: Iterable[str], weights: Mapping[str, float]) -> float:
    """How likely a sentence with these features is an aside, 0–1; words that nothing was fitted on say nothing."""
    # fsum: the same whatever the order, which in a set of words differs from process to process.
    return (1 + math.tanh(math.fsum(filter(None, map(weights.get, of))) / 2)) / 2
