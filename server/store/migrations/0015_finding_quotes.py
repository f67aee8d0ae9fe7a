"""What lists of quotes and customers are narrowed by, the place that a quote was asked for, and documents that are still
being read."""

import unicodedata

#: Rows that are held at once.
_AT_ONCE = 1000


def up(migrator, db):
    # As SQL: a default that SQLite knows spares it the copying of the whole table.
    db.execute_sql("alter table quote add column needs_review boolean not null default false")
    db.execute_sql("alter table quote add column given_location text not null default ''")
    db.execute_sql("alter table quote add column search text not null default ''")
    db.execute_sql("alter table customer add column search text not null default ''")
    db.execute_sql("alter table document add column status varchar(8) not null default 'read'")
    db.execute_sql("alter table document add column reason varchar(40) not null default ''")
    db.execute_sql("alter table document add column problem text not null default ''")
    db.execute_sql(
        "update quote set needs_review = true where notes not like '%%\"review_reasons\":[]%%' or exists "
        "(select 1 from quote_item where quote_id = quote.id and review_reasons <> '[]')".replace(
            "%%", "%" if db.param == "?" else "%%"
        )
    )
    _fill(db, "quote", "number, location, industry, substr(text, 1, 2000)")
    _fill(db, "customer", "name, company, email, phone, address")
    # All that lists are narrowed by but words, and what is counted by it, so that the rows are not read for it.
    db.execute_sql(
        "create index quote_listed on quote "
        "(organization_id, livemode, status, id, needs_review, created_at, customer_id)"
    )


def down(migrator, db):
    db.execute_sql("drop index quote_listed")
    migrator.migrate(
        migrator.drop_column("document", "problem"),
        migrator.drop_column("document", "reason"),
        migrator.drop_column("document", "status"),
        migrator.drop_column("customer", "search"),
        migrator.drop_column("quote", "search"),
        migrator.drop_column("quote", "given_location"),
        migrator.drop_column("quote", "needs_review"),
    )


def _fill(db, table, columns):
    last, sign = 0, db.param
    while True:
        rows = db.execute_sql(
            f"select id, {columns} from {table} where id > {sign} order by id limit {_AT_ONCE}", (last,)
        ).fetchall()
        if not rows:
            return
        for row in rows:
            db.execute_sql(f"update {table} set search = {sign} where id = {sign}", (_folded(row[1:]), row[0]))
        last = rows[-1][0]


def _folded(texts):
    """As `server.store.search.searched` did when this was written."""
    plain = unicodedata.normalize("NFKD", " ".join(texts))
    return " ".join("".join(one for one in plain if not unicodedata.combining(one)).casefold().split())
