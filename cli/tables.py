"""Answers as tables that fit a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

DESCRIPTION_WIDTH = 44
SOURCE_WIDTH = 46


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """Columns as wide as their widest line; cells may hold several lines; columns in ``right`` are aligned right."""
    cells = [[cell.split("\n") for cell in row] for row in (heads, *rows)]
    widths = [max(len(line) for row in cells for line in row[column]) for column in range(len(heads))]
    lines = []
    for number, row in enumerate(cells):
        for index in range(max(len(cell) for cell in row)):
            texts = [cell[index] if index < len(cell) else "" for cell in row]
            lines.append(
                "  ".join(
                    text.rjust(width) if column in right else text.ljust(width)
                    for column, (text, width) in enumerate(zip(texts, widths, strict=True))
                ).rstrip()
            )
        if number == 0:
            lines.append("  ".join("─" * width for width in widths))
    return "\n".join(lines)


def quote_table(quote: dict[str, Any]) -> str:
    """A quote as the API answers it: lines with sources, totals, what was assumed, asked and left to look at."""
    rows = []
    for item in quote["line_items"]:
        source = item["source"]
        said = f"{source['kind']}: {source['name']} · {source['place'] or 'no place'} · {source['as_of']}"
        notes = [f"! {reason}" for reason in item["review_reasons"]]
        rows.append(
            (
                "\n".join(_wrap(item["description"], DESCRIPTION_WIDTH)),
                f"{item['qty']:g}",
                item["unit"],
                f"{item['price']:,.2f}" if item["priced"] else "to be priced",
                f"{item['amount']:,.2f}" if item["priced"] else "",
                "\n".join(
                    [*(_wrap(said, SOURCE_WIDTH) if item["priced"] else ["no source"])]
                    + [line for note in notes for line in _wrap(note, SOURCE_WIDTH)]
                ),
            )
        )
    heads = ("Work", "Qty", "Unit", "Price", "Amount", "Source · what to look at")
    parts = [table(heads, rows, right=frozenset({1, 3, 4}))] if rows else ["Nothing in the request can be quoted."]
    parts.append(
        f"{quote['quote_number'] or 'Preview'} · {quote['status']} · {quote['location'] or 'no place'}\n"
        f"Subtotal {quote['subtotal']:,.2f}, tax {quote['tax']:,.2f}, "
        f"total {quote['total']:,.2f} {quote['currency']} "
        f"(range {quote['total_low']:,.2f} to {quote['total_high']:,.2f})"
    )
    for title, texts in (
        ("Assumed", quote["assumptions"]),
        ("Left out", quote["exclusions"]),
        ("To ask", [one["text"] for one in quote["questions"]]),
        ("To review", quote["review_reasons"]),
    ):
        if texts:
            parts.append("\n".join([f"{title}:", *(f"  - {text}" for text in texts)]))
    return "\n\n".join(parts)


def options_table(answer: dict[str, Any]) -> str:
    """Price options as the API answers them, best first."""
    if not answer["options"]:
        return "No source has a price for this."
    rows = [
        (
            "\n".join(_wrap(one["product_name"], DESCRIPTION_WIDTH)),
            f"{one['price']:,.2f}",
            one["currency"],
            one["unit"],
            f"{one['price_low']:,.2f}–{one['price_high']:,.2f}" if "price_low" in one and "price_high" in one else "",
            f"{one['confidence']:.2f}",
            "\n".join(_wrap(f"{one['source']['kind']}: {one['supplier']} · {one['location']} · {one['as_of']}", 46)),
        )
        for one in answer["options"]
    ]
    return table(("Product or work", "Price", "", "Unit", "Range", "Conf.", "Source"), rows, right=frozenset({1, 5}))


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width) or [""]
