"""Customers, events with their deliveries, and the endpoints that they go to."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Customer(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        name = TextField()
        company = TextField()
        email = TextField()
        phone = TextField()
        address = TextField()
        notes = TextField()
        lead_id = IntegerField(null=True)
        quote_id = IntegerField(null=True)
        merged_into = ForeignKeyField("self", null=True, on_delete="CASCADE", column_name="merged_into")
        created_by = CharField(max_length=40)
        created_at = BigIntegerField()
        updated_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "customer"
            indexes = ((("organization", "livemode", "id"), False),)

    db.create_tables([Customer])

    class Event(Model):
        public_id = CharField(unique=True, max_length=40)
        organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
        livemode = BooleanField()
        type = CharField(max_length=40)
        payload = BlobField()
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "event"

    db.create_tables([Event])

    class WebhookEndpoint(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        url = TextField()
        description = TextField()
        event_types = TextField()
        status = CharField(max_length=12)
        disabled_reason = CharField(max_length=12, default="")
        secret = BlobField()
        previous_secret = BlobField(null=True)
        previous_secret_ends_at = BigIntegerField(null=True)
        created_at = BigIntegerField()
        verified_at = BigIntegerField(null=True)
        failing_since = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "webhook_endpoint"

    db.create_tables([WebhookEndpoint])

    class WebhookDelivery(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
        endpoint = ForeignKeyField(WebhookEndpoint, on_delete="CASCADE", index=False)
        event = ForeignKeyField(Event, on_delete="CASCADE", index=False)
        status = CharField(max_length=12)
        attempts = IntegerField(default=0)
        tries = IntegerField(default=0)
        due_at = BigIntegerField()
        lease = CharField(max_length=32, default="")
        created_at = BigIntegerField()
        finished_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "webhook_delivery"
            indexes = ((("event", "endpoint"), True), (("organization", "id"), False), (("endpoint", "id"), False))

    db.create_tables([WebhookDelivery])
    # What is looked for every moment is a few rows of a table that holds a month.
    db.execute_sql("create index webhook_delivery_due on webhook_delivery (due_at) where status = 'pending'")
    db.execute_sql(
        "create index webhook_delivery_waiting on webhook_delivery (endpoint_id, due_at) where status = 'pending'"
    )
    db.execute_sql("create index webhook_delivery_leased on webhook_delivery (endpoint_id, due_at) where lease <> ''")

    class WebhookAttempt(Model):
        delivery = ForeignKeyField(WebhookDelivery, on_delete="CASCADE", index=False)
        number = IntegerField()
        at = BigIntegerField()
        duration_ms = IntegerField()
        http_status = IntegerField()
        error = CharField(max_length=12)
        answer = BlobField()
        next_try_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "webhook_attempt"
            primary_key = CompositeKey("delivery", "number")

    db.create_tables([WebhookAttempt])


def down(migrator, db):
    for table in ("webhook_attempt", "webhook_delivery", "webhook_endpoint", "event", "customer"):
        migrator.migrate(migrator.drop_table(table))
