"""Mail is found by what it tells of: whom a quote was sent to, and what has become of it."""

from peewee import *


def up(migrator, db):
    migrator.migrate(migrator.add_index("mail", ("organization_id", "about")))


def down(migrator, db):
    migrator.migrate(migrator.drop_index("mail", "mail_organization_id_about"))
