"""Letters: what a text is as a whole, where that asks this company for no work whatever its sentences name."""

from __future__ import annotations

import re

#: Notices to residents, reviews, applications for a job, newsletters, and papers of a permit that change no work.
_NO_REQUEST = re.compile(
    r"\A\W*(?:dear|attention|attn|notice to|to)[ :]+(?:all )?(?:residents?|tenants?|neighbou?rs?|members|parents"
    r"|homeowners|occupiers?|leaseholders?|unit owners)(?=[,:;!\n]| (?:of|at) )"
    r"|\A\W*(?:one|two|three|four|five|[1-5])(?:/5| ?-? ?stars?)\b"
    # One boundary before all of them: where no word begins, none is tried.
    r"|\b(?:are you (?:guys |currently |still )?hiring\b|(?:resume|résumé|cv) (?:is )?(?:attached|enclosed|available)\b"
    r"|(?:attached|enclosed) (?:is |please find )?my (?:resume|résumé|cv)\b|(?:apply|applying) for (?:the|a|your) "
    r"(?:\w+ ){0,3}(?:job|position|role|vacancy)\b|looking for (?:full|part)[- ]time\b"
    r"|looking for (?:summer|seasonal|steady|regular|casual) work\b|seeking (?:a position|employment)\b"
    r"|in this (?:month['’]s )?(?:issue|newsletter)\b|you (?:get|receive|are receiving) this"
    r" (?:e?-?mail|newsletter) because\b|reply yes for\b"
    r"|record[- ]only permit\b|permit for (?:the )?record only\b|no new work (?:under|is|in)\b"
    r"|no bids (?:are )?solicited\b|no further action (?:is )?required\b|permission is sought by\b"
    r"|no works? (?:is|are) to be (?:put in hand|carried out|started|done) on the basis\b"
    r"|no need to send (?:any|some)(?:body|one)\b|disregard my (?:earlier|previous|last)\b"
    r"|nothing (?:here )?(?:for you )?to (?:quote|price|bid)\b|note to self\b|for sale by owner\b"
    r"|reply stop to\b|status: closed\b|in this month['’]s (?:column|article)\b)"
    r"|\A\W*record only\b"
)
#: Asks for a price all the same: "Dear neighbours … could you quote".
_REQUEST = re.compile(
    r"\b(?:can|could|would|please|pls) (?:you )?(?:please )?(?:quote|price|estimate|give me a (?:price|quote))\b"
    r"|\b(?:need|want|like|after|for) (?:a |an |your )?(?:price|quote|estimate|bid)\b",
)
#: Characters that tell what a text is.
_TELLING = 5000


def asks_for_no_work(text: str) -> bool:
    """Whether the text is something that nobody sends to have work done."""
    # In lower case, because a pattern that folds case itself takes twice as long.
    said = text[:_TELLING].lower()
    return _NO_REQUEST.search(said) is not None and _REQUEST.search(said) is None
