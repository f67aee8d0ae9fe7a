"""Logos: what is uploaded is never kept, but decoded within bounds and written anew.

PNG and JPEG only. SVG is a program with references to elsewhere, and is refused with everything else.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

#: Bytes of an upload: also the limit of the route's body.
LARGEST_UPLOAD = 512 * 1024
#: A picture of so many pixels takes at most twice 32 MB while it is decoded.
MOST_PIXELS = 8_000_000
#: What is kept: enough for the 60 x 22 mm of the letterhead at 300 dots per inch.
WIDTH, HEIGHT = 720, 280
#: Sides of less are a mistake.
SMALLEST_SIDE = 8
_QUALITY = 90
#: What Pillow's decoders raise on bytes that are not what they say.
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)


class LogoError(Exception):
    """The bytes cannot be a logo. ``reason`` is for programs, the message for people."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was written here. ``content_type`` is image/png or image/jpeg; sides in pixels."""

    content_type: str
    width: int
    height: int
    data: bytes


def read_logo(data: bytes) -> Picture:
    """The logo in ``data``, at most `WIDTH` by `HEIGHT` pixels. Raises `LogoError`."""
    if not data:
        raise LogoError("required", "the body is the picture and is empty")
    if len(data) > LARGEST_UPLOAD:
        raise LogoError("image.size", f"must have at most {LARGEST_UPLOAD} bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of broken metadata, which is dropped
            return _written(_decoded(data))
    except Image.DecompressionBombError:
        raise LogoError("image.pixels", f"must have at most {MOST_PIXELS} pixels") from None
    except _BROKEN:
        raise LogoError("image.broken", "is no PNG or JPEG that can be read to its end") from None


def _decoded(data: bytes) -> Image.Image:
    try:
        image: Image.Image = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
    except UnidentifiedImageError:
        raise LogoError("image.type", "must be a PNG or JPEG picture") from None
    # Only the head was read so far: what is too large is never decoded.
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise LogoError("image.pixels", f"must have at most {MOST_PIXELS} pixels, has {width} x {height}")
    if min(width, height) < SMALLEST_SIDE:
        raise LogoError("image.pixels", f"must have at least {SMALLEST_SIDE} pixels a side, has {width} x {height}")
    image.draft("RGB", (2 * WIDTH, 2 * HEIGHT))
    image.load()
    return image


def _written(image: Image.Image) -> Picture:
    is_photo = image.format == "JPEG"
    ImageOps.exif_transpose(image, in_place=True)
    clear = not is_photo and ("transparency" in image.info or image.mode in {"RGBA", "LA", "PA"})
    mode = "RGBA" if clear else "RGB"
    kept = image if image.mode == mode else image.convert(mode)
    kept.thumbnail((WIDTH, HEIGHT))
    buffer = BytesIO()
    if is_photo:
        kept.save(buffer, "JPEG", quality=_QUALITY, optimize=True)
    else:
        kept.save(buffer, "PNG", optimize=True)
    return Picture("image/jpeg" if is_photo else "image/png", *kept.size, buffer.getvalue())
