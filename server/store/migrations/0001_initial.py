"""The first schema."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        name = CharField(max_length=200)
        plan = CharField(max_length=20)
        requests_per_minute = IntegerField(null=True)
        address = TextField(default="")
        pricing = TextField(default="{}")
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "organization"

    db.create_tables([Organization])

    class ApiKey(Model):
        public_id = CharField(primary_key=True, max_length=12)
        secret_hash = BlobField()
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        name = CharField(max_length=100)
        scopes = TextField(default="")
        created_at = BigIntegerField()
        ends_at = BigIntegerField(null=True)
        exposed_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "api_key"

    db.create_tables([ApiKey])

    class AuditRow(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        at = BigIntegerField()
        actor = CharField(max_length=40)
        action = CharField(max_length=40)
        subject = CharField(max_length=80)
        request_id = CharField(max_length=64)
        detail = TextField(default="")
        hash = BlobField()

        class Meta:
            database = db
            table_name = "audit_row"
            indexes = ((("organization", "id"), False),)

    db.create_tables([AuditRow])

    class IdempotencyRecord(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        key = CharField()
        request_hash = BlobField()
        response = BlobField()
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "idempotency_record"
            primary_key = CompositeKey("organization", "livemode", "key")
            indexes = ((("created_at",), False),)

    db.create_tables([IdempotencyRecord])

    class Lead(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        status = CharField(max_length=12)
        city = TextField()
        trade = TextField()
        region = TextField()
        country = CharField(max_length=2)
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
            database = db
            table_name = "lead"
            indexes = ((("organization", "livemode", "city_key", "trade_key", "created_at"), False),)

    db.create_tables([Lead])

    class User(Model):
        email = CharField(unique=True, max_length=254)
        name = CharField(max_length=200, default="")
        password_hash = TextField()
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "user"

    db.create_tables([User])

    class Membership(Model):
        user = ForeignKeyField(User, on_delete="CASCADE")
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        role = CharField(max_length=20)

        class Meta:
            database = db
            table_name = "membership"
            primary_key = CompositeKey("user", "organization")

    db.create_tables([Membership])

    class Quote(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        number = CharField(max_length=20)
        status = CharField(max_length=12)
        currency = CharField(max_length=3)
        subtotal_minor = BigIntegerField()
        tax_minor = BigIntegerField()
        total_minor = BigIntegerField()
        low_minor = BigIntegerField()
        high_minor = BigIntegerField()
        text = TextField()
        industry = TextField()
        location = TextField()
        confidence = CharField(max_length=8)
        notes = TextField()
        valid_until = CharField(max_length=10)
        engine_version = CharField(max_length=64)
        created_by = CharField(max_length=40)
        created_at = BigIntegerField()
        updated_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "quote"
            indexes = ((("organization", "livemode", "number"), True), (("organization", "livemode", "id"), False))

    db.create_tables([Quote])

    class QuoteCounter(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        last = IntegerField()

        class Meta:
            database = db
            table_name = "quote_counter"
            primary_key = CompositeKey("organization", "livemode")

    db.create_tables([QuoteCounter])

    class QuoteItem(Model):
        quote = ForeignKeyField(Quote, on_delete="CASCADE")
        position = IntegerField()
        description = TextField()
        qty = CharField(max_length=32)
        unit = CharField(max_length=12)
        price = CharField(max_length=32)
        amount_minor = BigIntegerField()
        low_minor = BigIntegerField()
        high_minor = BigIntegerField()
        kind = CharField(max_length=12)
        priced = BooleanField()
        optional = BooleanField()
        confidence = CharField(max_length=8)
        labour_hours = CharField(max_length=32)
        review_reasons = TextField()
        span_start = IntegerField(null=True)
        span_end = IntegerField(null=True)
        task_id = CharField(max_length=80)
        source = TextField(null=True)

        class Meta:
            database = db
            table_name = "quote_item"
            primary_key = CompositeKey("quote", "position")

    db.create_tables([QuoteItem])

    class Revocation(Model):
        credential_id = CharField(max_length=12)
        at = BigIntegerField()

        class Meta:
            database = db
            table_name = "revocation"

    db.create_tables([Revocation])

    class Session(Model):
        public_id = CharField(primary_key=True, max_length=12)
        secret_hash = BlobField()
        user = ForeignKeyField(User, on_delete="CASCADE")
        organization = ForeignKeyField(Organization, null=True, on_delete="CASCADE")
        created_at = BigIntegerField()
        last_seen_at = BigIntegerField()
        ended_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "session"

    db.create_tables([Session])


def down(migrator, db):
    migrator.migrate(migrator.drop_table("session"))
    migrator.migrate(migrator.drop_table("revocation"))
    migrator.migrate(migrator.drop_table("quote_item"))
    migrator.migrate(migrator.drop_table("quote_counter"))
    migrator.migrate(migrator.drop_table("quote"))
    migrator.migrate(migrator.drop_table("membership"))
    migrator.migrate(migrator.drop_table("user"))
    migrator.migrate(migrator.drop_table("lead"))
    migrator.migrate(migrator.drop_table("idempotency_record"))
    migrator.migrate(migrator.drop_table("audit_row"))
    migrator.migrate(migrator.drop_table("api_key"))
    migrator.migrate(migrator.drop_table("organization"))
