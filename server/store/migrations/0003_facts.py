"""Facts of quotes by the hash of their content, the formulas of their lines, and imported regional factors."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Fact(Model):
        key = CharField(primary_key=True, max_length=32)
        text = TextField()

        class Meta:
            database = db
            table_name = "fact"

    db.create_tables([Fact])

    class RegionalFactor(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        country = CharField(max_length=2)
        place = TextField()
        name = TextField()
        factor = CharField(max_length=32)
        source = TextField()
        as_of = CharField(max_length=10)
        imported_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "regional_factor"
            primary_key = CompositeKey("organization", "country", "place")

    db.create_tables([RegionalFactor])
    migrator.migrate(migrator.add_column("quote_item", "derivation", TextField(null=True)))


def down(migrator, db):
    migrator.migrate(migrator.drop_column("quote_item", "derivation"))
    migrator.migrate(migrator.drop_table("regional_factor"))
    migrator.migrate(migrator.drop_table("fact"))
