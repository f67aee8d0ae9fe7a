"""What the office does with leads; the file of a price book's last import, and the columns that it has."""

from peewee import *

from server.domain.words import fold


def up(migrator, db):
    class PriceBook(Model):
        class Meta:
            database = db
            table_name = "price_book"

    class PriceImport(Model):
        class Meta:
            database = db
            table_name = "price_import"

    class PriceImportFile(Model):
        book = ForeignKeyField(PriceBook, on_delete="CASCADE", primary_key=True)
        price_import = ForeignKeyField(PriceImport, on_delete="CASCADE")
        data = BlobField()
        kept_until = BigIntegerField(index=True)

        class Meta:
            database = db
            table_name = "price_import_file"

    class Lead(Model):
        city = TextField()
        trade = TextField()
        region = TextField()
        company = TextField()
        email = TextField()
        phone = TextField()
        notes = TextField()
        created_at = BigIntegerField()
        search = TextField()
        updated_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "lead"

    db.create_tables([PriceImportFile])
    # As SQL: Peewee's default would not be there for what old code inserts.
    db.execute_sql("alter table price_import add column file_columns text not null default '[]'")
    db.execute_sql("alter table lead add column name text not null default ''")
    db.execute_sql("alter table lead add column address text not null default ''")
    db.execute_sql("alter table lead add column stage varchar(10) not null default 'new'")
    db.execute_sql("alter table lead add column created_by varchar(40) not null default ''")
    db.execute_sql("alter table lead add column search text not null default ''")
    db.execute_sql("alter table lead add column updated_at bigint not null default 0")
    migrator.migrate(
        migrator.add_index("lead", ("organization_id", "livemode", "id")),
        migrator.add_index("customer", ("lead_id",)),
    )
    words = (Lead.company, Lead.email, Lead.phone, Lead.city, Lead.region, Lead.trade, Lead.notes)
    for number, created_at, *told in list(Lead.select(Lead.id, Lead.created_at, *words).tuples()):
        changes = {Lead.search: fold("\n".join(told)), Lead.updated_at: created_at}
        Lead.update(changes).where(Lead.id == number).execute()


def down(migrator, db):
    migrator.migrate(
        migrator.drop_index("customer", "customer_lead_id"),
        migrator.drop_index("lead", "lead_organization_id_livemode_id"),
        migrator.drop_column("lead", "updated_at"),
        migrator.drop_column("lead", "search"),
        migrator.drop_column("lead", "created_by"),
        migrator.drop_column("lead", "stage"),
        migrator.drop_column("lead", "address"),
        migrator.drop_column("lead", "name"),
        migrator.drop_column("price_import", "file_columns"),
        migrator.drop_table("price_import_file"),
    )
