"""Text on pages: which font prints a character, where lines break, in which order a line is seen.

Everything is measured once with the widths that the fonts state, so a page of text costs what its letters cost.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable

from server.documents import bidi

# Streams are bytes: as ASCII they take a quarter more room, and time.
rl_config.useA85 = 0

_FONTS = Path(__file__).parent / "fonts"
REGULAR, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
#: Chinese, Japanese and Korean; one weight.
_FALLBACK = "DroidSansFallback"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
#: What the fallback is asked for; it is loaded when the first such character is printed.
_EAST_ASIAN = re.compile("[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
#: Words, and characters of scripts that break anywhere; what ends a phrase stays with the one before it.
_BREAKS_ANYWHERE = "\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef"
_PIECE = re.compile(f"[{_BREAKS_ANYWHERE}][、。，．：；！？）」』】》〉”’]*| +|[^ {_BREAKS_ANYWHERE}]+")

INK = HexColor("#1f2933")


@dataclass(frozen=True, slots=True)
class Style:
    """How text looks. Sizes are in points; ``right``: lines end at the right edge, ``left``: they begin at the left one
    in every script."""

    size: float = 9
    leading: float = 12.5
    bold: bool = False
    colour: Any = INK
    right: bool = False
    left: bool = False
    indent: float = 0
    space_before: float = 0
    space_after: float = 0

    def but(self, **changes: Any) -> Style:
        """This style with some things changed."""
        return replace(self, **changes)


class _Fonts:
    """The fonts. The fallback takes some 20 MB and a fifth of a second, and most quotes never need it."""

    def __init__(self) -> None:
        self.faces = {name: self._loaded(name) for name in (REGULAR, BOLD)}
        self._lock = threading.Lock()

    def holding(self, character: str, preferred: str) -> str | None:
        """The name of the font that prints ``character``; None: none does."""
        if ord(character) in self.faces[preferred].charToGlyph:
            return preferred
        if not _EAST_ASIAN.match(character):
            return None
        with self._lock:
            if _FALLBACK not in self.faces:
                self.faces[_FALLBACK] = self._loaded(_FALLBACK)
        return _FALLBACK if ord(character) in self.faces[_FALLBACK].charToGlyph else None

    @staticmethod
    def _loaded(name: str) -> Any:
        font = TTFont(name, _FONTS / f"{name}.ttf")
        registerFont(font)
        return font.face


_ALL_FONTS = _Fonts()


class _Glyphs(dict[str, tuple[str, float]]):
    """Font and width, in thousandths of the size, of every character that was printed so far in one weight."""

    def __init__(self, preferred: str) -> None:
        super().__init__()
        self._preferred = preferred

    def __missing__(self, character: str) -> tuple[str, float]:
        font = _ALL_FONTS.holding(character, self._preferred) or self._preferred
        face = _ALL_FONTS.faces[font]
        found = self[character] = font, face.charWidths.get(ord(character), face.defaultWidth)
        return found


_GLYPHS = {False: _Glyphs(REGULAR), True: _Glyphs(BOLD)}


def printable(text: str) -> str:
    """``text`` with every character printable: lines end in LF, controls are gone, characters no font has are U+FFFD.

    Format characters go too: bidirectional overrides could make an amount read other than it is.
    """
    lines = unicodedata.normalize("NFC", text).splitlines()
    return "\n".join(line if line.isascii() and line.isprintable() else _printable(line) for line in lines)


def _printable(line: str) -> str:
    return "".join([_PRINTED[character] for character in line])


class _Printed(dict[str, str]):
    """What is printed for every character that was asked for so far."""

    def __missing__(self, character: str) -> str:
        if character.isspace():
            printed = " "
        elif unicodedata.category(character) in {"Cc", "Cf"}:
            printed = ""
        else:
            printed = character if _ALL_FONTS.holding(character, REGULAR) is not None else REPLACEMENT
        self[character] = printed
        return printed


_PRINTED = _Printed()


def one_line(text: str) -> str:
    """``text`` printable, with every run of white space as one space."""
    return " ".join(printable(text).split())


def clip(text: str, limit: int) -> str:
    """``text`` on one line, cut to ``limit`` characters with an ellipsis."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Width of printable ``text`` in points."""
    glyphs = _GLYPHS[bold]
    return sum(glyphs[character][1] for character in text) * size / 1000


