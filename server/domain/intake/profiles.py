"""The forms that text is read into: one table each. What is required, missing or to be asked follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from server.domain.intake.candidate import Kind


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form. ``aliases`` are the labels people write before a value; ``question`` asks for it."""

    name: str
    kind: Kind
    question: str
    required: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A form. Of each group in ``one_of`` one field is enough. ``past``: it tells of what has happened.
    ``by_customer``: it is rather the customer who writes it than a colleague."""

    name: str
    fields: tuple[Field, ...]
    one_of: tuple[tuple[str, ...], ...] = ()
    past: bool = False
    by_customer: bool = True


_PHONE = Field(
    "phone",
    Kind.PHONE,
    "Which phone number reaches them?",
    aliases=(
        "phone",
        "tel",
        "telephone",
        "mobile",
        "cell",
        "mob",
        "number",
        "ph",
        "best phone",
        "contact number",
        "phone number",
        "callback",
        "callback #",
        "callback number",
        "day phone",
        "telephone number",
        "contact no",
        "tel no",
        "mobile no",
        "cel",
        "whatsapp",
    ),
)
_EMAIL = Field(
    "email", Kind.EMAIL, "What is their e-mail address?", aliases=("email", "e-mail", "mail", "email address")
)
_COMPANY = Field(
    "company",
    Kind.COMPANY,
    "Which company is it for?",
    aliases=("company", "business", "organisation", "organization", "firm"),
)
_CUSTOMER = (
    "customer",
    "client",
    "customer name",
    "client name",
    "homeowner",
    "contact",
    "contact name",
    "attn",
    "for",
    "name",
    "cust",
    "who",
    "consumer",
    "insured",
    "requested by",
    "requester",
    "applicant",
    "resident",
)
_SITE = (
    "address",
    "site",
    "site address",
    "location",
    "property",
    "where",
    "job address",
    "service address",
    "site addr",
    "addr",
    "add",
    "property address",
    "job site",
    "jobsite",
    "svc addr",
    "svc address",
    "premises",
    "loc",
    "addy",
    "street address",
)
_WORK = (
    "work",
    "job",
    "description",
    "scope",
    "details",
    "request",
    "message",
    "issue",
    "problem",
    "needs",
    "notes",
    "what",
    "wants",
    "project",
    "project details",
    "job details",
    "work required",
    "work reqd",
    "work needed",
    "work to be done",
    "tell us about your project",
    "comments",
    "enquiry",
    "install",
    "task",
    "works",
    "quote to",
    "scope of work",
    "job description",
    "fault",
    "summary",
    "service requested",
    "project description",
    "msg",
)
_REFERENCE = ("reference", "ref", "our ref", "your ref")

PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "lead",
            (
                Field("name", Kind.PERSON, "Who is asking?", True, ("name", "full name", "caller", *_CUSTOMER)),
                _PHONE,
                _EMAIL,
                _COMPANY,
                Field("address", Kind.ADDRESS, "Where is the work to be done?", aliases=_SITE),
                Field("trade", Kind.TRADE, "Which trade is it for?", aliases=("trade", "service", "category")),
                Field("description", Kind.WORK, "What is to be done?", True, _WORK),
                Field("urgency", Kind.URGENCY, "How urgent is it?", aliases=("urgency", "priority")),
                Field(
                    "preferred_date",
                    Kind.DATE,
                    "When would it suit?",
                    aliases=("date", "when", "preferred date", "availability"),
                ),
                Field("preferred_time", Kind.TIME, "At what time would it suit?", aliases=("time", "preferred time")),
                Field("budget", Kind.MONEY, "What is the budget?", aliases=("budget", "price", "amount")),
            ),
            one_of=(("phone", "email"),),
        ),
        Profile(
            "quote",
            (
                Field("customer_name", Kind.PERSON, "Who is the quote for?", True, _CUSTOMER),
                _COMPANY,
                _EMAIL,
                _PHONE,
                Field("address", Kind.ADDRESS, "Where is the work to be done?", aliases=_SITE),
                Field("description", Kind.WORK, "What is to be quoted?", True, _WORK),
                Field("trade", Kind.TRADE, "Which trade is it for?", aliases=("trade", "service", "category")),
                Field("budget", Kind.MONEY, "What is the budget?", aliases=("budget", "price", "amount")),
                Field(
                    "needed_by",
                    Kind.DATE,
                    "When is it needed?",
                    aliases=(
                        "date",
                        "needed by",
                        "deadline",
                        "due",
                        "start",
                        "required by",
                        "target",
                        "bid due",
                        "return by",
                    ),
                ),
                Field("urgency", Kind.URGENCY, "How urgent is it?", aliases=("urgency", "priority")),
                Field("reference", Kind.REFERENCE, "Which reference does it carry?", aliases=_REFERENCE),
            ),
            by_customer=False,
        ),
        Profile(
            "job",
            (
                Field("description", Kind.WORK, "What is to be done?", True, ("title", "service", *_WORK)),
                Field(
                    "date",
                    Kind.DATE,
                    "On which day?",
                    True,
                    (
                        "date",
                        "day",
                        "when",
                        "scheduled",
                        "scheduled for",
                        "start",
                        "install date",
                        "sched",
                        "start date",
                        "job date",
                    ),
                ),
                Field(
                    "time",
                    Kind.TIME,
                    "At what time?",
                    aliases=("time", "arrival", "arrive", "window", "arrival time", "start time", "slot", "time slot"),
                ),
                Field("address", Kind.ADDRESS, "Where is the job?", True, _SITE),
                Field("customer_name", Kind.PERSON, "Who is the customer?", aliases=_CUSTOMER),
                _COMPANY,
                _PHONE,
                _EMAIL,
                Field("trade", Kind.TRADE, "Which trade is it?", aliases=("trade", "category")),
                Field("urgency", Kind.URGENCY, "How urgent is it?", aliases=("urgency", "priority")),
                Field(
                    "reference",
                    Kind.REFERENCE,
                    "Which quote or order is it for?",
                    aliases=("quote", "order", "po", *_REFERENCE),
                ),
            ),
            by_customer=False,
        ),
        Profile(
            "payment",
            (
                Field(
                    "amount",
                    Kind.MONEY,
                    "How much was paid?",
                    True,
                    ("amount", "paid", "sum", "total", "payment", "deposit"),
                ),
                Field("currency", Kind.CURRENCY, "In which currency?", True, ("currency",)),
                Field(
                    "date", Kind.DATE, "On which day was it paid?", True, ("date", "paid on", "received", "date paid")
                ),
                Field(
                    "reference",
                    Kind.REFERENCE,
                    "Which invoice or quote is it for?",
                    True,
                    ("invoice", "quote", *_REFERENCE),
                ),
                Field(
                    "method", Kind.METHOD, "How was it paid?", aliases=("method", "paid by", "via", "payment method")
                ),
                Field("payer", Kind.PERSON, "Who paid?", aliases=("payer", "from", "paid by", *_CUSTOMER)),
                _COMPANY,
                _EMAIL,
                _PHONE,
            ),
            past=True,
        ),
    )
}
