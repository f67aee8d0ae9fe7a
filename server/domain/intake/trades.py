"""The trade of a request: by its name, by who does it, by the things it works on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from server.domain.catalogue import Catalogue
from server.domain.intake.candidate import Candidate, Context, Kind, Page

#: Words that tell the trade by themselves (3), with others (2), or where nothing else does (1). Singular; a plural
#: is read as its singular.
_TABLE = {
    "plumbing": (
        "plumber plumbing",
        "faucet|tap|toilet|leaking pipe|burst pipe|water heater|tankless|drain|sewer|main line|garbage disposal|disposal|"
        "sump pump|shower valve|shower tray|hot water|cold water|stopcock|ballcock|cistern|radiator leak|sink leak|unblock|"
        "blocked sink|blocked toilet|clogged|p-trap|water line|water main|pipe|macerator|hose bib|shutoff valve|water softener|"
        "immersion heater|immersion|hot water cylinder|wc|loo|flush valve|fill valve|repipe|galvanized|pex|snake|waste pipe|soil pipe|backflow|gully|spigot|faucets|burst|frozen pipe|stop tap|mixer tap|u-bend|bath panel|reseal bath|outside tap|low water pressure|water pressure|septic|gas line|dripping",
        "sink|leak|pump|cellar pump|valve|shower|water|bath|bathtub|tub",
    ),
    "electrical": (
        "electrician electrical electrics rewire rewiring eicr",
        "outlet|socket|light fixture|light fitting|lights|recessed light|downlight|spotlight|dimmer|breaker|panel upgrade|"
        "consumer unit|fuse box|fuseboard|ceiling fan|ev charger|car charger|power|no power|sparking|sparked|wiring|"
        "light switch|tripping|chandelier|smoke alarm|smoke detector|rcd|outside light|security light|led panel|fluorescent|"
        "amp upgrade|200 amp|100 amp|200a|electric panel|electrical panel|meter base|grounding|switchboard|power point|powerpoint|gpo|downlights|pat testing|circuit|lighting|lamp post|cctv|alarm|intercom|batten|knob and tube|receptacle|charger|wall charger|transfer switch|gfci|sub panel|subpanel|generator|doorbell|flickering|extractor fan",
        "light|fan|electric|switch|fuse",
    ),
    "roofing": (
        "roofer roofing roof re-roof re-roofing reroof reroofing shingle re-felting",
        "ridge tile|slipped tile|slate|flat roof|roof leak|flashing|skylight|chimney flashing|fascia|soffit|felting|epdm|"
        "eaves|tarp|re-roof|waterproofing of terrace|waterproofing|fascias|soffits|flashings|colorbond|tpo|hail|dormer|tear off|roof tile|leadwork|metal roof",
        "loft leak|attic leak",
    ),
    "hvac": (
        "hvac ac furnace boiler heating",
        "air conditioning|air conditioner|a/c|mini split|heat pump|radiator|rad|thermostat|ductwork|duct|no heat|central heating|"
        "trv|bleed rad|boiler service|cp12|gas safety|pilot light|split system|ducted|aircon|air con|air-con|rooftop unit|rtu|refrigerant|freon|heat exchanger|furnace filter|chiller|combi|gas safe|landlord cert|condenser|compressor|air handler|underfloor heating|not cooling|evap cooler|swamp cooler|evaporative cooler|tune up|blowing cold|ducts",
        "heat|cooling|vent|cold air",
    ),
    "painting": (
        "painter painting decorator decorating repaint repainting redecorate paint",
        "wallpapering|paintwork|distemper|trim paint|popcorn scrape|line marking|emulsion|gloss|wallpaper|stain cabinets|wallpapering|exterior paint|undercoat|two coats|2 coats|primer",
        "coat|stain",
    ),
    "carpentry": (
        "carpenter carpentry joiner joinery",
        "skirting|baseboard|crown molding|crown moulding|trim|built-in|bookshelf|bookcase|shelving|shelves|staircase|banister|"
        "handrail|stair|architrave|wardrobe|alcove|cabinet maker|framing|pergola|joist|stringer|mantel|wainscoting|railing",
        "wood|timber|wooden",
    ),
    "flooring": (
        "flooring",
        "floorboards|floor sand|vinyl|lvt|stair runner|screed|epoxy|carpet|laminate|lvp|lvt|vinyl plank|vinyl floor|hardwood|engineered oak|parquet|floor sanding|refinish floor|refinish|"
        "maple floor|oak floor|wood floor|underlay|linoleum|lino|sand and finish|floorboard|subfloor",
        "floor",
    ),
    "tiling": (
        "tiler tiling tile",
        "grout|regrout|backsplash|splashback|porcelain|mosaic|grouting|re-grout|travertine",
        "ceramic",
    ),
    "drywall": ("drywall sheetrock", "hole in wall|hole in ceiling|popcorn ceiling|mud and tape|texture|level 4|level 5", ""),
    "plastering": (
        "plasterer plastering plaster artex artexed skim skimming reskim render rendering",
        "plasterboard|coving|damp patch|re-plaster|cornice|lath",
        "",
    ),
    "fencing": ("fencing fence", "fence post|slide gate|side gate|pickets|gate latch|palisade|fence panel|closeboard|picket|chain link|cedar privacy|trellis|featheredge|gate|post", ""),
    "decking": ("decking deck", "composite deck|deck board|balustrade|deck stairs", ""),
    "gutters": ("guttering gutter downspout downpipe eavestrough", "gutter cleaning|gutter guard|soffit and gutter", ""),
    "tree work": (
        "arborist tree-surgeon stump",
        "palm|palms|palm tree|leylandii|oak trees|dead oaks|ash|sycamore|dead tree|stumps|crown lift|eucalypt|branches|fell|tree|tree surgeon|branch|limb|stump grinding|tree removal|hedge|conifer|oak tree|ash tree|crown reduction|pruning",
        "",
    ),
    "landscaping": (
        "landscaper landscaping gardener gardening lawn sod turf",
        "hedge trim|beech hedge|hedges|wisteria|lawn care|lawn mowing|flower beds|weeds|strimming|hedge cutting|borders|reticulation|prune roses|sprinkler|irrigation|mow|mowing|mulch|flower bed|yard cleanup|leaf cleanup|retaining wall|pond|garden|turfing|planting|"
        "aeration|hydroseed|weeding|artificial grass|shrub|bushes|grass|yard work|winterize sprinkler|french drain|leaves",
        "yard|plant",
    ),
    "concrete": (
        "concrete",
        "concrete base|lay base|shed base|bollard|slab|foundation crack|foundation wall|footing|concrete driveway|cement|stamped concrete|pour|rebar|patio slab",
        "foundation|sidewalk|steps|porch",
    ),
    "paving": (
        "paving asphalt tarmac sealcoat sealcoating",
        "block paving|driveway|paver|patio|resin drive|slabs|flagstone|restripe|flags|paving slab|lay slabs|drive|kerb|dropped kerb",
        "",
    ),
    "masonry": (
        "mason masonry bricklayer brickwork brickie",
        "brick|repoint|repointing|tuckpoint|tuckpointing|chimney|front wall|garden wall|stone wall|pointing|mortar|lintel|cinder block",
        "stone",
    ),
    "windows": (
        "glazier glazing",
        "sash cord|window pane|misted|fogged|double glazed unit|screens|shopfront glass|window|double glazing|sash|sash window|velux|velux window|blind|rooflight|broken pane|glass|window seal|bay window|storm window|blown unit|casement",
        "",
    ),
    "doors": ("", "fire door|fire doors|door closer|roller shutter|shutter|shutters|composite door|screen door|storm door|cat flap|door|back door|front door|french doors|patio door|bifold|closet door|interior door|exterior door|door frame|sliding door", ""),
    "garage doors": ("", "garage door|garage door opener|roller door|overhead door", ""),
    "locksmith": ("locksmith lockout lock", "euro cylinder|locked out|deadbolt|rekey|re-key|lost keys|key stuck|new locks|keypad|lost key", ""),
    "kitchens": (
        "",
        "belfast sink|worktops|base cabs|kitchen fit|kitchen install|butcher block|kitchen|kitchen units|kitchen fitter|worktop|countertop|kitchen cabinets|kitchen remodel|new kitchen|kitchen refit|"
        "island|cabinets|quartz|granite|kitchen fitting|cooker hood|base units",
        "",
    ),
    "bathrooms": (
        "",
        "master bath|bath remodel|bath gut|bath out|shower screen|bathroom|bathroom remodel|new bathroom|bathroom refit|bathroom renovation|walk in shower|wet room|ensuite|en-suite|"
        "shower surround|acrylic surround|tile shower|tub to shower|shower conversion|vanity",
        "",
    ),
    "insulation": ("insulation insulate", "loft boarded|loft boarding|loft ladder|loft insulation|spray foam|blown in|cavity wall|draughtproofing|attic insulation|lagging", "draughty"),
    "cleaning": (
        "cleaner cleaning",
        "turnover clean|turnover cleans|janitorial bid|gutter vac|builders clean|after builders|carpets cleaned|pressure wash|power wash|pressure washing|window cleaning|deep clean|end of tenancy|move out clean|carpet cleaning|"
        "office cleaning|housekeeping|jet wash|janitorial|oven clean|maid",
        "clean",
    ),
    "waste removal": (
        "dumpster haul hauling",
        "skip|rubbish|junk|debris|clearance|house clearance|junk removal|haul away|haul off|take away|dispose|hot tub removal|"
        "mattress|mattresses|garage clearout|clear out|fly tipping|tip run|cart away|piano and|old couch|pick up old|take to the tip|waste|garden waste",
        "",
    ),
    "moving": ("mover movers removals", "move a piano|piano|moving|packing|storage unit|moving truck|move house|house move|relocation", ""),
    "demolition": ("demolition demolish", "knock down|pull down", "tear down|take down|demo|strip out|gut"),
    "pest control": (
        "exterminator pest pests",
        "bees|possum|possums|silverfish|moths|bats|gophers|rodents|rodent treatment|bird|pigeon|roach|roaches|cockroach|mice|mouse|rats|rat|termite|bed bug|bedbugs|wasp|wasps nest|ants|ant|squirrel|rodent|hornet|raccoon|fleas",
        "",
    ),
    "siding": ("siding cladding", "re-side|hardieplank|smartside|clapboard|shiplap exterior|vinyl siding|hardie|fiber cement|weatherboard", ""),
    "solar": ("solar", "solar pv|kwp|kw solar|solar panel|pv|battery storage|inverter", ""),
    "pools": ("pool", "swimming pool|hot tub|pool liner|pool pump|spa", ""),
    "appliances": ("appliance dishwasher dryer fridge refrigerator", "hob|extractor|cooktop|range|ice maker|oven element|dish washer|washing mach|washer|freezer|oven|stove|washing machine|microwave|cooker|tumble dryer", ""),
    "general building": (
        "builder",
        "garden room|granny flat|porch build|garage convert|home office build|knock-through|extension|basement finishing|finish basement|finishing their basement|loft conversion|chimney breast|load bearing|"
        "load-bearing|addition|garage conversion|renovation|remodel|steels|rsj|underpinning|knock through|conservatory|outbuilding|adu",
        "",
    ),
    "handyman": ("handyman", "playset|tv|tvs|curtain rail|curtain pole|flatpack|gazebo|odd jobs|hang tv|hang tvs|mount tv|tv mount|flat pack|furniture assembly|assemble|punch list|picture hanging|small jobs|snagging", ""),
    "signage": ("signage", "shop sign|banner|sign", ""),
    "earthworks": ("", "excavation|grading|trench|backfill|topsoil|digger|land clearing|excavate", ""),
    "access": ("scaffolding scaffold", "", ""),
    "permits": ("", "building permit|planning permission", ""),
    "printing": ("printing", "flyers|business cards|leaflets", ""),
}  # fmt: skip
#: Work words before another trade's thing decide for it: one who demolishes a deck is no deck builder.
_NAMES = {
    name.replace("-", " ") if "-" in name and name in {"tree-surgeon"} else name: (trade, 3.0)
    for trade, (sure, _, _) in _TABLE.items()
    for name in sure.split()
} | {
    name: (trade, weight + name.count(" "))
    for trade, (_, likely, perhaps) in _TABLE.items()
    for names, weight in ((perhaps, 0.9), (likely, 2.0))
    for name in names.split("|")
    if name
}
_WORD = re.compile(r"[^\W\d_]+(?:['’/-][^\W\d_]+)*")
_CATALOGUE_WEIGHT = 0.8
#: What is named first counts a little more.
_FIRST = 0.8


class Trades:
    """Weighs all that a note names; the trade with the most weight is proposed. ``work`` maps names of work of the
    catalogue to the trade that does it."""

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
                known = self._names.get(name) or self._names.get(_singular(name))
                if known is not None:
                    yield *known, words[index][1], words[index + length - 1][2]
                    index += length - 1
                    break
            index += 1

    def __call__(self, page: Page, _context: Context) -> Iterator[Candidate]:
        """One candidate a trade, the heaviest surest."""
        weights: defaultdict[str, float] = defaultdict(float)
        places: dict[str, tuple[int, int]] = {}
        first, seen = _FIRST, set()
        for trade, weight, start, end in self.mentions(page.free):
            word = page.free[start:end].lower()
            weights[trade] += (weight / 3 if word in seen else weight) + first
            seen.add(word)
            first = 0.0
            places.setdefault(trade, (start, end))
        total = sum(weights.values())
        for trade, weight in weights.items():
            sure = round(min(0.95, 0.55 + 0.4 * weight / total), 2)
            yield Candidate(Kind.TRADE, trade, *places[trade], sure)


def _singular(name: str) -> str:
    return name[:-2] if name.endswith(("shes", "ches", "xes")) else name.removesuffix("s")
