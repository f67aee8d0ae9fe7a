"""The tables. Instants are µs since 1970, UTC; money is in minor units; quantities and prices are decimal text.

The hot path uses fixed SQL over these tables (a model's insert costs eight times as much); the models serve the
command line, the dashboard and the migrations.
"""

from __future__ import annotations

from peewee import (
    AutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    CharField,
    CompositeKey,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)


class Table(Model):
    """What all tables share: names in snake_case."""

    class Meta:
        """Peewee's older default runs the words together."""

        legacy_table_names = False


class Organization(Table):
    """A trades company. ``pricing`` is JSON of `server.domain.settings.PricingSettings`, ``profile`` of
    `server.domain.offer.CompanyProfile`, null where nothing is said."""

    id = AutoField()
    name = CharField(200)
    plan = CharField(20)
    #: Stored for Enterprise; null: the plan's.
    requests_per_minute = IntegerField(null=True)
    address = TextField(default="")
    pricing = TextField(default="{}")
    created_at = BigIntegerField()
    profile = TextField(null=True)


class Logo(Table):
    """An organization's logo, as PDFs carry it: a PNG or JPEG that was written by the service itself."""

    organization = ForeignKeyField(Organization, backref="logo", on_delete="CASCADE", primary_key=True)
    content_type = CharField(20)
    width = IntegerField()
    height = IntegerField()
    data = BlobField()
    updated_at = BigIntegerField()


class QuoteTemplate(Table):
    """A template of quotes. ``content`` is JSON of `server.domain.offer.Template`."""

    id = AutoField()
    public_id = CharField(40, unique=True)
    organization = ForeignKeyField(Organization, backref="templates", on_delete="CASCADE", index=False)
    content = TextField()
    version = IntegerField(default=1)
    created_by = CharField(40)
    created_at = BigIntegerField()
    updated_at = BigIntegerField()

    class Meta:
        """Lists read newest first."""

        indexes = ((("organization", "id"), False),)


class User(Table):
    """Somebody who signs in. ``password_hash`` is argon2id."""

    id = AutoField()
    email = CharField(254, unique=True)
    name = CharField(200, default="")
    password_hash = TextField()
    created_at = BigIntegerField()


class Membership(Table):
    """A user's role in a workspace."""

    user = ForeignKeyField(User, backref="memberships", on_delete="CASCADE", index=False)
    organization = ForeignKeyField(Organization, backref="memberships", on_delete="CASCADE")
    role = CharField(20)

    class Meta:
        """One role a workspace."""

        primary_key = CompositeKey("user", "organization")


class Session(Table):
    """A signed-in user. ``organization`` is the active workspace, null before one is chosen."""

    public_id = CharField(12, primary_key=True)
    secret_hash = BlobField()
    user = ForeignKeyField(User, backref="sessions", on_delete="CASCADE")
    organization = ForeignKeyField(Organization, null=True, on_delete="CASCADE")
    created_at = BigIntegerField()
    last_seen_at = BigIntegerField()
    ended_at = BigIntegerField(null=True)
    #: When the password was last given; null for sessions made without one.
    authenticated_at = BigIntegerField(null=True)
    #: Whose data it sees and makes: live data, or that of test keys.
    livemode = BooleanField(default=True)


class Invitation(Table):
    """Somebody asked into a workspace; ``public_id`` and ``secret_hash`` are those of the link's token."""

    id = AutoField()
    public_id = CharField(12, unique=True)
    secret_hash = BlobField()
    organization = ForeignKeyField(Organization, backref="invitations", on_delete="CASCADE")
    email = CharField(254)
    role = CharField(20)
    created_by = CharField(40)
    created_at = BigIntegerField()
    expires_at = BigIntegerField()
    accepted_at = BigIntegerField(null=True)
    revoked_at = BigIntegerField(null=True)


class SignInAttempt(Table):
    """Sign-ins with one e-mail address that were not (yet) good, whether it is known or not."""

    #: SHA-256, hex: what people type by mistake is not kept.
    email_hash = CharField(64, primary_key=True)
    failures = IntegerField()
    tried_at = BigIntegerField(index=True)
    waits_until = BigIntegerField()


