"""No index repeats the beginning of another: each is written with every row, and PostgreSQL, before it has counted a new
table, may look up by the shorter one and read all rows of an organization for its last."""

#: Columns by table. Every one of them begins another index or the primary key of its table.
REPEATED = (
    ("audit_row", "organization_id"),
    ("customer", "organization_id"),
    ("dictionary_word", "organization_id"),
    ("document", "organization_id"),
    ("idempotency_record", "organization_id"),
    ("lead", "organization_id"),
    ("membership", "user_id"),
    ("price_book", "organization_id"),
    ("price_import", "book_id"),
    ("price_item", "book_id"),
    ("price_revision", "book_id"),
    ("quote", "organization_id"),
    ("quote_counter", "organization_id"),
    ("quote_item", "quote_id"),
    ("quote_version", "quote_id"),
    ("regional_factor", "organization_id"),
    ("workflow", "organization_id"),
    ("workflow", "quote_id"),
)


def up(migrator, db):
    for table, column in REPEATED:
        db.execute_sql(f"drop index {_name(table, column)}")


def down(migrator, db):
    for table, column in REPEATED:
        db.execute_sql(f"create index {_name(table, column)} on {table} ({column})")


def _name(table, column):
    return f"{table.replace('_', '')}_{column}"
