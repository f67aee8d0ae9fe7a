"""Every target takes its seeds, and what a search once found; the search itself is `make fuzz`."""

import random

import pytest

from tests.fuzz.targets import TARGETS

#: Changed copies of each seed: a little of the search, the same with every run.
CHANGED = 3
#: As many seeds as fit into a few seconds.
MOST = 60


def changed(seed, chance):
    """The seed with one stretch cut out, doubled or overwritten."""
    start = chance.randrange(len(seed) + 1)
    end = min(len(seed), start + chance.randrange(1, 9))
    middle = (b"", seed[start:end] * 2, bytes(chance.randrange(256) for _ in range(end - start)))
    return seed[:start] + chance.choice(middle) + seed[end:]


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_their_changed_copies_break_no_promise(name):
    target, chance = TARGETS[name], random.Random(name)
    seeds = list(target.seeds())
    assert seeds
    for seed in seeds[:: -(-len(seeds) // MOST)]:
        target.run(seed)
        # A document takes a tenth of a second.
        for _ in range(CHANGED if name != "document" else 1):
            target.run(changed(seed, chance))