def fit(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Printable ``text``, cut so that it is at most ``width`` points wide."""
    if width_of(text, size, bold=bold) <= width:
        return text
    room = width - width_of("…", size, bold=bold)
    glyphs, used, end = _GLYPHS[bold], 0.0, 0
    for character in text:
        used += glyphs[character][1] * size / 1000
        if used > room:
            break
        end += 1
    return text[:end] + "…"


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is seen from left to right. ``width`` in points; ``from_right``: its paragraph begins there."""

    text: str
    width: float
    from_right: bool = False


def broken(text: str, width: float, style: Style) -> list[Line]:
    """One paragraph of any text as lines of at most ``width`` points; white space counts once."""
    text = one_line(text)
    turned = bidi.has_right_to_left(text)
    levels: Sequence[int] = ()
    base = 0
    if turned:
        # What the joined letters look like may be in no font though the letters are.
        text = printable(bidi.join_letters(text))
        base, levels = bidi.base_level(text), bidi.levels_of(text)
    lines = []
    for start, end in _breaks(text, width, style):
        part = text[start:end]
        if turned:
            part = bidi.visual_order(part, levels[start:end], base)
        lines.append(Line(part, width_of(part, style.size, bold=style.bold), bool(base)))
    return lines or [Line("", 0)]


def laid_out(text: str, width: float, style: Style) -> list[Line]:
    """Text with its own lines: each is broken like a paragraph, and several blank ones count as one."""
    lines: list[Line] = []
    gap = False
    for paragraph in printable(text).strip("\n").split("\n"):
        if paragraph.strip():
            lines += broken(paragraph, width, style)
        elif not gap:
            lines.append(Line("", 0))
        gap = not paragraph.strip()
    return lines


def _breaks(text: str, width: float, style: Style) -> Iterable[tuple[int, int]]:
    """Where the lines of one paragraph begin and end: after spaces, and inside of what is wider than a line."""
    glyphs = _GLYPHS[style.bold]
    room = width * 1000 / style.size
    start = end = 0
    used = 0.0
    for piece in _PIECE.finditer(text):
        word = piece.group()
        wide = sum(glyphs[character][1] for character in word)
        if word[0] == " ":
            used += wide
            continue
        if used + wide <= room:
            used, end = used + wide, piece.end()
            continue
        if end > start:
            yield start, end
        start, used = piece.start(), wide
        if wide > room:
            used = 0.0
            for place, character in enumerate(word, start=start):
                one = glyphs[character][1]
                if used + one > room and place > start:
                    yield start, place
                    start, used = place, 0.0
                used += one
        end = piece.end()
    if end > start:
        yield start, end


def draw_line(canvas: Any, line: Line, x: float, y: float, style: Style) -> None:
    """Draw a line with its left end at ``x``; colour is the caller's."""
    glyphs = _GLYPHS[style.bold]
    preferred = BOLD if style.bold else REGULAR
    if all(glyphs[character][0] == preferred for character in line.text):
        canvas.setFont(preferred, style.size)
        canvas.drawString(x, y, line.text)
        return
    for font, run in _runs(line.text, style.bold):
        canvas.setFont(font, style.size)
        canvas.drawString(x, y, run)
        x += width_of(run, style.size, bold=style.bold)


def _runs(text: str, bold: bool) -> list[tuple[str, str]]:
    glyphs = _GLYPHS[bold]
    runs: list[tuple[str, str]] = []
    for character in text:
        font = glyphs[character][0]
        if runs and runs[-1][0] == font:
            runs[-1] = (font, runs[-1][1] + character)
        else:
            runs.append((font, character))
    return runs


def draw_lines(canvas: Any, lines: Sequence[Line], x: float, top: float, width: float, style: Style) -> None:
    """Draw lines downwards from ``top`` in a column that begins at ``x``."""
    canvas.setFillColor(style.colour)
    y = top - style.size - (style.leading - style.size) * 0.3
    for line in lines:
        at_right = style.right or (line.from_right and not style.left)
        draw_line(canvas, line, x + width - line.width if at_right else x, y, style)
        y -= style.leading


class Text(Flowable):  # type: ignore[misc]  # reportlab has no types
    """Text with its own lines, which may be cut between any two of them but leaves none alone."""

    def __init__(self, text: str, style: Style, bullet: str = "", lines: list[Line] | None = None) -> None:
        super().__init__()
        self._text, self._style, self._bullet, self._lines = text, style, bullet, lines
        self._laid_for = 0.0

    def getSpaceBefore(self) -> float:  # noqa: N802 - reportlab's name
        """Points above, but at the top of a page."""
        return self._style.space_before

    def getSpaceAfter(self) -> float:  # noqa: N802 - reportlab's name
        """Points below."""
        return self._style.space_after

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """The size for a column of ``width``."""
        if self._lines is None:
            self._lines = laid_out(self._text, width - self._style.indent, self._style)
        self.width, self.height = width, len(self._lines) * self._style.leading
        return self.width, self.height

    def split(self, width: float, height: float) -> list[Text]:
        """Two parts, the first of which fits ``height``; none where it would hold a line alone."""
        self.wrap(width, height)
        assert self._lines is not None
        count = min(int(height / self._style.leading), len(self._lines) - 2)
        if count < 2:
            return []
        above = self._style.but(space_after=0)
        below = self._style.but(space_before=0)
        return [
            Text("", above, self._bullet, self._lines[:count]),
            Text("", below, "", self._lines[count:]),
        ]

    def draw(self) -> None:
        """Draw the lines."""
        assert self._lines is not None
        style = self._style
        if self._bullet:
            mark = Line(self._bullet, width_of(self._bullet, style.size))
            draw_lines(self.canv, [mark], 0, self.height, style.indent, style.but(right=False))
        draw_lines(self.canv, self._lines, style.indent, self.height, self.width - style.indent, style)
