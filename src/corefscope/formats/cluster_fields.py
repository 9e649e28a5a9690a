"""Choose between the gold and the predicted clusters of a record that has both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.detection import CLUSTER_FIELDS
from corefscope.formats.options import Reading, ReadingOptions
from corefscope.formats.records import records
from corefscope.formats.source import Source

GOLD, PREDICTED = CLUSTER_FIELDS
CHOOSING = ("allennlp", "fastcoref", "subtoken")
"""The formats whose gold and predicted clusters are told apart by :class:`Chooser`."""
WITH_FIELD = (*CHOOSING, "maverick", "preco", "spacy", "spacy-json", "wl-coref")
"""The formats, apart from JSON lines, with an option for the field or group of the clusters."""
OTHER_NAME = re.compile(r"^clusters$|(gold|pred|system|response|hyp)\w*(cluster|coref|chain)")
"""Names of fields that hold clusters of a key or of a system."""
ONLY_PREDICTIONS = (
    f"{GOLD!r} is empty in all documents, so {PREDICTED!r} is read; expected gold clusters in a key"
)


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


def lacks_gold(values: Iterable[Any], options: ReadingOptions) -> bool:
    """Return whether gold clusters would be read, but those of some records are all empty."""
    if options.clusters or options.role == "response":
        return False
    found = [value for value in values if isinstance(value, dict)]
    return any(value.get(PREDICTED) for value in found) and not any(
        value.get(GOLD) or GOLD not in value for value in found
    )


def has_only_predictions(source: Source) -> bool:
    """Return whether the gold clusters of all documents are empty, and some predictions are not.

    Systems write such files for texts without gold annotation.
    """
    has_some = False
    for record in records(source, Builder()):
        if not isinstance(record.value, dict) or record.value.get(GOLD):
            return False
        has_some = has_some or bool(record.value.get(PREDICTED))
    return has_some


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


def how_to_read(field: str, format: str) -> str:
    """Say how to read another field of clusters."""
    if format in WITH_FIELD:
        return f"if it should be read, use the format '{format}:{field}'"
    return "if it should be scored, write it into the field that is read"


SPAN_GROUP = re.compile(r"(\w+)_(\d+)")
"""The name of a group of spans of spaCy that is an entity: a prefix, and its number."""
USUAL_GROUPS = "coref_clusters"
"""The prefix that spacy-experimental uses."""
GOLD_GROUPS = re.compile("gold")
ODD_FOR = {"key": re.compile("pred|system|response|hyp"), "response": GOLD_GROUPS}
"""Names of groups that one does not expect in a role."""


class GroupChoice(NamedTuple):
    """Which entities of spaCy documents are read."""

    prefix: str | None
    """How the names of their groups begin; None if a component of spaCy found them."""
    message: str | None = None
    """Why these, if there are others."""


def chosen_groups(
    names: Iterable[str], options: ReadingOptions, remedy: str, component: str | None = None
) -> GroupChoice:
    """Choose between groups of spans, such as gold and predicted ones, for all documents.

    A document that lacks the chosen groups has no entities, whatever else it has.

    Parameters
    ----------
    names
        The names of the groups of all documents.
    options
        The role of the documents, and the prefix that the user chose.
    remedy
        What to do if others should be read, with ``{}`` for their prefix.
    component
        Where a component of spaCy wrote its entities, if there are some.

    Returns
    -------
    GroupChoice
        Gold entities in a key, and others in a response, as far as there are some.
    """
    if options.clusters:
        return GroupChoice(options.clusters)
    prefixes = dict.fromkeys(match[1] for match in map(SPAN_GROUP.fullmatch, names) if match)
    groups = [each for each in prefixes if each == USUAL_GROUPS or OTHER_NAME.search(each)]
    found = [*groups, *([component] if component else [])]
    gold = [each for each in found if GOLD_GROUPS.search(each)]
    others = [each for each in found if each not in gold]
    usual = USUAL_GROUPS if USUAL_GROUPS in found else next(iter([*others, *gold]), None)
    chosen = gold[0] if gold and options.role == "key" else usual
    prefix = chosen if chosen in groups else None
    role = options.role
    if len(found) < 2:
        is_odd = role is not None and prefix is not None and ODD_FOR[role].search(prefix)
        message = (
            f"there are only entities such as '{prefix}_1', which are read although they are used "
            f"as {role}; expected entities of a {role}, in groups such as '{USUAL_GROUPS}_1'"
        )
        return GroupChoice(prefix, message if is_odd else None)
    other = next(each for each in found if each != chosen)
    reason = f"they are used as {role}" if role else "they are the usual ones"
    shown = " and ".join(f"'{each}_1'" if each in groups else each for each in found)
    message = (
        f"there are entities such as {shown}; those of {chosen!r} are read, because {reason}; if "
        f"{other!r} should be read, {remedy.format(other)}"
    )
    return GroupChoice(prefix, message)


class Chooser:
    """Chooses the field for each record of a file, and says so once."""

    def __init__(self, source: Source, options: ReadingOptions, format: str) -> None:
        self.source = source
        self.options = options
        self.format = format
        self.is_said = False

    @cached_property
    def reads_predictions(self) -> bool:
        """Whether the file has nothing but predictions, although it has a field for gold."""
        return has_only_predictions(self.source)

    def field(self, record: Mapping[str, Any], findings: list[tuple[Code, str]]) -> str:
        """Return the field that the clusters are read from."""
        field = cluster_field(record, self.options)
        is_empty = field == GOLD and record.get(GOLD) == [] and bool(record.get(PREDICTED))
        if is_empty and not self.options.clusters and self.reads_predictions:
            field = PREDICTED
        both = GOLD in record and PREDICTED in record
        if both and not self.options.clusters and not self.is_said:
            self.is_said = True
            findings.append((Code.TWO_CLUSTERINGS, self._said(field)))
        return field

    def _said(self, field: str) -> str:
        other = GOLD if field == PREDICTED else PREDICTED
        role = self.options.role
        if field == PREDICTED and role != "response":
            reason = f"{GOLD!r} is empty in all documents"
        else:
            reason = f"the file is used as {role}" if role else "it comes first"
        return (
            f"the file has {GOLD!r} and {PREDICTED!r}; {field!r} is read, because {reason}; if "
            f"{other!r} should be read, use the format '{self.format}:{other}'"
        )