class ApiKey(Table):
    """A key; ``public_id`` finds it. Works until ``ends_at``: expiry, revocation or the end of a rotation's overlap."""

    public_id = CharField(12, primary_key=True)
    secret_hash = BlobField()
    organization = ForeignKeyField(Organization, backref="keys", on_delete="CASCADE")
    livemode = BooleanField()
    name = CharField(100)
    #: Space-separated, sorted.
    scopes = TextField(default="")
    created_at = BigIntegerField()
    ends_at = BigIntegerField(null=True)
    exposed_at = BigIntegerField(null=True)
    #: To the minute.
    last_used_at = BigIntegerField(null=True)
    #: Public id of the key that it was rotated to.
    replaced_by = CharField(12, default="")


class Revocation(Table):
    """A credential that ended or changed; gateways follow the table by id."""

    id = AutoField()
    credential_id = CharField(12)
    at = BigIntegerField()


class QuoteCounter(Table):
    """The last quote number given out. Counted in the quote's own transaction, so numbers have no gaps."""

    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    livemode = BooleanField()
    last = IntegerField()

    class Meta:
        """One counter an organization and mode."""

        primary_key = CompositeKey("organization", "livemode")


class Quote(Table):
    """A quote as its current version says it. ``notes`` is JSON: assumptions, exclusions, questions, review_reasons,
    taxes, answers, by_hand. ``last_line_id`` is the newest `QuoteItem.line_id` of any version. ``offer`` is JSON of
    `server.domain.offer.Offer`, null for quotes stored without."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="quotes", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    number = CharField(20)
    status = CharField(12)
    currency = CharField(3)
    subtotal_minor = BigIntegerField()
    tax_minor = BigIntegerField()
    total_minor = BigIntegerField()
    low_minor = BigIntegerField()
    high_minor = BigIntegerField()
    text = TextField()
    industry = TextField()
    location = TextField()
    confidence = CharField(8)
    notes = TextField()
    valid_until = CharField(10)
    engine_version = CharField(64)
    created_by = CharField(40)
    created_at = BigIntegerField()
    updated_at = BigIntegerField()
    version = IntegerField(default=1)
    last_line_id = IntegerField(default=0)
    #: Whom it was sent to, when, and what the customer made of it.
    customer_id = IntegerField(null=True)
    sent_at = BigIntegerField(null=True)
    decided_by = TextField(null=True)
    decided_at = BigIntegerField(null=True)
    decline_reason = TextField(null=True)
    #: The public id of the document it was drafted from, which may be deleted; empty: from a text.
    document_id = CharField(40, default="")
    #: The margin that was asked for with the document, as decimal text; empty: none.
    margin = CharField(32, default="")
    offer = TextField(null=True)
    #: Whether the quote or one of its lines has a reason to be looked at.
    needs_review = BooleanField(default=False)
    #: The place that was given with the text; empty: none was.
    given_location = TextField(default="")
    #: What it is found by (`server.store.search`).
    search = TextField(default="")

    class Meta:
        """Numbers are unique per organization and mode; lists read newest first. The index of what they are narrowed
        by is in the migration."""

        indexes = (
            (("organization", "livemode", "number"), True),
            (("organization", "livemode", "id"), False),
            # Counted by day.
            (("organization", "livemode", "created_at"), False),
            # The sent ones that have run out are found by this.
            (("status", "valid_until"), False),
        )


class UsageCount(Table):
    """Requests of an organization to an operation (``Service/Method``) on a day (since 1970, UTC), by mode."""

    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    day = IntegerField()
    livemode = BooleanField()
    operation = CharField(80)
    requests = BigIntegerField()
    refused = BigIntegerField()
    failed = BigIntegerField()
    busiest_minute = IntegerField()

    class Meta:
        """Swept by day."""

        primary_key = CompositeKey("organization", "day", "livemode", "operation")
        indexes = ((("day",), False),)


class UsageReport(Table):
    """A report of use that has been counted, by its id, for as long as it may be sent again; and the row ``store``,
    with which `Store.ping` finds out whether the database can be written."""

    id = CharField(32, primary_key=True)
    at = BigIntegerField()


class Document(Table):
    """An uploaded document as it was read; the file itself is not kept. ``content`` is JSON of
    `server.domain.document.Content`, ``notes`` of a list. ``status``: reading, read or refused; ``reason``
    and ``problem`` say why."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="documents", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    public_id = CharField(40, unique=True)
    filename = TextField()
    content_type = TextField()
    size = IntegerField()
    sha256 = CharField(64)
    pages = IntegerField()
    tables = IntegerField()
    rows = IntegerField()
    characters = IntegerField()
    notes = TextField()
    content = BlobField()
    created_by = CharField(40)
    created_at = BigIntegerField()
    status = CharField(8, default="read")
    reason = CharField(40, default="")
    problem = TextField(default="")

    class Meta:
        """Lists read newest first."""

        indexes = ((("organization", "livemode", "id"), False),)


