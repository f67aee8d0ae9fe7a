"""The trade of a request: by its name, by who does it, by the things it works on."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from server.domain.catalogue import Catalogue
from server.domain.drafting.matching import lemma
from server.domain.intake.candidate import Candidate, Kind, Page, plain
from server.domain.intake.trade_weights import PRIOR, WEIGHTS

#: Words that tell the trade by themselves (3), with others (2), or where nothing else does (1). Singular; a plural
#: is read as its singular.
TABLE = {
    "plumbing": (
        "plumber plumbing",
        "toilet flapper|urinal|wax ring|shower head|shower mixer|tub drain|tub spout|floor drain|drain line|sewage|sewer line|well pump|pressure tank|expansion tank|overflow pipe|saniflo|recirculation pump|angle stop|supply line|grease trap|kitchen tap|running toilet|toilet reset|drain snaked|leaky faucet|water filter|reverse osmosis|hot tap|jetting|grease line|drain cleaning|hydro jet|faucet|tap|toilet|leaking pipe|burst pipe|water heater|tankless|drain|sewer|main line|garbage disposal|disposal|"
        "sump pump|shower valve|shower tray|hot water|cold water|stopcock|ballcock|cistern|radiator leak|sink leak|unblock|"
        "blocked sink|blocked toilet|clogged|p-trap|water line|water main|pipe|macerator|hose bib|shutoff valve|water softener|"
        "immersion heater|immersion|hot water cylinder|wc|loo|flush valve|fill valve|repipe|galvanized|pex|snake|waste pipe|soil pipe|backflow|gully|spigot|faucets|burst|frozen pipe|stop tap|mixer tap|u-bend|bath panel|reseal bath|outside tap|low water pressure|water pressure|septic|gas line|dripping",
        "sink|leak|pump|cellar pump|valve|shower|water|bath|bathtub|tub",
    ),
    "electrical": (
        "electrician electrical electrics rewire rewiring eicr",
        "sconce|pendant light|vanity light|under-cabinet light|can light|led strip|meter box|service upgrade|amp service|surge protector|bathroom fan|exhaust fan|aluminum wiring|landscape lighting|data cabling|ethernet|emergency lighting|fire alarm|dead circuit|dead outlet|outlet|socket|light fixture|light fitting|lights|recessed light|downlight|spotlight|dimmer|breaker|panel upgrade|"
        "consumer unit|fuse box|fuseboard|ceiling fan|ev charger|car charger|power|no power|sparking|sparked|wiring|"
        "light switch|tripping|chandelier|smoke alarm|smoke detector|rcd|outside light|security light|led panel|fluorescent|"
        "amp upgrade|200 amp|100 amp|200a|electric panel|electrical panel|meter base|grounding|switchboard|power point|powerpoint|gpo|downlights|pat testing|circuit|lighting|lamp post|cctv|alarm|intercom|batten|knob and tube|receptacle|charger|wall charger|transfer switch|gfci|sub panel|subpanel|generator|doorbell|flickering|extractor fan",
        "light|fan|electric|switch|fuse",
    ),
    "roofing": (
        "roofer roofing roof re-roof re-roofing reroof reroofing shingle re-felting",
        "ridge cap|felt roof|roof vent|lead flashing|roof inspection|roof repair|ridge tile|slipped tile|slate|flat roof|roof leak|flashing|skylight|chimney flashing|fascia|soffit|felting|epdm|"
        "eaves|tarp|re-roof|waterproofing of terrace|waterproofing|fascias|soffits|flashings|colorbond|tpo|hail|dormer|tear off|roof tile|leadwork|metal roof",
        "loft leak|attic leak",
    ),
    "hvac": (
        "hvac ac furnace boiler heating",
        "blower motor|capacitor|thermocouple|air duct|duct cleaning|humidifier|dehumidifier|radiant floor|short cycling|no cooling|boiler pressure|gas fire|log burner|wood stove|flue|flue liner|oil tank|oil boiler|gas check|landlord gas check|gas cert|air conditioning|air conditioner|a/c|mini split|heat pump|radiator|rad|thermostat|ductwork|duct|no heat|central heating|"
        "trv|bleed rad|boiler service|cp12|gas safety|pilot light|split system|ducted|aircon|air con|air-con|rooftop unit|rtu|refrigerant|freon|heat exchanger|furnace filter|chiller|combi|gas safe|landlord cert|condenser|compressor|air handler|underfloor heating|not cooling|evap cooler|swamp cooler|evaporative cooler|tune up|blowing cold|ducts",
        "heat|cooling|vent|cold air",
    ),
    "painting": (
        "painter painting decorator decorating repaint repainting redecorate paint",
        "cabinet painting|spray cabinet|limewash|masonry paint|wood stain|varnish|wallpapering|paintwork|distemper|trim paint|popcorn scrape|line marking|emulsion|gloss|wallpaper|stain cabinets|wallpapering|exterior paint|undercoat|two coats|2 coats|primer",
        "coat|stain",
    ),
    "carpentry": (
        "carpenter carpentry joiner joinery",
        "shoe molding|door casing|window casing|window seat|built-ins|closet shelving|spindle|newel|baluster|stair tread|board and batten|beadboard|panelling|paneling|skirting|baseboard|crown molding|crown moulding|trim|built-in|bookshelf|bookcase|shelving|shelves|staircase|banister|"
        "handrail|stair|architrave|wardrobe|alcove|cabinet maker|framing|pergola|joist|stringer|mantel|wainscoting|railing",
        "wood|timber|wooden",
    ),
    "flooring": (
        "flooring",
        "carpet tile|herringbone|self-leveling|squeaky floor|stair carpet|hardwood refinished|wooden floor|wood floors|floor sanded|sanded and sealed|floorboards|floor sand|vinyl|lvt|stair runner|screed|epoxy|carpet|laminate|lvp|lvt|vinyl plank|vinyl floor|hardwood|engineered oak|parquet|floor sanding|refinish floor|refinish|"
        "maple floor|oak floor|wood floor|underlay|linoleum|lino|sand and finish|floorboard|subfloor",
        "floor",
    ),
    "tiling": (
        "tiler tiling tile",
        "tile floor|shower floor|wall tiles|floor tiles|retile|grout|regrout|backsplash|splashback|porcelain|mosaic|grouting|re-grout|travertine",
        "ceramic",
    ),
    "drywall": ("drywall sheetrock", "nail pops|drywall patch|hole in wall|hole in ceiling|popcorn ceiling|mud and tape|texture|level 4|level 5", ""),
    "plastering": (
        "plasterer plastering plaster artex artexed skim skimming reskim render rendering",
        "lath and plaster|pebbledash|pebble dash|plasterboard|coving|damp patch|re-plaster|cornice|lath",
        "",
    ),
    "fencing": ("fencing fence", "post and rail|vinyl fence|gate post|farm gate|barbed wire|fence post|slide gate|side gate|pickets|gate latch|palisade|fence panel|closeboard|picket|chain link|cedar privacy|trellis|featheredge|gate|post", ""),
    "decking": ("decking deck", "deck railing|deck joist|composite deck|deck board|balustrade|deck stairs", ""),
    "gutters": ("guttering gutter downspout downpipe eavestrough", "leaf guard|seamless gutter|gutter cleaning|gutter guard|soffit and gutter", ""),
    "tree work": (
        "arborist tree-surgeon stump",
        "limb down|fallen tree|tree down|branch down|pollard|pollarding|pine tree|maple tree|silver maple|willow|stump ground|split trunk|tree limb|palm|palms|palm tree|leylandii|oak trees|dead oaks|ash|dead ash|dead tree|sycamore|stumps|crown lift|eucalypt|branches|fell|tree|tree surgeon|branch|limb|stump grinding|tree removal|hedge|conifer|oak tree|ash tree|crown reduction|pruning",
        "",
    ),
    "landscaping": (
        "landscaper landscaping gardener gardening lawn sod turf",
        "drip line|irrigation system|bark mulch|planter|rockery|flowerbed|leaf blowing|snow removal|snow plowing|hedge trim|beech hedge|hedges|wisteria|lawn care|lawn mowing|flower beds|weeds|strimming|hedge cutting|borders|reticulation|prune roses|sprinkler|irrigation|mow|mowing|mulch|flower bed|yard cleanup|leaf cleanup|retaining wall|pond|garden|turfing|planting|"
        "aeration|hydroseed|weeding|artificial grass|shrub|bushes|grass|yard work|winterize sprinkler|french drain|leaves",
        "yard|plant",
    ),
    "concrete": (
        "concrete",
        "stoop|front walk|walkway|broom finish|exposed aggregate|garage floor|concrete pad|footings|mudjack|mudjacked|mudjacking|slabjacking|concrete base|lay base|shed base|bollard|slab|foundation crack|foundation wall|footing|concrete driveway|cement|stamped concrete|pour|rebar|patio slab",
        "foundation|sidewalk|steps|porch",
    ),
    "paving": (
        "paving asphalt tarmac sealcoat sealcoating",
        "cobble|setts|parking lot|crack fill|pothole|asphalt patch|speed bump|line striping|restriping|wheel stop|patio slabs|block paving|driveway|paver|patio|resin drive|slabs|flagstone|restripe|flags|paving slab|lay slabs|drive|kerb|dropped kerb",
        "",
    ),
    "masonry": (
        "mason masonry bricklayer brickwork brickie",
        "chimney stack|chimney cap|chimney crown|brick step|stone step|lime mortar|firebox|spalling|brick|repoint|repointing|tuckpoint|tuckpointing|chimney|front wall|garden wall|stone wall|pointing|mortar|lintel|cinder block",
        "stone",
    ),
    "windows": (
        "glazier glazing",
        "window replacement|secondary glazing|double hung|window film|window sill|reglaze|reglazing|sash cord|window pane|misted|fogged|double glazed unit|screens|shopfront glass|window|double glazing|sash|sash window|velux|velux window|blind|rooflight|broken pane|glass|window seal|bay window|storm window|blown unit|casement",
        "",
    ),
    "doors": ("", "door handle|door knob|doorknob|hinge|rehang|bifold door|pocket door|barn door|automatic door|stable door|fire door|fire doors|door closer|roller shutter|shutter|shutters|composite door|screen door|storm door|cat flap|door|back door|front door|french doors|patio door|bifold|closet door|interior door|exterior door|door frame|sliding door", ""),
    "garage doors": ("", "garage opener|garage door spring|garage spring|torsion spring|overhead doors|garage door|garage door opener|roller door|overhead door", ""),
    "locksmith": ("locksmith lockout lock", "change lock|lock change|smart lock|master key|mortice lock|euro cylinder|locked out|deadbolt|rekey|re-key|lost keys|key stuck|new locks|keypad|lost key", ""),
    "kitchens": (
        "",
        "belfast sink|worktops|base cabs|kitchen fit|kitchen install|butcher block|kitchen|kitchen units|kitchen fitter|worktop|countertop|kitchen cabinets|kitchen remodel|new kitchen|kitchen refit|"
        "island|cabinets|quartz|granite|kitchen fitting|cooker hood|base units",
        "",
    ),
    "bathrooms": (
        "",
        "tub surround|grab bar|grab rail|shower enclosure|shower door|shower pan|master bath|bath remodel|bath gut|bath out|shower screen|bathroom|bathroom remodel|new bathroom|bathroom refit|bathroom renovation|walk in shower|wet room|ensuite|en-suite|"
        "shower surround|acrylic surround|tile shower|tub to shower|shower conversion|vanity",
        "",
    ),
    "insulation": ("insulation insulate", "crawl space insulation|vapor barrier|batt|cavity insulation|weatherstripping|loft boarded|loft boarding|loft ladder|loft insulation|spray foam|blown in|cavity wall|draughtproofing|attic insulation|lagging", "draughty"),
    "cleaning": (
        "cleaner cleaning",
        "window cleaner|soft wash|moss removal|driveway cleaning|post construction clean|communal area|graffiti|sweep|chimney sweep|sweep chimneys|turnover clean|turnover cleans|janitorial bid|gutter vac|builders clean|after builders|carpets cleaned|pressure wash|power wash|pressure washing|window cleaning|deep clean|end of tenancy|move out clean|carpet cleaning|"
        "office cleaning|housekeeping|jet wash|janitorial|oven clean|maid",
        "clean",
    ),
    "waste removal": (
        "dumpster haul hauling",
        "clean out|cleanout|estate cleanout|sofa|skip hire|bulk pickup|debris removal|skip|rubbish|junk|debris|clearance|house clearance|junk removal|haul away|haul off|take away|dispose|hot tub removal|"
        "mattress|mattresses|garage clearout|clear out|fly tipping|tip run|cart away|piano and|old couch|pick up old|take to the tip|waste|garden waste",
        "",
    ),
    "moving": ("mover movers removals", "loading truck|move piano|move a piano|piano|moving|packing|storage unit|moving truck|move house|house move|relocation", ""),
    "demolition": ("demolition demolish", "knock down|pull down|demo what's", "tear down|take down|demo|strip out|gut"),
    "pest control": (
        "exterminator pest pests wasp rat mice cockroach termite bedbug hornet",
        "carpenter ant|mole|vole|flies|nest of|bees|possum|possums|silverfish|moths|bats|gophers|rodents|rodent treatment|bird|pigeon|roach|roaches|mouse|rats|bed bug|bedbugs|wasps nest|ants|ant|squirrel|rodent|raccoon|fleas",
        "",
    ),
    "siding": ("siding cladding", "house wrap|siding repair|re-side|hardieplank|smartside|clapboard|shiplap exterior|vinyl siding|hardie|fiber cement|weatherboard", ""),
    "solar": ("solar", "powerwall|solar inspection|solar pv|kwp|kw solar|solar panel|pv|battery storage|inverter", ""),
    "pools": ("pool", "pool closing|pool opening|pool cover|jacuzzi|swimming pool|hot tub|pool liner|pool pump|spa", ""),
    "appliances": ("appliance dishwasher dryer fridge refrigerator", "range hood|gas range|ice machine|walk-in cooler|built in oven|hob|extractor|cooktop|range|ice maker|oven element|dish washer|washing mach|washer|freezer|oven|stove|washing machine|microwave|cooker|tumble dryer", ""),
    "general building": (
        "builder",
        "sunroom|in-law suite|structural beam|steel beam|gut renovation|whole house|stud wall|partition wall|internal wall|structural wall|garden room|granny flat|porch build|garage convert|home office build|knock-through|extension|basement finishing|finish basement|finishing their basement|loft conversion|chimney breast|load bearing|"
        "load-bearing|addition|garage conversion|renovation|remodel|steels|rsj|underpinning|knock through|conservatory|outbuilding|adu",
        "",
    ),
    "handyman": ("handyman", "assemble furniture|ikea|curtain rod|hang picture|hang mirror|playset|tv|tvs|curtain rail|curtain pole|flatpack|gazebo|odd jobs|hang tv|hang tvs|mount tv|tv mount|flat pack|furniture assembly|assemble|punch list|picture hanging|small jobs|snagging", ""),
    "signage": ("signage", "shop sign|banner|sign", ""),
    "earthworks": ("", "groundworks|groundwork|trenching|regrade|soakaway|land drain|culvert|excavation|grading|trench|backfill|topsoil|digger|land clearing|excavate", ""),
    "access": ("scaffolding scaffold", "", ""),
    "permits": ("", "building permit|planning permission", ""),
    "printing": ("printing", "flyers|business cards|leaflets", ""),
}  # fmt: skip
#: Work words before another trade's thing decide for it: one who demolishes a deck is no deck builder.
_NAMES = {
    name.replace("-", " ") if "-" in name and name in {"tree-surgeon"} else name: (trade, 3.0)
    for trade, (sure, _, _) in TABLE.items()
    for name in sure.split()
} | {
    name: (trade, weight + name.count(" "))
    for trade, (_, likely, perhaps) in TABLE.items()
    for names, weight in ((perhaps, 0.9), (likely, 2.0))
    for name in names.split("|")
    if name
}
_WORD = re.compile(r"[^\W\d_]+(?:['’/-][^\W\d_]+)*")
_CATALOGUE_WEIGHT = 0.8
#: What is named first counts a little more, what is named again less.
_FIRST, _AGAIN = 0.8, 1 / 3
#: How much a name of the table counts beside the learned weights; one outside the description, one behind a label.
_NAMED, _BESIDE, _LABELLED = 0.8, 0.25, 3.0
#: A trade that no learned weight knows.
_UNKNOWN = -9.0
#: Trades that are less likely are not offered.
_LEAST = 0.05
#: After these the words say where, and count less, up to the next mark.
_WHERE = frozenset(
    """in on at above over by across near behind under from into along around beside next below off through between
    against""".split()  # noqa: SIM905 - a list of words reads better as text
)
_WHERE_SHARE = 0.4
_SILENT = frozenset(
    """a an the of and or for to with our my your their its all any some is are be it this that these those we i you need
    needs quote price estimate want wants like looking would could can give us me just so then have has get please he she
    they his her them not new old""".split()  # noqa: SIM905 - a list of words reads better as text
)
#: These stand within a phrase without parting it; those begin another.
_WITHIN, _ANEW = frozenset({"the", "a", "of"}), frozenset({"and", "wants", "needs", "need", "want"})
_SIGN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]")
_PARTING = frozenset(",.;:()!?-+&/")


def signs(text: str, *, begins: bool = True) -> dict[str, float]:
    """What is weighed of a description: its words and pairs of words, lemmas, each with a share (0–1) that is smaller
    where it says a place. ``begins``: whether the first word counts as such."""
    shares: dict[str, float] = {}

    def add(sign: str, share: float) -> None:
        shares[sign] = max(shares.get(sign, 0.0), share)

    before, share, first = "", 1.0, begins
    for found in _SIGN.finditer(text.lower()):
        word = found[0].replace("’", "'")
        if not word[0].isalpha():
            before = before if word.isdigit() else ""
            share = 1.0 if word in _PARTING else share
        elif word in _WHERE:
            before, share = "", _WHERE_SHARE
        elif word in _SILENT:
            share = 1.0 if word in _ANEW else share
            before = before if word in _WITHIN else ""
        else:
            name = lemma(word)
            for part in {name: 0} | ({lemma(part): 0 for part in word.split("-")} if "-" in word else {}):
                add(part, share)
            if before:
                add(f"{before} {name}", share)
            if first:
                add(f"^{name}", 1.0)
            before, first = name, False
    return shares


class Trades:
    """Tells the trade of a description: what its words weigh for each (`trade_weights.py`, which `tools.intake.trades`
    fits), with what the table says. ``work`` maps names of work of the catalogue to the trade that does it."""

    def __init__(self, work: Mapping[str, str]) -> None:
        names = {
            name: (trade, _CATALOGUE_WEIGHT * (name.count(" ") + 1)) for name, trade in work.items() if len(name) > 3
        }
        self._names = names | _NAMES
        self._first = {name.partition(" ")[0] for name in self._names}
        self._longest = max((name.count(" ") + 1 for name in self._names), default=1)

    @classmethod
    def of(cls, catalogue: Catalogue) -> Trades:
        """All that the catalogue's tasks are called, where one trade alone uses the name."""
        trades: dict[str, set[str]] = {}
        for task in catalogue.tasks.values():
            for name in task.names:
                trades.setdefault(name.casefold(), set()).add(task.trade)
        return cls({name: min(found) for name, found in trades.items() if len(found) == 1})

    def mentions(self, text: str) -> Iterator[tuple[str, float, int, int]]:
        """Trade, weight and place of each word or phrase that tells one."""
        words = [(found[0].lower(), *found.span()) for found in _WORD.finditer(text)]
        index = 0
        while index < len(words):
            begins = words[index][0] in self._first or _singular(words[index][0]) in self._first
            longest = min(self._longest, len(words) - index) if begins else 0
            for length in range(longest, 0, -1):
                name = " ".join(word for word, _, _ in words[index : index + length])
                known = [self._names[one] for one in (name, _singular(name)) if one in self._names]
                if known:
                    yield *max(known, key=lambda trade: trade[1]), words[index][1], words[index + length - 1][2]
                    index += length - 1
                    break
            index += 1

    def chances(self, description: str, beside: str = "", labelled: str = "") -> dict[str, float]:
        """How likely each trade is meant, 0–1. ``beside`` is what else the note says, ``labelled`` what stands behind a
        label of the trade."""
        scores = dict(PRIOR)
        for sign, share in signs(description).items():
            for trade, weight in WEIGHTS.get(sign, {}).items():
                scores[trade] = scores.get(trade, _UNKNOWN) + share * weight
        for text, counts in ((description, _NAMED), (beside, _BESIDE), (labelled, _LABELLED)):
            for trade, weight in self._named(text).items():
                scores[trade] = scores.get(trade, _UNKNOWN) + counts * weight
        highest = max(scores.values())
        total = math.fsum(math.exp(score - highest) for score in scores.values())
        return {trade: math.exp(score - highest) / total for trade, score in scores.items()}

    def _named(self, text: str) -> dict[str, float]:
        weights: defaultdict[str, float] = defaultdict(float)
        first, seen = _FIRST, set()
        for trade, weight, start, end in self.mentions(text):
            word = text[start:end].lower()
            weights[trade] += (weight * _AGAIN if word in seen else weight) + first
            seen.add(word)
            first = 0.0
        return weights

    def of_note(self, page: Page, start: int, end: int, labels: Iterable[tuple[int, int]]) -> Iterator[Candidate]:
        """The likely trades of a note whose description stands from ``start`` to ``end``; ``labels`` are where values
        behind a label of the trade stand. Nothing where no word tells one."""
        described = page.free[start:end]
        rest = page.free[:start] + "\n" + page.free[end:]
        labelled = "\n".join(plain(page.text[first:last]) for first, last in labels)
        if not any(sign in WEIGHTS for sign in signs(described)) and not any(
            map(self._named, (described, rest, labelled))
        ):
            return
        places: dict[str, tuple[int, int]] = {}
        for trade, _, first, last in self.mentions(page.free):
            if trade not in places or not start <= places[trade][0] < end:
                places[trade] = first, last
        for trade, chance in self.chances(described, rest, labelled).items():
            if chance >= _LEAST:
                yield Candidate(Kind.TRADE, trade, *places.get(trade, (start, end)), round(min(chance, 0.95), 2))


def _singular(name: str) -> str:
    return name[:-2] if name.endswith(("shes", "ches", "xes")) else name.removesuffix("s")
