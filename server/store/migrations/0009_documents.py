"""Documents as they were read, and the quotes drafted from them."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Document(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        public_id = CharField(unique=True, max_length=40)
        filename = TextField()
        content_type = TextField()
        size = IntegerField()
        sha256 = CharField(max_length=64)
        pages = IntegerField()
        tables = IntegerField()
        rows = IntegerField()
        characters = IntegerField()
        notes = TextField()
        content = BlobField()
        created_by = CharField(max_length=40)
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "document"
            indexes = ((("organization", "livemode", "id"), False),)

    db.create_tables([Document])
    # As SQL: Peewee's default would not be there for what old code inserts.
    db.execute_sql("alter table quote add column document_id varchar(40) not null default ''")
    db.execute_sql("alter table quote add column margin varchar(32) not null default ''")
    migrator.migrate(migrator.add_column("quote_item", "place", TextField(null=True)))


def down(migrator, db):
    migrator.migrate(
        migrator.drop_column("quote_item", "place"),
        migrator.drop_column("quote", "margin"),
        migrator.drop_column("quote", "document_id"),
        migrator.drop_table("document"),
    )
