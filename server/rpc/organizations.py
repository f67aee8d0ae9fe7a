"""The caller's organization, remembered for a moment: what it decided about prices takes effect at once in the process
that is told, in others when they hear of it, and where they do not, within `REMEMBERED`."""

from __future__ import annotations

from cachetools import TTLCache

from server import faults
from server.store import accounts
from server.store.accounts import OrganizationRow
from server.store.database import Store
from server.store.signals import Topic

REMEMBERED = 2.0  # seconds


class Organizations:
    """Reads organizations; one look at the store serves the calls of two seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: TTLCache[int, OrganizationRow] = TTLCache(4096, REMEMBERED)
        #: Grows with every change, so that what was read before it is not remembered after it.
        self._changes = 0
        store.on(Topic.ORGANIZATION, self.forget)

    async def find(self, organization_id: int) -> OrganizationRow:
        """The organization. Raises NOT_FOUND where it is gone."""
        row = self._rows.get(organization_id)
        if row is None:
            changes = self._changes
            row = await self._store.read(lambda: accounts.find_organization(organization_id))
            if row is None:
                raise faults.not_found("organization")
            if changes == self._changes:
                self._rows[organization_id] = row
        return row

    def forget(self, organization_id: int) -> None:
        """Read the organization anew for the next call, or with 0 every one."""
        self._changes += 1
        if organization_id:
            self._rows.pop(organization_id, None)
        else:
            self._rows.clear()
