"""What a process of ours takes seconds to load at its start, loaded. `tests.forks` forks from a process that imports this."""

from __future__ import annotations

import gc

import server.app  # noqa: F401
from cli import processes  # noqa: F401
from gateway.reference import public_pages
from gateway.web.customer import CustomerPages
from gateway.web.portal.portal import Portal
from server import engines
from server.proofreading import shared_proofreader

engines.drafter()
engines.price_search()
engines.reader()
shared_proofreader()
public_pages()
CustomerPages()
Portal({}, None).compile_templates()
# Or each fork's first collection would copy it all.
gc.collect()
gc.freeze()
