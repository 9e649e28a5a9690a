"""Choose between the gold and the predicted entities of a file that has both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.detection import CLUSTER_FIELDS
from corefscope.formats.options import Reading
from corefscope.formats.records import records
from corefscope.formats.source import Source

GOLD, PREDICTED = CLUSTER_FIELDS
CHOOSING = ("allennlp", "fastcoref", "subtoken")
"""The formats whose gold and predicted clusters are told apart by :class:`Chooser`."""
LONGEST_MATCH = 1000
"""The most bytes of a match that may be divided between two blocks of a file."""
OTHER_NAME = re.compile(r"^clusters$|(gold|pred|system|response|hyp)\w*(cluster|coref|chain)")
"""Names of fields that hold clusters of a key or of a system."""


def other_clusters(record: Any, reading: Reading) -> list[str]:
    """Return the fields of a record that look like clusters, but are not read in its format."""
    if not isinstance(record, dict) or reading.options.clusters:
        return []
    format = reading.format
    is_chosen = format in CHOOSING or (format == "wl-coref" and "span_clusters" not in record)
    own = CLUSTER_FIELDS if is_chosen else ()
    return [
        field
        for field, value in record.items()
        if field not in own and isinstance(value, list) and value and OTHER_NAME.search(field)
    ]


def how_to_read(field: str, reading: Reading) -> str:
    """Say how to read another field of clusters."""
    if "clusters" in reading.known:
        return f"if {field!r} should be read, use the format '{reading.with_field(field)}'"
    return f"if {field!r} should be read, write it into the field that is read"


class Choice(NamedTuple):
    """The field that the entities of a file are read from, and why."""

    field: str
    reason: str
    is_doubtful: bool = False
    """Whether a key is expected to have another field."""


class Chooser:
    """Chooses the field of all documents of a file, and says so once.

    A key has gold entities, a response has predictions. If the role is not known, the gold entities
    are read, if there are any.
    """

    gold = GOLD
    predicted = PREDICTED

    def __init__(self, source: Source, reading: Reading) -> None:
        self.source = source
        self.reading = reading
        self.is_said = False

    @cached_property
    def choice(self) -> Choice:
        """The field that is read.

        It is the same for all documents, because one that a system failed on may have gold entities
        alone: they must not be scored as its output.
        """
        role, named = self.reading.options.role, self.reading.options.clusters
        if named:
            return Choice(named, "it was named")
        if not self.has_predictions():
            return Choice(self.gold, "there is no other")
        if role == "response":
            return Choice(self.predicted, "the file is used as response")
        if not self.has_gold():
            return Choice(self.predicted, f"there is no {self.gold!r}", role == "key")
        if self.has_only_empty_gold():
            reason = f"{self.gold!r} is empty in all documents"
            return Choice(self.predicted, reason, is_doubtful=True)
        return Choice(self.gold, f"the file is used as {role}" if role else "it comes first")

    def has_predictions(self) -> bool:
        """Return whether a document of the file has predictions."""
        return has(self.source, rf'"{self.predicted}"\s*:')

    def has_gold(self) -> bool:
        """Return whether a document of the file has gold entities."""
        return has(self.source, rf'"{self.gold}"\s*:')

    def has_only_empty_gold(self) -> bool:
        """Return whether the gold entities of all documents are empty, and some predictions not.

        Systems write such files for texts without gold annotation.
        """
        has_some = False
        for record in records(self.source, Builder()):
            if not isinstance(record.value, dict) or record.value.get(self.gold):
                return False
            has_some = has_some or bool(record.value.get(self.predicted))
        return has_some

    def is_given(self, record: Mapping[str, Any], field: str) -> bool:
        """Return whether a document has a field with something to read."""
        return record.get(field) is not None

    def is_missing(self, record: Mapping[str, Any]) -> bool:
        """Return whether a document lacks the predictions that are read."""
        field = self.choice.field
        is_chosen = field == self.predicted and not self.reading.options.clusters
        return is_chosen and not self.is_given(record, field)

    def with_entities(
        self, record: dict[str, Any], findings: list[tuple[Code, str]]
    ) -> dict[str, Any]:
        """Return a record that has entities; where they are missing, there are none."""
        has_both = self.is_given(record, self.gold) and self.is_given(record, self.predicted)
        is_wanted = has_both or self.choice.is_doubtful
        if is_wanted and not self.reading.options.clusters and not self.is_said:
            self.is_said = True
            findings.append((Code.TWO_CLUSTERINGS, self._said(has_both=has_both)))
        if not self.is_missing(record):
            return record
        field, reason, _ = self.choice
        found = f"is {record[field]}" if field in record else "is missing"
        message = (
            f"{field!r} {found}, although other documents have it, so that the document counts as "
            "one without entities"
        )
        other = self.gold if field == self.predicted else self.predicted
        if self.is_given(record, other):
            message += f"; {other!r} is not read, because {reason}"
        findings.append((Code.NOT_ANNOTATED, message))
        return {**record, field: []}

    def _said(self, *, has_both: bool) -> str:
        field, reason, _ = self.choice
        other = self.gold if field == self.predicted else self.predicted
        if not has_both:
            return f"{field!r} is read, because {reason}; expected gold entities in a key"
        return (
            f"the file has {self.gold!r} and {self.predicted!r}; {field!r} is read, because "
            f"{reason}; {how_to_read(other, self.reading)}"
        )


def has(source: Source, pattern: str) -> bool:
    """Return whether a pattern is in a file; what it matches must be short."""
    compiled = re.compile(pattern.encode())
    before = b""
    for _, block in source.blocks():
        if compiled.search(before + block):
            return True
        before = block[-LONGEST_MATCH:]
    return False
