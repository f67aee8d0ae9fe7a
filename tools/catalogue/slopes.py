"""What the rows of many works tell together, beside what each work costs: `fitted`, for `ageing` and `tiers`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
#: Beyond this, as a logarithm, a row counts in proportion to what it is off and no longer to its square.
_ODD = 0.5
_ROUNDS = 50


def fitted(works: Iterable[tuple[Numbers, Numbers]]) -> list[float]:
    """By how much the logarithm of a price goes with each column: least squares on the ``(columns, logarithms)`` of
    each work, of which only what its rows differ by is looked at. An odd row counts less the further it is off (Huber
    1964). Raises ``ValueError`` without any work."""
    apart = [(columns - columns.mean(axis=0), logs - logs.mean()) for columns, logs in works]
    columns, logs = np.vstack([one for one, _ in apart]), np.concatenate([one for _, one in apart])
    weights = np.ones(len(logs))
    for _ in range(_ROUNDS):
        root = np.sqrt(weights)
        found, *_rest = np.linalg.lstsq(columns * root[:, None], logs * root, rcond=None)
        off = np.abs(logs - columns @ found)
        weights = np.minimum(1, _ODD / np.maximum(off, 1e-9))
    return [float(one) for one in found]
