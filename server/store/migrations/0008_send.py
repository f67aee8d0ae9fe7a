"""Quotes sent to customers: whom they are for and what was decided, the links given out, and the outbox of mail."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Quote(Model):
        class Meta:
            database = db
            table_name = "quote"

    migrator.migrate(
        migrator.add_column("quote", "customer_id", IntegerField(null=True)),
        migrator.add_column("quote", "sent_at", BigIntegerField(null=True)),
        migrator.add_column("quote", "decided_by", TextField(null=True)),
        migrator.add_column("quote", "decided_at", BigIntegerField(null=True)),
        migrator.add_column("quote", "decline_reason", TextField(null=True)),
    )

    class QuoteLink(Model):
        id = BigIntegerField(primary_key=True)
        organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
        livemode = BooleanField()
        quote = ForeignKeyField(Quote, on_delete="CASCADE")
        email = TextField()
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "quote_link"

    db.create_tables([QuoteLink])

    class Mail(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
        livemode = BooleanField()
        message_id = CharField(max_length=255, unique=True)
        kind = CharField(max_length=20)
        about = CharField(max_length=80)
        sender = TextField()
        recipient = TextField()
        content = BlobField()
        status = CharField(max_length=10)
        tries = IntegerField(default=0)
        due_at = BigIntegerField()
        lease = CharField(max_length=32, default="")
        error = TextField(default="")
        created_at = BigIntegerField()
        finished_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "mail"
            indexes = ((("organization", "id"), False),)

    db.create_tables([Mail])
    db.execute_sql("create index mail_due on mail (due_at) where status = 'pending'")


def down(migrator, db):
    migrator.migrate(migrator.drop_table("mail"), migrator.drop_table("quote_link"))
    for column in ("decline_reason", "decided_at", "decided_by", "sent_at", "customer_id"):
        migrator.migrate(migrator.drop_column("quote", column))
