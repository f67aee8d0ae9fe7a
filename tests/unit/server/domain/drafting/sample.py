"""A small catalogue of invented norms for tests of reading: the names are real trade words, the figures mean nothing."""

from __future__ import annotations

from decimal import Decimal

from server.domain.catalogue import Catalogue, Dataset, LabourNorm, MaterialNorm, Task, Wage, WageArea

#: task_id | trade | name | verbs | names | unit | flags (d default, h outdoor height)
_ROWS = """
gutter-aluminium-replace|roofing|Remove and replace gutter, aluminium|replace,install|gutter,aluminium gutter,rain gutter,eavestrough|m|dh
gutter-copper-replace|roofing|Remove and replace gutter, copper|replace,install|copper gutter|m|h
gutter-clean|cleaning|Gutter cleaning|clean|gutter,gutter cleaning|m|h
downspout-replace|roofing|Replace downspout|replace,install|downspout,downpipe|m|h
fascia-replace|roofing|Replace fascia board|replace,install|fascia,fascia board|m|h
roof-shingle-replace|roofing|Replace roof covering, asphalt shingle|replace,install|roof,roof covering,shingle roof,asphalt shingle|m2|d
roof-repair|roofing|Roof repair|repair|roof,roof leak|m2|
paint-exterior|painting|Exterior painting, walls|paint|exterior,exterior painting,front of house,exterior wall,house exterior|m2|h
paint-interior|painting|Interior painting, walls and ceilings|paint|interior,wall,ceiling,room,bedroom,interior painting,living room,kitchen,hallway|m2|d
paint-door|painting|Paint door|paint|door,interior door|each|
fence-wood|fencing|Wood fence|install,replace|fence,wood fence,timber fence,fence panel|m|d
fence-vinyl|fencing|Vinyl fence|install,replace|vinyl fence,pvc fence|m|
fence-remove|fencing|Remove fence|remove|fence|m|
drywall|drywall|Drywall, supply and hang|install,replace,repair|drywall,plasterboard,gyp board|m2|
skim|plastering|Skim coat plaster|plaster|wall,ceiling,skim coat,plaster skim|m2|
tile-floor|tiling|Floor tiling, ceramic|install,tile|floor tile,tile floor,tile|m2|d
tile-wall|tiling|Wall tiling, ceramic|install,tile|wall tile,tile wall,bathroom wall tile|m2|
laminate|flooring|Laminate flooring|install|laminate,laminate floor,floor|m2|d
hardwood|flooring|Hardwood flooring|install|hardwood,hardwood floor,engineered wood floor|m2|
floor-sand|flooring|Sand and refinish wood floor|sand|floor,hardwood floor,wood floor|m2|
carpet-install|flooring|Carpet|install,replace|carpet|m2|
carpet-remove|flooring|Remove carpet|remove|carpet|m2|
carpet-clean|cleaning|Carpet cleaning|clean|carpet|m2|
baseboard|carpentry|Skirting board|install,replace|skirting,skirting board,baseboard|m|
door-interior|carpentry|Interior door, hang|install,replace|door,interior door|each|d
door-exterior|carpentry|Exterior door|install,replace|exterior door,front door,back door|each|
window-vinyl|windows|Window, vinyl|replace,install|window,vinyl window,upvc window|each|d
window-clean|cleaning|Window cleaning|clean|window,window cleaning|each|
tap-replace|plumbing|Replace tap|replace,install|tap,faucet,kitchen tap,basin tap,mixer tap|each|
tap-repair|plumbing|Repair leaking tap|repair|tap,faucet,leaking tap|each|
toilet-replace|plumbing|Replace toilet|replace,install|toilet,water closet|each|
toilet-remove|plumbing|Remove toilet|remove|toilet|each|
water-heater|plumbing|Water heater|replace,install|water heater,hot water heater|each|
boiler|heating|Combi boiler|replace,install|boiler,combi boiler|each|
boiler-service|heating|Boiler service|service|boiler,gas boiler|visit|
radiator|heating|Radiator|install,replace|radiator|each|
drain-clear|plumbing|Clear blocked drain|repair,clean|drain,blocked drain,sewer|visit|
panel-200|electrical|Service upgrade, 200 amp|replace,install|electrical panel,service panel,panel,amp service,electrical service,consumer unit|each|
outlet|electrical|Outlet|install,replace|outlet,socket,power outlet,double socket|each|
light|electrical|Light fixture|install,replace|light,light fixture,light fitting|each|d
light-recessed|electrical|Recessed light|install|recessed light,downlight,can light,spotlight|each|
ev-charger|electrical|EV charger|install|ev charger,car charger|each|
ac-install|hvac|Central air conditioner|install,replace|air conditioner,ac,ac unit,condenser,central air|each|
ac-tune|hvac|AC tune-up|service|ac,air conditioner|visit|
mow|landscaping|Lawn mowing|mow|lawn,lawn mowing|visit|
hedge|landscaping|Hedge trimming|trim|hedge|m|
tree-remove|landscaping|Tree removal|remove,fell|tree|each|
sod|landscaping|Turf|install|turf,sod|m2|
mulch|landscaping|Mulch, spread|install|mulch|m3|
patio|paving|Patio, concrete slab paving|install|patio,slab,paving|m2|
driveway-concrete|paving|Concrete driveway|install,replace|driveway,concrete driveway|m2|d
driveway-clean|cleaning|Pressure washing|clean|driveway,patio,pressure wash,deck,siding|m2|
concrete|concrete|Concrete slab|install|concrete,concrete slab|m3|
tuckpoint|masonry|Repointing brickwork|point,repair|tuckpointing,brickwork,brick wall,chimney,mortar|m2|
deck|carpentry|Timber deck|install,replace|deck|m2|d
insulation|insulation|Loft insulation|install,insulate|insulation,loft insulation,loft,attic|m2|
house-clean|cleaning|House cleaning|clean|house,house cleaning,office cleaning,office|visit|
kitchen-cabinet|carpentry|Kitchen cabinets|install,replace|kitchen cabinet,cabinet|m|
""".strip()
_DATASET = Dataset("test", "Invented figures", "tests", "none", "2025")


def sample_catalogue() -> Catalogue:
    """Some sixty tasks, each with one labour norm and one material."""
    tasks = {task.task_id: task for task in map(_task, _ROWS.splitlines())}
    areas = {
        "0034980": WageArea("0034980", "Nashville", "M", "TN", Decimal("0.95")),
        "0000000": WageArea("0000000", "United States", "N", "", Decimal(1)),
    }
    wages = {
        (area, "472141"): Wage(
            area, "472141", Decimal(18), Decimal(22), Decimal(27), "USD", "2025-05", "test", f"{area}/472141"
        )
        for area in areas
    }
    return Catalogue("sample-1", {"test": _DATASET}, tasks, areas, wages)


def _task(row: str) -> Task:
    task_id, trade, name, verbs, names, unit, flags = row.split("|")
    labour = LabourNorm("472141", "Painters", Decimal("0.5"), "test", f"hours:{task_id}")
    material = MaterialNorm(
        f"{name} material", Decimal(1), unit, Decimal(10), "USD", "2025", "test", f"material:{task_id}"
    )
    return Task(
        task_id, trade, name, tuple(verbs.split(",")), tuple(names.split(",")), unit, (labour,), (material,),
        outdoor_height="h" in flags, default="d" in flags, coats_covered=2 if trade == "painting" else 1,
    )  # fmt: skip