class QuoteItem(Table):
    """A line of a quote. ``source`` is JSON of `server.domain.draft.Source`, null where the line is unpriced;
    ``derivation`` is JSON of `server.domain.pricing.explanation.Derivation`, null for lines stored without."""

    quote = ForeignKeyField(Quote, backref="items", on_delete="CASCADE", index=False)
    position = IntegerField()
    description = TextField()
    qty = CharField(32)
    unit = CharField(12)
    price = CharField(32)
    amount_minor = BigIntegerField()
    low_minor = BigIntegerField()
    high_minor = BigIntegerField()
    kind = CharField(12)
    priced = BooleanField()
    optional = BooleanField()
    confidence = CharField(8)
    labour_hours = CharField(32)
    review_reasons = TextField()
    span_start = IntegerField(null=True)
    span_end = IntegerField(null=True)
    task_id = CharField(80)
    source = TextField(null=True)
    derivation = TextField(null=True)
    line_id = IntegerField(default=0)
    #: JSON: the fields that people entered by hand.
    entered = TextField(default="[]")
    #: JSON of `server.domain.document.DocumentPlace`.
    place = TextField(null=True)
    #: What the charge or the line of a template that it comes from is called; empty where it comes from neither, and in
    #: lines stored before there was the column, whose source tells it.
    rule = TextField(default="")

    class Meta:
        """Read with the quote, in order."""

        primary_key = CompositeKey("quote", "position")


class QuoteVersion(Table):
    """A version of a quote. ``content`` is what it says, as `server.store.quotes` keeps it (JSON, deflated); null for
    the current one, which the rows of quote and items are."""

    quote = ForeignKeyField(Quote, backref="versions", on_delete="CASCADE", index=False)
    version = IntegerField()
    #: drafted, edited or answered.
    change = CharField(12)
    actor = CharField(40)
    note = TextField(default="")
    at = BigIntegerField()
    total_minor = BigIntegerField()
    content = BlobField(null=True)

    class Meta:
        """Read by quote, newest first."""

        primary_key = CompositeKey("quote", "version")


class Workflow(Table):
    """A submission of a quote for approval; at most one of a quote is ``submitted``."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="workflows", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    quote = ForeignKeyField(Quote, backref="workflows", on_delete="CASCADE", index=False)
    status = CharField(12)
    submitted_by = CharField(40)
    decided_by = CharField(40, default="")
    note = TextField(default="")
    created_at = BigIntegerField()
    decided_at = BigIntegerField(null=True)

    class Meta:
        """Lists read newest first; the one under way is found by its quote."""

        indexes = (
            (("organization", "livemode", "id"), False),
            (("quote", "status"), False),
        )


class Fact(Table):
    """A figure behind stored prices, `server.domain.pricing.derivation.Fact` as text. ``key`` is the hash of the text:
    quotes share facts, and none is ever changed."""

    key = CharField(32, primary_key=True)
    text = TextField()


class RegionalFactor(Table):
    """An organization's own wage level of a place (`server.domain.settings.RegionalFactor`)."""

    organization = ForeignKeyField(Organization, backref="regional_factors", on_delete="CASCADE", index=False)
    country = CharField(2)
    place = TextField()
    name = TextField()
    factor = CharField(32)
    source = TextField()
    as_of = CharField(10)
    imported_at = BigIntegerField()

    class Meta:
        """One factor a place."""

        primary_key = CompositeKey("organization", "country", "place")


