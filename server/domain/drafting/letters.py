"""Letters: what a text is as a whole, where that asks this company for no work whatever its sentences name."""

from __future__ import annotations

import re

#: Notices to residents, reviews, applications for a job, newsletters, and papers of a permit that change no work.
_NO_REQUEST = re.compile(
    r"\A\W*(?:dear|attention|attn|notice to|to)[ :]+(?:all )?(?:residents?|tenants?|neighbou?rs?|members|parents"
    r"|homeowners|occupiers?|leaseholders?|unit owners)(?=[,:;!\n]| (?:of|at) )"
    r"|\A\W*(?:one|two|three|four|five|[1-5])(?:/5| ?-? ?stars?)\b"
    r"|\bare you (?:guys |currently |still )?hiring\b|\b(?:resume|résumé|cv) (?:is )?(?:attached|enclosed|available)\b"
    r"|\b(?:attached|enclosed) (?:is |please find )?my (?:resume|résumé|cv)\b|\b(?:apply|applying) for (?:the|a|your) "
    r"(?:\w+ ){0,3}(?:job|position|role|vacancy)\b|\blooking for (?:full|part)[- ]time\b"
    r"|\blooking for (?:summer|seasonal|steady|regular|casual) work\b|\bseeking (?:a position|employment)\b"
    r"|\bin this (?:month['’]s )?(?:issue|newsletter)\b|\byou (?:get|receive|are receiving) this"
    r" (?:e?-?mail|newsletter) because\b|\breply yes for\b"
    r"|\brecord[- ]only permit\b|\bpermit for (?:the )?record only\b|\A\W*record only\b|\bno new work (?:under|is|in)\b"
    r"|\bno bids (?:are )?solicited\b|\bno further action (?:is )?required\b|\bpermission is sought by\b"
    r"|\bno works? (?:is|are) to be (?:put in hand|carried out|started|done) on the basis\b"
    r"|\bno need to send (?:any|some)(?:body|one)\b|\bdisregard my (?:earlier|previous|last)\b"
    r"|\bstatus: closed\b|\bin this month['’]s (?:column|article)\b",
    re.IGNORECASE,
)
#: Asks for a price all the same: "Dear neighbours … could you quote".
_REQUEST = re.compile(
    r"\b(?:can|could|would|please|pls) (?:you )?(?:please )?(?:quote|price|estimate|give me a (?:price|quote))\b"
    r"|\b(?:need|want|like|after|for) (?:a |an |your )?(?:price|quote|estimate|bid)\b",
    re.IGNORECASE,
)
#: Characters that tell what a text is.
_TELLING = 5000


def asks_for_no_work(text: str) -> bool:
    """Whether the text is something that nobody sends to have work done."""
    said = text[:_TELLING]
    return _NO_REQUEST.search(said) is not None and _REQUEST.search(said) is None
