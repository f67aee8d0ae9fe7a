"""The catalogue's shape: tasks, and the facts from which a price is built. Loading it is `server.data`'s business.

Every fact carries the dataset and the row that it came from; a task without a fact has no price.
Hours are person-hours per unit of the task, wages are per person-hour, all figures are `Decimal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Dataset:
    """A source of facts as the attribution file lists it. ``as_of`` is an ISO date, month or year."""

    dataset_id: str
    title: str
    publisher: str
    licence: str
    as_of: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class LabourNorm:
    """Person-hours of one occupation (BLS SOC code without the dash, e.g. ``472141`` painters) per unit of the task."""

    occupation: str
    occupation_name: str
    hours_per_unit: Decimal
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class MaterialNorm:
    """A material per unit of the task: ``qty_per_unit`` in ``unit``, at ``unit_cost`` in ``currency`` as of ``as_of``.

    ``waste`` is a fraction added to the quantity (0.10 = 10 %).
    """

    name: str
    qty_per_unit: Decimal
    unit: str
    unit_cost: Decimal
    currency: str
    as_of: str
    dataset_id: str
    row: str
    waste: Decimal = Decimal(0)
    #: Type of cost, which decides the markup: ``material``, ``equipment``, ``disposal`` or ``other`` (the rest of a
    #: norm's list price that it does not itemise).
    cost: str = "material"


@dataclass(frozen=True, slots=True)
class Pack:
    """A material that a country sells in whole packs only: ``size`` in ``unit``, with the source that states it."""

    material: str
    size: Decimal
    unit: str
    name: str
    country: str
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class ObservedPrice:
    """Quantiles of what was really paid or declared for one unit, at one place."""

    item: str
    unit: str
    currency: str
    n: int
    p25: Decimal
    median: Decimal
    p75: Decimal
    #: Wage area of the observations, e.g. ``0016980`` (Chicago); its labour factor is taken out before another is put
    #: in.
    area_code: str
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class PublishedClaim:
    """A range that one or more publishers state for one unit. ``publishers`` are distinct names; one alone is low
    confidence."""

    item: str
    unit: str
    currency: str
    low: Decimal
    mid: Decimal
    high: Decimal
    country: str
    as_of: str
    publishers: tuple[str, ...]
    rows: tuple[str, ...]
    dataset_id: str
    includes_materials: bool = True
    #: Every row states a service, in which no material is to speak of.
    service: bool = False
    #: Rows about the same work that were dropped as implausible beside the other sources.
    dropped: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether it is one publisher's word alone."""
        return len(self.publishers) == 1


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of work that can be quoted, e.g. *Half-round aluminium gutter, remove and replace*.

    ``verbs`` are the actions under which the task is meant (install, replace, remove, repair, paint, clean, service …);
    ``names`` are the nouns and phrases that ask for it, in US and UK words, lower case, singular.
    ``unit`` is the unit the facts are stated in; a request in another unit of the same dimension is converted.
    """

    task_id: str
    trade: str
    name: str
    verbs: tuple[str, ...]
    names: tuple[str, ...]
    unit: str
    labour: tuple[LabourNorm, ...] = ()
    materials: tuple[MaterialNorm, ...] = ()
    observed: tuple[ObservedPrice, ...] = ()
    claims: tuple[PublishedClaim, ...] = ()
    #: True where the unit price grows with height (gutters, roofs, façades): a storey above the first adds access.
    outdoor_height: bool = False
    #: True for the task that an unqualified request for its nouns means ("a new fence" → wood fence), at most one a
    #: noun and verb.
    default: bool = False
    #: Coats that one unit price covers; 1 where work is not priced by coats.
    coats_covered: int = 1
    #: True where the task is labour by nature (an hour of a trade, fitting what the customer bought): a labour charge
    #: prices it.
    labour_only: bool = False
    #: Permit, disposal or other tasks that usually come with this one; named in the draft as assumptions, never
    #: charged silently.
    companions: tuple[str, ...] = ()
    #: Occupations (SOC codes without the dash) whose hour this task is: what publishers state for it is what an hour of
    #: them is charged out at.
    hour_of: tuple[str, ...] = ()
    #: Trades whose work the whole of this is made of: a request that tells several of them asks for these instead.
    parts: tuple[str, ...] = ()
    #: Tasks whose work the published or observed price of this one has in it: taking the old one off.
    includes: tuple[str, ...] = ()
    #: The task of fitting alone what the customer supplies; empty where the catalogue has none for this one.
    fitted: str = ""
    #: The task whose work this one is a form of, in another unit or of one kind ("Hole in drywall, repair" of the patch
    #: by area, "GFCI outlet, install" of the outlet); empty where it is a work of its own.
    of: str = ""
    #: What such a form counts, in the words of requests: hole, dent.
    pieces: tuple[str, ...] = ()
    #: How much of it there is at most in one place, in its unit, and the task that more is: a patch as large as a sheet
    #: is a sheet. 0 and empty where the work is the same however much there is.
    most: Decimal = Decimal(0)
    beyond: str = ""

    @property
    def is_built(self) -> bool:
        """Whether it puts up what stands on its own: a garage, a shed, a deck."""
        return self.verbs[:1] == ("build",)

    @property
    def work(self) -> str:
        """The id of the task that names the work, in whatever form."""
        return self.of or self.task_id


@dataclass(frozen=True, slots=True)
class WageArea:
    """A labour-market area. ``kind`` is ``N`` nation, ``S`` state, ``M`` metropolitan or ``O`` other
    (nonmetropolitan)."""

    area_code: str
    name: str
    kind: str
    state: str
    #: Median over trades of the area's wage by the national one; applies to the labour share only. None where not
    #: measured.
    labour_factor: Decimal | None


@dataclass(frozen=True, slots=True)
class Wage:
    """Hourly wage quantiles of one occupation in one area, before burden."""

    area_code: str
    occupation: str
    p25: Decimal
    p50: Decimal
    p75: Decimal
    currency: str
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place found in free text. ``wage_area`` is the code of its labour-market area, empty outside measured
    countries."""

    name: str
    admin: str
    country: str
    population: int
    wage_area: str
    latitude: float = 0.0
    longitude: float = 0.0
    #: How the wage area was chosen: ``principal`` (the area is named after the place), ``near`` (nearest principal city
    #: of the state within the stated distance), ``state``, or empty outside measured countries.
    wage_basis: str = ""
    #: The ZIP code, postcode district or area by which the place was found; empty where none was.
    postcode: str = ""


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """Units of ``target`` that one ``source`` bought on ``as_of``; used openly or not at all."""

    source: str
    target: str
    rate: Decimal
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class Product:
    """A material or product that can be bought, with the one stated price or the range that publishers give for it."""

    product_id: str
    name: str
    names: tuple[str, ...]
    category: str
    unit: str
    price: Decimal
    low: Decimal
    high: Decimal
    currency: str
    country: str
    as_of: str
    publishers: tuple[str, ...]
    rows: tuple[str, ...]
    dataset_id: str


