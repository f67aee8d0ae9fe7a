"""Workflows: submissions of quotes with their decisions."""

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

    class Workflow(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        quote = ForeignKeyField(Quote, on_delete="CASCADE")
        status = CharField(max_length=12)
        submitted_by = CharField(max_length=40)
        decided_by = CharField(max_length=40, default="")
        note = TextField(default="")
        created_at = BigIntegerField()
        decided_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "workflow"
            indexes = (
                (("organization", "livemode", "id"), False),
                (("quote", "status"), False),
            )

    db.create_tables([Workflow])
    migrator.migrate(migrator.add_index("quote", ("status", "valid_until")))


def down(migrator, db):
    migrator.migrate(migrator.drop_index("quote", "quote_status_valid_until"))
    migrator.migrate(migrator.drop_table("workflow"))
