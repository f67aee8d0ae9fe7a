"""Which of a workspace's data a session is about: live data, or that of test keys."""

def up(migrator, db):
    # As SQL: Peewee's default would not be there for what old code inserts.
    db.execute_sql("alter table session add column livemode boolean not null default true")


def down(migrator, db):
    migrator.migrate(migrator.drop_column("session", "livemode"))