@dataclass(frozen=True, slots=True)
class LabourBurden:
    """Employer's cost on top of the wage as a fraction of the wage, e.g. 0.43, with the figures that it comes from."""

    rate: Decimal
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class NormCalibration:
    """What brings norms to the level of published prices: labour × ``labour_times``, and ``setup_hours`` once for work
    that is priced by the piece. ``low`` and ``high`` are the quartiles of published by reckoned over the ``works``."""

    labour_times: Decimal
    setup_hours: Decimal
    low: Decimal
    high: Decimal
    works: int
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class LabourOfTrade:
    """How much of an installed price is labour: ``share``, the median of the ``works`` of a trade (of all trades where
    ``trade`` is empty) for which publishers state both, with their quartiles."""

    trade: str
    share: Decimal
    low: Decimal
    high: Decimal
    works: int
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class AmountScale:
    """How the price of a unit of area goes with the amount of work: × (amount / ordinary amount) ^ ``exponent``, which
    lies between -1 and 0, so that more work costs less a unit and never less in all."""

    exponent: Decimal
    publishers: int
    as_of: str
    dataset_id: str
    row: str


@dataclass(frozen=True, slots=True)
class OrdinaryAmount:
    """How much of a work publishers' unit prices are for: what they say that an ordinary job of a country has."""

    task_id: str
    country: str
    amount: Decimal
    unit: str
    publishers: tuple[str, ...]
    rows: tuple[str, ...]
    as_of: str
    dataset_id: str


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything embedded that prices are built from. ``version`` is a hash of the data files."""

    version: str
    datasets: Mapping[str, Dataset]
    tasks: Mapping[str, Task]
    areas: Mapping[str, WageArea]
    wages: Mapping[tuple[str, str], Wage] = field(repr=False)
    exchange_rates: Mapping[tuple[str, str], ExchangeRate] = field(default_factory=dict)
    products: Mapping[str, Product] = field(default_factory=dict)
    #: The sourced default burden; None where none is stored, then wages count without burden and the price says so.
    labour_burden: LabourBurden | None = None
    #: None where norms count as they are.
    norm_calibration: NormCalibration | None = None
    #: By trade, that of all trades by the empty name.
    labour_shares: Mapping[str, LabourOfTrade] = field(default_factory=dict)
    #: None where a unit costs the same in any amount.
    amount_scale: AmountScale | None = None
    #: By task and country.
    ordinary_amounts: Mapping[tuple[str, str], OrdinaryAmount] = field(default_factory=dict, repr=False)
    #: By material and country.
    packs: Mapping[tuple[str, str], Pack] = field(default_factory=dict)
    #: What customers are charged for an hour, by occupation and country, where two publishers or more state it.
    charge_out_rates: Mapping[tuple[str, str], PublishedClaim] = field(default_factory=dict, repr=False)
    #: Words of everyday English, lower case, which are no slips of a trade's words.
    everyday_words: frozenset[str] = field(default=frozenset(), repr=False)

    def fitted_only(self, task: Task) -> Task | None:
        """The task of fitting alone what the customer supplies, where the catalogue has one for ``task``."""
        return self.tasks.get(task.fitted)


def charge_out_rates(tasks: Iterable[Task]) -> dict[tuple[str, str], PublishedClaim]:
    """What customers are charged for an hour, by occupation and country, of the tasks that are an hour of one: the
    claim of most publishers, of two or more."""
    found: dict[tuple[str, str], PublishedClaim] = {}
    for task in tasks:
        for claim in sorted(task.claims, key=lambda claim: len(claim.publishers)):
            if task.hour_of and not claim.single:
                found |= {(occupation, claim.country): claim for occupation in task.hour_of}
    return found
