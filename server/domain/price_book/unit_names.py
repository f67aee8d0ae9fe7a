"""Units as price lists name them: our own codes, the spellings that requests use, and what only lists write."""

from __future__ import annotations

import re
from functools import lru_cache

from server.domain.drafting.measures import unit_spelled
from server.domain.units import UNITS
from server.domain.words import fold

_BY_FOLD = {code.casefold(): code for code in UNITS}
#: Lists in English, Spanish (BC3) and the codes of UN/ECE recommendation 20.
_OTHERS = {
    spelling: code
    for code, spellings in {
        "each": "u ud uds un und unit units unidad no nr item items stk h87 c62 pza",
        "m": "ml mt mts mtr mtk-1 metro metros lfm",
        "m2": "mtk metro2 sqmtr",
        "m3": "mtq cbm",
        "ft": "lnf fot",
        "sqft": "ftk",
        "cuyd": "ydq",
        "kg": "kgm",
        "l": "ltr litro litros",
        "h": "hur hora horas manhour",
        "day": "dia jornada",
        "month": "mes",
        "job": "job ls lot lump lumpsum sum pa paj fixed",
        "visit": "visit visits call callout",
        "square": "roofingsquare",
        "dozen": "doz dzn",
    }.items()
    for spelling in spellings.split()
}


@lru_cache(maxsize=1024)
def unit_code(text: str) -> str:
    """The code of `server.domain.units.UNITS` that ``text`` names ("per m²", "Sq. Ft.", "ud"); empty where none."""
    plain = " ".join(re.sub(r"[./_-]+", " ", fold(text)).split())
    plain = re.sub(r"^(?:per|a|an|1) ", "", plain)
    joined = plain.replace(" ", "")
    for found in (
        _BY_FOLD.get(plain), _BY_FOLD.get(joined), unit_spelled(plain), unit_spelled(joined), _OTHERS.get(joined)
    ):  # fmt: skip
        if found in UNITS:
            return str(found)
    return ""