class Lead(Table):
    """A request for coverage, or what the office typed in. ``city_key`` and ``trade_key`` are folded for finding the
    same request again, ``search`` is all that was told, folded. ``status`` is what was answered of the city and the
    trade, ``stage`` how far the office is with it."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="leads", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    status = CharField(12)
    city = TextField()
    trade = TextField()
    region = TextField()
    country = CharField(2)
    city_key = TextField()
    trade_key = TextField()
    city_known = BooleanField()
    city_suggestion = TextField()
    company = TextField()
    email = TextField()
    phone = TextField()
    notes = TextField()
    created_at = BigIntegerField()
    name = TextField(default="")
    address = TextField(default="")
    stage = CharField(10, default="new")
    created_by = CharField(40, default="")
    search = TextField(default="")
    updated_at = BigIntegerField(default=0)

    class Meta:
        """The same request within a day is found by the first; lists read newest first."""

        indexes = (
            (("organization", "livemode", "city_key", "trade_key", "created_at"), False),
            (("organization", "livemode", "id"), False),
        )


class PriceBook(Table):
    """An organization's own prices in one mode. ``version`` grows with every change that is in force."""

    id = AutoField()
    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    livemode = BooleanField()
    version = IntegerField(default=0)

    class Meta:
        """One book an organization and mode."""

        indexes = ((("organization", "livemode"), True),)


class PriceImport(Table):
    """A reading of a price list. Its revisions are in force once ``status`` is ``applied``, all at once.

    ``touched_at`` is the last sign of life of a running import. ``columns`` is JSON of field → heading, ``notes`` JSON
    of a list.
    """

    id = AutoField()
    book = ForeignKeyField(PriceBook, backref="imports", on_delete="CASCADE", index=False)
    status = CharField(10)
    filename = TextField()
    format = CharField(4, default="")
    dry_run = BooleanField()
    skip_refused = BooleanField()
    effective_from = CharField(10)
    rows_total = IntegerField(default=0)
    rows_read = IntegerField(default=0)
    created = IntegerField(default=0)
    changed = IntegerField(default=0)
    unchanged = IntegerField(default=0)
    refused = IntegerField(default=0)
    columns = TextField(default="{}")
    notes = TextField(default="[]")
    problem = TextField(default="")
    started_by = CharField(40)
    created_at = BigIntegerField()
    touched_at = BigIntegerField()
    finished_at = BigIntegerField(null=True)
    #: Whether what it staged and never applied has been deleted.
    swept = BooleanField(default=False)
    #: JSON of a list of `server.domain.price_book.price_list.FileColumn`.
    file_columns = TextField(default="[]")

    class Meta:
        """The running one of a book is found by this index."""

        indexes = ((("book", "status"), False),)


class PriceImportFile(Table):
    """The file of a book's last import, until it is applied; so that it can be read again with other columns."""

    book = ForeignKeyField(PriceBook, on_delete="CASCADE", primary_key=True)
    price_import = ForeignKeyField(PriceImport, on_delete="CASCADE")
    data = BlobField()
    kept_until = BigIntegerField(index=True)


class PriceImportProblem(Table):
    """A row of a price list that was refused."""

    id = AutoField()
    price_import = ForeignKeyField(PriceImport, backref="problems", on_delete="CASCADE")
    row = IntegerField()
    field = CharField(20)
    reason = CharField(40)
    message = TextField()


class PriceItem(Table):
    """An item of a price book; what it is called and costs is in its revisions. ``sku_key`` is the folded SKU."""

    id = AutoField()
    book = ForeignKeyField(PriceBook, backref="items", on_delete="CASCADE", index=False)
    sku = TextField()
    sku_key = TextField()

    class Meta:
        """One item a SKU."""

        indexes = ((("book", "sku_key"), True),)


