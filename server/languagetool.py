"""The LanguageTool port (lingotweaker) behind the port of grammar engines: the optional extra ``languagetool``.

It is licensed under LGPL-2.1-or-later, is used unchanged as the package that its authors publish, and is no part of
this distribution: who installs the extra gets it from them.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from server.domain.proofreading.grammar import Finding

_PACKAGE, _DATA_PACKAGE = "lingotweaker", "lingotweaker-data-en"
#: Its categories by the kinds that are heard; what is not here is style or spelling.
_KINDS = {"CONFUSED_WORDS": "Malapropism", "GRAMMAR": "Grammar", "TYPOS": "Typo"}
_SPELLER = "MORFOLOGIK_RULE_"


class LanguageToolMissingError(Exception):
    """The extra is asked for and not installed."""


class LanguageTool:
    """Grammar rules of LanguageTool for English; all regions are checked by those of American. Its speller is not
    heard: ours knows the regions."""

    def __init__(self) -> None:
        try:
            engine = importlib.import_module("lt_py").Engine
        except ImportError as error:
            raise LanguageToolMissingError("install quotewright[languagetool]") from error
        self.name = language_tool_name()
        self._engine: Any = engine("en-US", disabled_rules=[f"{_SPELLER}EN_US"])

    def check(self, sentences: Sequence[str], region: str) -> Sequence[Sequence[Finding]]:  # noqa: ARG002 - one engine serves all regions
        """What it finds in each sentence, spelling apart."""
        return [self._check(sentence) for sentence in sentences]

    def _check(self, sentence: str) -> Sequence[Finding]:
        # It counts bytes of UTF-8.
        encoded = sentence.encode("utf-8", "replace")
        found = []
        for match in self._engine.check(encoded.decode()):
            start, end = match["offset"], match["offset"] + match["length"]
            kind = _KINDS.get(match["category_id"], "Style")
            found.append(
                Finding(
                    len(encoded[:start].decode()),
                    len(encoded[:end].decode()),
                    match["rule_id"],
                    kind,
                    match["message"].replace("<suggestion>", "“").replace("</suggestion>", "”"),
                    tuple(match["suggestions"]),
                )
            )
        return found


def language_tool_name() -> str:
    """Package and data with their versions. Raises `LanguageToolMissingError` where they are not installed."""
    try:
        return f"{_PACKAGE}-{version(_PACKAGE)}+{version(_DATA_PACKAGE)}"
    except PackageNotFoundError as error:
        raise LanguageToolMissingError("install quotewright[languagetool]") from error
