"""Dictionaries: words that proofreading accepts in an organization."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Dictionary(Model):
        organization = ForeignKeyField(Organization, primary_key=True, on_delete="CASCADE")
        words = IntegerField(default=0)
        digest = BlobField()

        class Meta:
            database = db
            table_name = "dictionary"

    class DictionaryWord(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        key = CharField(max_length=80)
        word = CharField(max_length=80)
        added_by = CharField(max_length=40)
        created_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "dictionary_word"
            indexes = ((("organization", "key"), True), (("organization", "id"), False))

    db.create_tables([Dictionary, DictionaryWord])


def down(migrator, db):
    migrator.migrate(migrator.drop_table("dictionary_word"))
    migrator.migrate(migrator.drop_table("dictionary"))