class PriceRevision(Table):
    """An item as it is from ``effective_from`` (ISO date) on, until a later revision. Never changed once in force.

    Counts where ``price_import`` is null or an applied import. ``name_key`` holds the stems of the name.
    """

    id = AutoField()
    book = ForeignKeyField(PriceBook, on_delete="CASCADE", index=False)
    item = ForeignKeyField(PriceItem, backref="revisions", on_delete="CASCADE", index=False)
    effective_from = CharField(10)
    retired = BooleanField(default=False)
    name = TextField()
    name_key = TextField()
    description = TextField()
    unit = CharField(12)
    price = CharField(32)
    currency = CharField(3)
    kind = CharField(12)
    category = TextField()
    supplier = TextField()
    price_import = ForeignKeyField(PriceImport, null=True, on_delete="CASCADE")
    recorded_by = CharField(40)
    recorded_at = BigIntegerField()

    class Meta:
        """The one in force on a day, and those of a name."""

        indexes = ((("item", "effective_from"), False), (("book", "name_key"), False))


class IdempotencyRecord(Table):
    """The first answer to a call with an Idempotency-Key, as the bytes of its response message (D32)."""

    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    livemode = BooleanField()
    key = CharField(255)
    request_hash = BlobField()
    response = BlobField()
    created_at = BigIntegerField()

    class Meta:
        """Per organization and mode; swept by age."""

        primary_key = CompositeKey("organization", "livemode", "key")
        indexes = ((("created_at",), False),)


class AuditRow(Table):
    """What was done, by whom. ``hash`` covers the row and the hash before it: a chain per organization."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="audit", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    at = BigIntegerField()
    actor = CharField(40)
    #: ``subject:verb``, e.g. ``quote:create``.
    action = CharField(40)
    subject = CharField(80)
    request_id = CharField(64)
    detail = TextField(default="")
    hash = BlobField()

    class Meta:
        """Read by organization, newest first."""

        indexes = ((("organization", "id"), False),)


class Customer(Table):
    """Somebody whom quotes are for. ``lead_id`` and ``quote_id`` say what it was made from; one that was merged leads
    to the customer that stays."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="customers", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    name = TextField()
    company = TextField()
    email = TextField()
    phone = TextField()
    address = TextField()
    notes = TextField()
    lead_id = IntegerField(null=True, index=True)
    quote_id = IntegerField(null=True)
    merged_into = ForeignKeyField("self", null=True, on_delete="CASCADE", column_name="merged_into")
    created_by = CharField(40)
    created_at = BigIntegerField()
    updated_at = BigIntegerField()
    #: What it is found by (`server.store.search`).
    search = TextField(default="")

    class Meta:
        """Lists read newest first."""

        indexes = ((("organization", "livemode", "id"), False),)


class Event(Table):
    """Something that happened, committed with it: the outbox. ``payload`` is the serialized event message."""

    id = AutoField()
    public_id = CharField(40, unique=True)
    organization = ForeignKeyField(Organization, backref="events", on_delete="CASCADE", index=False)
    livemode = BooleanField()
    type = CharField(40)
    payload = BlobField()
    created_at = BigIntegerField()


