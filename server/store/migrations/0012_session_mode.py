"""Which of a workspace's data a session is about: live data, or that of test keys."""

from peewee import *


def up(migrator, db):
    migrator.migrate(migrator.add_column("session", "livemode", BooleanField(default=True)))


def down(migrator, db):
    migrator.migrate(migrator.drop_column("session", "livemode"))
