"""What organizations use, by day, and an index that counts their quotes by time."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class UsageCount(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
        day = IntegerField()
        livemode = BooleanField()
        operation = CharField(max_length=80)
        requests = BigIntegerField()
        refused = BigIntegerField()
        failed = BigIntegerField()
        busiest_minute = IntegerField()

        class Meta:
            database = db
            table_name = "usage_count"
            primary_key = CompositeKey("organization", "day", "livemode", "operation")
            indexes = ((("day",), False),)

    class UsageReport(Model):
        id = CharField(max_length=32, primary_key=True)
        at = BigIntegerField()

        class Meta:
            database = db
            table_name = "usage_report"

    db.create_tables([UsageCount, UsageReport])
    migrator.migrate(migrator.add_index("quote", ("organization_id", "livemode", "created_at")))


def down(migrator, db):
    migrator.migrate(
        migrator.drop_index("quote", "quote_organization_id_livemode_created_at"),
        migrator.drop_table("usage_report"),
        migrator.drop_table("usage_count"),
    )