class WebhookEndpoint(Table):
    """Where events go. ``status``: unverified, enabled, paused, disabled or deleted; secrets are sealed."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="webhook_endpoints", on_delete="CASCADE")
    livemode = BooleanField()
    url = TextField()
    description = TextField()
    #: Space-separated; empty: all.
    event_types = TextField()
    status = CharField(12)
    disabled_reason = CharField(12, default="")
    secret = BlobField()
    previous_secret = BlobField(null=True)
    previous_secret_ends_at = BigIntegerField(null=True)
    created_at = BigIntegerField()
    verified_at = BigIntegerField(null=True)
    failing_since = BigIntegerField(null=True)


class WebhookDelivery(Table):
    """An event on its way to an endpoint. ``status``: pending, delivered or dead.

    A pending row is due at ``due_at``; whoever tries it takes a ``lease`` and moves ``due_at`` to the lease's end, so
    that a delivery whose worker has died is due again by itself. ``tries`` counts since the last replay.
    """

    id = AutoField()
    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    endpoint = ForeignKeyField(WebhookEndpoint, backref="deliveries", on_delete="CASCADE", index=False)
    event = ForeignKeyField(Event, backref="deliveries", on_delete="CASCADE", index=False)
    status = CharField(12)
    attempts = IntegerField(default=0)
    tries = IntegerField(default=0)
    due_at = BigIntegerField()
    lease = CharField(32, default="")
    created_at = BigIntegerField()
    finished_at = BigIntegerField(null=True)

    class Meta:
        """One delivery an event and endpoint; the partial indexes of the worker are in the migration."""

        indexes = ((("event", "endpoint"), True), (("organization", "id"), False), (("endpoint", "id"), False))


class WebhookAttempt(Table):
    """One try of a delivery. ``error`` is empty where it succeeded; ``answer`` holds the first bytes of the answer."""

    delivery = ForeignKeyField(WebhookDelivery, backref="tried", on_delete="CASCADE", index=False)
    number = IntegerField()
    at = BigIntegerField()
    duration_ms = IntegerField()
    http_status = IntegerField()
    error = CharField(12)
    answer = BlobField()
    next_try_at = BigIntegerField(null=True)

    class Meta:
        """Read with the delivery, in order."""

        primary_key = CompositeKey("delivery", "number")


class QuoteLink(Table):
    """A signed link to a sent quote: one for each address that it was sent to, its number of chance."""

    id = BigIntegerField(primary_key=True)
    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    livemode = BooleanField()
    quote = ForeignKeyField(Quote, backref="links", on_delete="CASCADE")
    email = TextField()
    created_at = BigIntegerField()


class Mail(Table):
    """A rendered e-mail to one address on its way, leased as webhook deliveries are. ``status``: pending, sent, failed
    or withheld (test mode); ``about`` is what it tells of, such as ``quote:7``; ``error`` is of the last try."""

    id = AutoField()
    organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
    livemode = BooleanField()
    message_id = CharField(255, unique=True)
    kind = CharField(20)
    about = CharField(80)
    sender = TextField()
    recipient = TextField()
    content = BlobField()
    status = CharField(10)
    tries = IntegerField(default=0)
    due_at = BigIntegerField()
    lease = CharField(32, default="")
    error = TextField(default="")
    created_at = BigIntegerField()
    finished_at = BigIntegerField(null=True)

    class Meta:
        """Lists read newest first; the partial index of the worker is in the migration."""

        indexes = ((("organization", "id"), False), (("organization", "about"), False))


class Dictionary(Table):
    """What an organization's dictionary is as a whole; no row: empty. ``digest`` names the set of its words: the sum of
    their hashes, so that a word more or less costs one addition."""

    organization = ForeignKeyField(Organization, primary_key=True, on_delete="CASCADE")
    words = IntegerField(default=0)
    digest = BlobField()


class DictionaryWord(Table):
    """A word that proofreading accepts. ``key`` is what texts are compared with
    (`server.domain.proofreading.words.fold`)."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="dictionary_words", on_delete="CASCADE", index=False)
    key = CharField(80)
    word = CharField(80)
    added_by = CharField(40)
    created_at = BigIntegerField()

    class Meta:
        """Looked up by key, listed newest first."""

        indexes = ((("organization", "key"), True), (("organization", "id"), False))


MODELS: tuple[type[Table], ...] = (
    Organization,
    Logo,
    QuoteTemplate,
    User,
    Membership,
    Session,
    Invitation,
    SignInAttempt,
    ApiKey,
    Revocation,
    QuoteCounter,
    Quote,
    UsageCount,
    UsageReport,
    Document,
    QuoteItem,
    QuoteVersion,
    Workflow,
    Fact,
    RegionalFactor,
    Lead,
    PriceBook,
    PriceImport,
    PriceImportFile,
    PriceImportProblem,
    PriceItem,
    PriceRevision,
    IdempotencyRecord,
    AuditRow,
    Customer,
    Dictionary,
    DictionaryWord,
    Event,
    WebhookEndpoint,
    WebhookDelivery,
    WebhookAttempt,
    QuoteLink,
    Mail,
)
