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
    """A trades company. ``pricing`` is JSON of `server.domain.settings.PricingSettings`."""

    id = AutoField()
    name = CharField(200)
    plan = CharField(20)
    #: Stored for Enterprise; null: the plan's.
    requests_per_minute = IntegerField(null=True)
    address = TextField(default="")
    pricing = TextField(default="{}")
    created_at = BigIntegerField()


class User(Table):
    """Somebody who signs in. ``password_hash`` is argon2id."""

    id = AutoField()
    email = CharField(254, unique=True)
    name = CharField(200, default="")
    password_hash = TextField()
    created_at = BigIntegerField()


class Membership(Table):
    """A user's role in a workspace."""

    user = ForeignKeyField(User, backref="memberships", on_delete="CASCADE")
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


class Revocation(Table):
    """A credential that ended or changed; gateways follow the table by id."""

    id = AutoField()
    credential_id = CharField(12)
    at = BigIntegerField()


class QuoteCounter(Table):
    """The last quote number given out. Counted in the quote's own transaction, so numbers have no gaps."""

    organization = ForeignKeyField(Organization, on_delete="CASCADE")
    livemode = BooleanField()
    last = IntegerField()

    class Meta:
        """One counter an organization and mode."""

        primary_key = CompositeKey("organization", "livemode")


class Quote(Table):
    """A quote. ``notes`` is JSON: assumptions, exclusions, questions, review_reasons."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="quotes", on_delete="CASCADE")
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

    class Meta:
        """Numbers are unique per organization and mode; lists read newest first."""

        indexes = (
            (("organization", "livemode", "number"), True),
            (("organization", "livemode", "id"), False),
            # The sent ones that have run out are found by this.
            (("status", "valid_until"), False),
        )


class QuoteItem(Table):
    """A line of a quote. ``source`` is JSON of `server.domain.draft.Source`, null where the line is unpriced;
    ``derivation`` is JSON of `server.domain.pricing.explanation.Derivation`, null for lines stored without."""

    quote = ForeignKeyField(Quote, backref="items", on_delete="CASCADE")
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

    class Meta:
        """Read with the quote, in order."""

        primary_key = CompositeKey("quote", "position")


class Workflow(Table):
    """A submission of a quote for approval; at most one of a quote is ``submitted``."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="workflows", on_delete="CASCADE")
    livemode = BooleanField()
    quote = ForeignKeyField(Quote, backref="workflows", on_delete="CASCADE")
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

    organization = ForeignKeyField(Organization, backref="regional_factors", on_delete="CASCADE")
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
    """A request for coverage. ``city_key`` and ``trade_key`` are folded for finding the same request again."""

    id = AutoField()
    organization = ForeignKeyField(Organization, backref="leads", on_delete="CASCADE")
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

    class Meta:
        """The same request within a day is found by this index."""

        indexes = ((("organization", "livemode", "city_key", "trade_key", "created_at"), False),)


class IdempotencyRecord(Table):
    """The first answer to a call with an Idempotency-Key, as the bytes of its response message (D32)."""

    organization = ForeignKeyField(Organization, on_delete="CASCADE")
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
    organization = ForeignKeyField(Organization, backref="audit", on_delete="CASCADE")
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


MODELS: tuple[type[Table], ...] = (
    Organization,
    User,
    Membership,
    Session,
    ApiKey,
    Revocation,
    QuoteCounter,
    Quote,
    QuoteItem,
    Workflow,
    Fact,
    RegionalFactor,
    Lead,
    IdempotencyRecord,
    AuditRow,
)
