"""What companies say of themselves, their logos, their templates, and what quotes keep of them."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Logo(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE", primary_key=True)
        content_type = CharField(max_length=20)
        width = IntegerField()
        height = IntegerField()
        data = BlobField()
        updated_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "logo"

    class QuoteTemplate(Model):
        public_id = CharField(unique=True, max_length=40)
        organization = ForeignKeyField(Organization, on_delete="CASCADE", index=False)
        content = TextField()
        version = IntegerField(default=1)
        created_by = CharField(max_length=40)
        created_at = BigIntegerField()
        updated_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "quote_template"
            indexes = ((("organization", "id"), False),)

    db.create_tables([Logo, QuoteTemplate])
    migrator.migrate(
        migrator.add_column("organization", "profile", TextField(null=True)),
        migrator.add_column("quote", "offer", TextField(null=True)),
    )


def down(migrator, db):
    migrator.migrate(
        migrator.drop_column("quote", "offer"),
        migrator.drop_column("organization", "profile"),
        migrator.drop_table("quote_template"),
        migrator.drop_table("logo"),
    )
