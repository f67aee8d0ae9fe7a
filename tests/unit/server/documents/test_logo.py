"""Promises of logos: only pixels survive, within bounds, whatever the bytes."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from server.documents.logo import HEIGHT, WIDTH, LogoError, read_logo


def picture(kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (300, 100), **more: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, kind, **more)
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_a_png_of_any_mode_is_taken(mode: str) -> None:
    logo = read_logo(picture(mode=mode))
    assert (logo.content_type, logo.width, logo.height) == ("image/png", 300, 100)


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_a_jpeg_of_any_mode_is_taken(mode: str) -> None:
    logo = read_logo(picture("JPEG", mode))
    assert logo.content_type == "image/jpeg"
    assert Image.open(io.BytesIO(logo.data)).mode == "RGB"


def test_transparency_stays() -> None:
    logo = read_logo(picture(mode="P", transparency=0))
    assert Image.open(io.BytesIO(logo.data)).mode == "RGBA"


@pytest.mark.parametrize("size", [(2800, 2800), (4000, 200), (100, 4000), (8, 8)])
def test_a_logo_is_made_to_fit_and_keeps_its_shape(size: tuple[int, int]) -> None:
    logo = read_logo(picture(size=size))
    assert logo.width <= WIDTH and logo.height <= HEIGHT
    assert abs(logo.width / logo.height - size[0] / size[1]) <= 0.03 * size[0] / size[1] + 1
    assert logo.width <= size[0]


def test_nothing_but_pixels_is_kept_and_the_picture_stands_upright() -> None:
    notes = PngInfo()
    notes.add_text("Comment", "said in secret")
    assert b"secret" not in read_logo(picture(pnginfo=notes)).data
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "said in secret", 6
    logo = read_logo(picture("JPEG", exif=exif))
    assert b"secret" not in logo.data
    assert (logo.width, logo.height) == (93, 280)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([picture(), picture("JPEG"), picture(mode="P")]), st.data())
def test_damaged_bytes_are_a_logo_or_refused(whole: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(whole)))
    at, byte = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.binary(max_size=4))
    damaged = (whole[:at] + byte + whole[at + len(byte) :])[:cut] if cut else whole[:at] + byte + whole[at:]
    try:
        logo = read_logo(damaged)
    except LogoError as error:
        assert error.reason in {"image.type", "image.broken", "image.pixels", "required"}
    else:
        assert logo.width <= WIDTH and logo.height <= HEIGHT
