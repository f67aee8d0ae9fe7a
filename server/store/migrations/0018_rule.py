"""Which charge or line of a template a line of a quote comes from. Of lines stored before, their source tells it."""

def up(migrator, db):
    # As SQL: a default that SQLite knows spares it the copying of the whole table, and is there for what old code inserts.
    db.execute_sql("alter table quote_item add column rule text not null default ''")


def down(migrator, db):
    migrator.migrate(migrator.drop_column("quote_item", "rule"))
