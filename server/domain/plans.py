"""Plans and their allowances (specification section 8, D22)."""

from __future__ import annotations

#: Requests per minute, per organization and mode. Enterprise is stored per organization; this is its default.
REQUESTS_PER_MINUTE = {"Starter": 100, "Pro": 500, "Enterprise": 2000}

SCOPES = ("documents:write", "leads:write", "price_book:write", "quotes:read", "quotes:write", "sourcing:read")
#: Each may do what those before it may.
ROLES = ("viewer", "editor", "owner")
