"""How this process lets Python collect garbage."""

from __future__ import annotations

import gc

#: Objects made since the last collection, and collections of a generation, before the next one's turn.
THRESHOLDS = (50_000, 20, 100)


def settle() -> None:
    """Take what was loaded at start out of every later collection, and collect less often.

    The catalogue, the descriptors and the modules are most of the objects and live as long as the process; a request
    leaves hardly any cycles. Without this, collections cost a tenth of a request that answers with a quote
    (`docs/performance.md`). Call once, when everything is loaded.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
