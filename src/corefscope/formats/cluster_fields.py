"""Choose between the gold and the predicted clusters of a record that has both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corefscope.findings import Code
from corefscope.formats.detection import CLUSTER_FIELDS
from corefscope.formats.options import ReadingOptions

GOLD, PREDICTED = CLUSTER_FIELDS


def cluster_field(record: Mapping[str, Any], options: ReadingOptions) -> str:
    """Return the field that the clusters are read from.

    A key has gold clusters, a response has predictions. Without a role the gold clusters are read,
    if there are any.
    """
    if options.clusters:
        return options.clusters
    if options.role == "response" and record.get(PREDICTED) is not None:
        return PREDICTED
    return GOLD if GOLD in record or PREDICTED not in record else PREDICTED


class Chooser:
    """Chooses the field for each record of a file, and says so once."""

    def __init__(self, options: ReadingOptions, format: str) -> None:
        self.options = options
        self.format = format
        self.is_said = False

    def field(self, record: Mapping[str, Any], findings: list[tuple[Code, str]]) -> str:
        """Return the field that the clusters are read from."""
        field = cluster_field(record, self.options)
        both = GOLD in record and PREDICTED in record
        if both and not self.options.clusters and not self.is_said:
            self.is_said = True
            findings.append((Code.TWO_CLUSTERINGS, self._said(field)))
        return field

    def _said(self, field: str) -> str:
        other = GOLD if field == PREDICTED else PREDICTED
        role = self.options.role
        reason = f"the file is used as {role}" if role else "it comes first"
        return (
            f"the file has {GOLD!r} and {PREDICTED!r}; {field!r} is read, because {reason}; if "
            f"{other!r} should be read, use the format '{self.format}:{other}'"
        )
