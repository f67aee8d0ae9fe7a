"""Invitations, refused sign-ins, when a session gave its password and when a key was used."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class Invitation(Model):
        public_id = CharField(unique=True, max_length=12)
        secret_hash = BlobField()
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        email = CharField(max_length=254)
        role = CharField(max_length=20)
        created_by = CharField(max_length=40)
        created_at = BigIntegerField()
        expires_at = BigIntegerField()
        accepted_at = BigIntegerField(null=True)
        revoked_at = BigIntegerField(null=True)

        class Meta:
            database = db
            table_name = "invitation"

    class SignInAttempt(Model):
        email_hash = CharField(max_length=64, primary_key=True)
        failures = IntegerField()
        tried_at = BigIntegerField(index=True)
        waits_until = BigIntegerField()

        class Meta:
            database = db
            table_name = "sign_in_attempt"

    db.create_tables([Invitation, SignInAttempt])
    migrator.migrate(
        migrator.add_column("session", "authenticated_at", BigIntegerField(null=True)),
        migrator.add_column("api_key", "last_used_at", BigIntegerField(null=True)),
    )
    # As SQL: Peewee's default would not be there for what old code inserts.
    db.execute_sql("alter table api_key add column replaced_by varchar(12) not null default ''")


def down(migrator, db):
    migrator.migrate(
        migrator.drop_column("api_key", "replaced_by"),
        migrator.drop_column("api_key", "last_used_at"),
        migrator.drop_column("session", "authenticated_at"),
        migrator.drop_table("sign_in_attempt"),
        migrator.drop_table("invitation"),
    )
