"""What a language model proposes that a request asks for, taken into a takeoff as the hostile text that it is.

A proposal is words of the request and a restatement of the work in plain words. Both are read here by the same rules
as any request, so a model can neither set a price nor name a quantity that the request does not have. What it leaves
out stays in the draft; what the request excludes stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from server.domain.drafting.quantities import Quantity, find_quantities
from server.domain.takeoff import Answer, Question, Span, Takeoff, TakeoffItem, UnreadableAnswerError

#: Proposals of one request; a model that sends more is not trusted with any.
MOST_PROPOSALS = 200
#: Characters of a restatement.
LONGEST_RESTATEMENT = 300
NOT_PROPOSED = "The language model did not propose this line."
NOT_IN_REQUEST = "The language model named a quantity that the request does not have; it was not used."
#: Between a restatement's own id of a question and the passage that the restatement is of.
_AT = "@"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One piece of work. ``words`` are a passage of the request, ``work`` says it in plain words with its quantity."""

    words: str
    work: str
    optional: bool = False
    materials_by_customer: bool = False


@dataclass(frozen=True, slots=True)
class Proposals:
    """A model's whole answer. ``version`` names the model and how it was asked, by hash.

    ``failure`` is a sentence where there is no answer that can be used; ``items`` is empty then.
    """

    model: str
    version: str
    items: tuple[Proposal, ...] = ()
    failure: str = ""


class Read(Protocol):
    """Reads a restatement as a request of its own, with the answers to its questions."""

    def __call__(self, work: str, /, *, answers: Sequence[Answer]) -> Takeoff:
        """Raises `UnreadableAnswerError`."""


def split_answers(answers: Sequence[Answer]) -> tuple[list[Answer], list[Answer]]:
    """The answers to questions about the request itself, and those to questions about restatements."""
    return [one for one in answers if _AT not in one.question_id], [one for one in answers if _AT in one.question_id]


def with_proposals(
    takeoff: Takeoff, proposals: Proposals, text: str, answers: Sequence[Answer], read: Read
) -> tuple[Takeoff, str]:
    """The takeoff with the proposals put in, and a sentence for the draft that says what became of them.

    Items of ``takeoff`` stand where no proposal that can be used covers their words. ``answers`` are those to
    questions about restatements. Raises `UnreadableAnswerError` for one that decides nothing.
    """
    left = {answer.question_id: answer for answer in answers}
    if proposals.failure:
        _check_all_taken(left)
        return takeoff, f"Drafted without the language model {proposals.model}: {proposals.failure}"
    excluded = [_folded(one) for one in takeoff.exclusions]
    figures = find_quantities(text)
    proposed: list[tuple[TakeoffItem, tuple[Question, ...]]] = []
    taken: list[Span] = []
    for proposal in proposals.items:
        span = _located(proposal.words, text, taken)
        if span is None or any(_folded(proposal.words) in one for one in excluded if one):
            continue
        found = _items(proposal, span, figures, left, read)
        if found:
            taken.append(span)
            proposed += found
    _check_all_taken(left)
    if not proposed:
        return takeoff, f"The language model {proposals.model} proposed nothing that could be used."
    kept = [
        (replace(item, review_reasons=(*item.review_reasons, NOT_PROPOSED)), _questions_of(takeoff, number))
        for number, item in enumerate(takeoff.items)
        if item.span is None or not any(_overlap(item.span, span) for span in taken)
    ]
    lines = sorted(proposed + kept, key=lambda entry: len(text) if entry[0].span is None else entry[0].span.start)
    merged = replace(
        takeoff,
        items=tuple(item for item, _ in lines),
        questions=tuple(
            replace(question, field=re.sub(r"^line_items\[\d+\]", f"line_items[{number}]", question.field))
            for number, (_, questions) in enumerate(lines)
            for question in questions
        ),
        unread=tuple(said for said in takeoff.unread if not _covers(taken, text, said)),
    )
    return merged, f"The language model {proposals.model} proposed {len(proposed)} of {len(lines)} lines."


def _items(
    proposal: Proposal, span: Span, figures: Sequence[Quantity], left: dict[str, Answer], read: Read
) -> list[tuple[TakeoffItem, tuple[Question, ...]]]:
    """The items of one restatement, with the questions of each; none where it asks for no work.

    Takes the answers to its questions out of ``left``.
    """
    mark = f"{_AT}{span.start}-{span.end}"
    own = [left.pop(name) for name in [name for name in left if name.endswith(mark)]]
    answers = [replace(one, question_id=one.question_id.removesuffix(mark)) for one in own]
    try:
        takeoff = read(proposal.work, answers=answers)
    except UnreadableAnswerError as error:
        raise UnreadableAnswerError(error.question_id + mark, error.message) from None
    stated = {(figure.value, figure.unit) for figure in figures} | {(figure.value, "") for figure in figures}
    invented = [
        figure
        for figure in find_quantities(proposal.work)
        if figure.value != 1 and (figure.value, figure.unit) not in stated and (figure.value, "") not in stated
    ]
    entries = []
    for number, item in enumerate(takeoff.items):
        reasons, qty = item.review_reasons, item.qty
        if invented and not own:
            reasons, qty = (*reasons, NOT_IN_REQUEST), None
        one = replace(
            item,
            span=span,
            said=" ".join((proposal.words, *(one.text for one in own))),
            qty=qty,
            optional=item.optional or proposal.optional,
            materials_by_customer=item.materials_by_customer
            or (proposal.materials_by_customer and item.verb != "remove"),
            review_reasons=tuple(dict.fromkeys(reasons)),
        )
        questions = tuple(
            replace(question, span=span, question_id=question.question_id + mark)
            for question in _questions_of(takeoff, number)
        )
        entries.append((one, questions))
    return entries


def _check_all_taken(left: dict[str, Answer]) -> None:
    for name in left:
        raise UnreadableAnswerError(name, "This request has no such question.")


def _questions_of(takeoff: Takeoff, number: int) -> tuple[Question, ...]:
    return tuple(question for question in takeoff.questions if question.field.startswith(f"line_items[{number}]"))


def _located(words: str, text: str, taken: Sequence[Span]) -> Span | None:
    """Where the words stand in the request, whatever their case and white space; a passage that is taken serves no
    second proposal while there is another."""
    parts = words.split()
    if not parts:
        return None
    pattern = re.compile(r"\s+".join(re.escape(part) for part in parts), re.IGNORECASE)
    found = [Span(*match.span()) for match in pattern.finditer(text)]
    return next((span for span in found if span not in taken), found[0] if found else None)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _covers(spans: Iterable[Span], text: str, said: str) -> bool:
    return any(_folded(said) in _folded(text[span.start : span.end]) for span in spans)


def _folded(words: str) -> str:
    return " ".join(words.lower().split()).strip(" .,-:;")
