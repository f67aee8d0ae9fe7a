"""Entity tags of quotes, against lost updates (RFC 9110 sections 8.8.3 and 13.1.1)."""

from __future__ import annotations

import re

_TAG = r'(?:W/)?"[\x21\x23-\x7e]*"'
#: Elements may be empty, and count for nothing (RFC 9110 section 5.6.1.2).
_LIST = re.compile(rf"(?:[ \t]*,)*[ \t]*{_TAG}(?:[ \t]*,(?:[ \t]*{_TAG})?)*")
#: Longer than any list that a client has a reason to send.
LONGEST = 1000


def entity_tag(quote_id: int, version: int, status: str) -> str:
    """The strong tag of a quote: another one with every version and every move."""
    return f'"{quote_id}.{version}.{status}"'


def required_tags(if_match: str) -> frozenset[str] | None:
    """The tags of which If-Match asks for one; None where it is ``*``: whatever there is will do.

    A weak tag is none of them: If-Match compares strongly. Raises ``ValueError`` for what is no If-Match, and where it
    is empty: a client has lost the tag.
    """
    text = if_match.strip(" \t")
    if text == "*":
        return None
    if len(text) > LONGEST or not _LIST.fullmatch(text):
        raise ValueError('must be * or a list of entity tags such as "1.2.draft", in quotation marks')
    return frozenset(one for one in re.findall(_TAG, text) if not one.startswith("W/"))
