"""Versions of quotes. A quote of the time before has one: the version that it was drafted as."""

from peewee import *


def up(migrator, db):
    class Quote(Model):
        class Meta:
            database = db
            table_name = "quote"

    class QuoteVersion(Model):
        quote = ForeignKeyField(Quote, on_delete="CASCADE")
        version = IntegerField()
        change = CharField(max_length=12)
        actor = CharField(max_length=40)
        note = TextField(default="")
        at = BigIntegerField()
        total_minor = BigIntegerField()
        content = BlobField(null=True)

        class Meta:
            database = db
            table_name = "quote_version"
            primary_key = CompositeKey("quote", "version")

    db.create_tables([QuoteVersion])
    # As SQL: a default that SQLite knows spares it the copying of the whole table.
    db.execute_sql("alter table quote add column version integer not null default 1")
    db.execute_sql("alter table quote add column last_line_id integer not null default 0")
    db.execute_sql("alter table quote_item add column line_id integer not null default 0")
    db.execute_sql("alter table quote_item add column entered text not null default '[]'")
    db.execute_sql("update quote_item set line_id = position + 1")
    db.execute_sql("update quote set last_line_id = (select count(*) from quote_item where quote_id = quote.id)")
    db.execute_sql(
        "insert into quote_version (quote_id, version, change, actor, note, at, total_minor) "
        "select id, 1, 'drafted', created_by, '', created_at, total_minor from quote"
    )


def down(migrator, db):
    migrator.migrate(
        migrator.drop_column("quote_item", "entered"),
        migrator.drop_column("quote_item", "line_id"),
        migrator.drop_column("quote", "last_line_id"),
        migrator.drop_column("quote", "version"),
        migrator.drop_table("quote_version"),
    )
