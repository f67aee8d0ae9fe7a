"""Promises of leads that an older version has kept."""

from playhouse.migrations import Runner

from server import administration
from server.store import leads
from server.store.database import MIGRATIONS, Store
from server.store.engines import engine_of


def test_leads_of_the_time_before_the_inbox_are_new_and_found_by_their_words(new_database):
    where = new_database()
    old = Store(where)
    organization = administration.create_organization(old, "Test", "Starter")
    told = leads.NewLead("received", "Málaga", "roofing", "", "ES", "malaga", "roofing", False, "", "", "", "", "", 100)
    kept = old.write_now(lambda: leads.create(organization, True, told))
    old.close()
    engine = engine_of(where)
    with engine.migrating():
        runner = Runner(engine.database, str(MIGRATIONS))
        runner.down("0014_office")
        runner.up()
    store = Store(where)
    try:
        total, (found,) = store.read_now(
            lambda: leads.list_page(organization, True, query="malaga ROOF", stage="new", limit=10, offset=0)
        )
    finally:
        store.close()
    assert (total, found.lead_id, found.updated_at) == (1, kept.lead_id, 100)
