"""Price books: items with their revisions, imports with the rows that they refused, and the words of the names."""

from peewee import *


def up(migrator, db):
    class Organization(Model):
        class Meta:
            database = db
            table_name = "organization"

    class PriceBook(Model):
        organization = ForeignKeyField(Organization, on_delete="CASCADE")
        livemode = BooleanField()
        version = IntegerField(default=0)

        class Meta:
            database = db
            table_name = "price_book"
            indexes = ((("organization", "livemode"), True),)

    class PriceImport(Model):
        book = ForeignKeyField(PriceBook, on_delete="CASCADE")
        status = CharField(max_length=10)
        filename = TextField()
        format = CharField(max_length=4, default="")
        dry_run = BooleanField()
        skip_refused = BooleanField()
        effective_from = CharField(max_length=10)
        rows_total = IntegerField(default=0)
        rows_read = IntegerField(default=0)
        created = IntegerField(default=0)
        changed = IntegerField(default=0)
        unchanged = IntegerField(default=0)
        refused = IntegerField(default=0)
        columns = TextField(default="{}")
        notes = TextField(default="[]")
        problem = TextField(default="")
        started_by = CharField(max_length=40)
        created_at = BigIntegerField()
        touched_at = BigIntegerField()
        finished_at = BigIntegerField(null=True)
        swept = BooleanField(default=False)

        class Meta:
            database = db
            table_name = "price_import"
            indexes = ((("book", "status"), False),)

    class PriceImportProblem(Model):
        price_import = ForeignKeyField(PriceImport, on_delete="CASCADE")
        row = IntegerField()
        field = CharField(max_length=20)
        reason = CharField(max_length=40)
        message = TextField()

        class Meta:
            database = db
            table_name = "price_import_problem"

    class PriceItem(Model):
        book = ForeignKeyField(PriceBook, on_delete="CASCADE")
        sku = TextField()
        sku_key = TextField()

        class Meta:
            database = db
            table_name = "price_item"
            indexes = ((("book", "sku_key"), True),)

    class PriceRevision(Model):
        book = ForeignKeyField(PriceBook, on_delete="CASCADE")
        item = ForeignKeyField(PriceItem, on_delete="CASCADE", index=False)
        effective_from = CharField(max_length=10)
        retired = BooleanField(default=False)
        name = TextField()
        name_key = TextField()
        description = TextField()
        unit = CharField(max_length=12)
        price = CharField(max_length=32)
        currency = CharField(max_length=3)
        kind = CharField(max_length=12)
        category = TextField()
        supplier = TextField()
        price_import = ForeignKeyField(PriceImport, null=True, on_delete="CASCADE")
        recorded_by = CharField(max_length=40)
        recorded_at = BigIntegerField()

        class Meta:
            database = db
            table_name = "price_revision"
            indexes = ((("item", "effective_from"), False), (("book", "name_key"), False))

    db.create_tables([PriceBook, PriceImport, PriceImportProblem, PriceItem, PriceRevision])
    # Words without positions: queries ask which names have them, never in which order. The prefixes serve misspellings.
    if isinstance(db, PostgresqlDatabase):
        db.execute_sql("create table price_words (rowid bigint primary key, words tsvector not null)")
        db.execute_sql("create index price_words_words on price_words using gin (words) with (fastupdate = off)")
        return
    db.execute_sql(
        "create virtual table price_words using fts5("
        "words, detail=none, columnsize=0, prefix='4', tokenize=\"unicode61 remove_diacritics 0 tokenchars '._'\")"
    )


def down(migrator, db):
    db.execute_sql("drop table price_words")
    migrator.migrate(migrator.drop_table("price_revision"))
    migrator.migrate(migrator.drop_table("price_item"))
    migrator.migrate(migrator.drop_table("price_import_problem"))
    migrator.migrate(migrator.drop_table("price_import"))
    migrator.migrate(migrator.drop_table("price_book"))
