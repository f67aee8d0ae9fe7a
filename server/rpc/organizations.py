"""The caller's organization, remembered for a moment: what it decided about prices takes effect within `REMEMBERED`."""

from __future__ import annotations

from cachetools import TTLCache

from server import faults
from server.store import accounts
from server.store.accounts import OrganizationRow
from server.store.database import Store

REMEMBERED = 2.0  # seconds


class Organizations:
    """Reads organizations; one look at the store serves the calls of two seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: TTLCache[int, OrganizationRow] = TTLCache(4096, REMEMBERED)

    async def find(self, organization_id: int) -> OrganizationRow:
        """The organization. Raises NOT_FOUND where it is gone."""
        row = self._rows.get(organization_id)
        if row is None:
            row = await self._store.read(lambda: accounts.find_organization(organization_id))
            if row is None:
                raise faults.not_found("organization")
            self._rows[organization_id] = row
        return row

    def forget(self, organization_id: int) -> None:
        """Read the organization anew for the next call; other processes do within `REMEMBERED`."""
        self._rows.pop(organization_id, None)
