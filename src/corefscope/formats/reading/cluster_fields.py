"""Choose between the gold and the predicted entities of a file that has both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from corefscope.findings import Code, Finding
from corefscope.formats.detection import CLUSTER_FIELDS
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import Reading, ReadingOptions
from corefscope.formats.reading.records import records
from corefscope.formats.reading.source import Source

GOLD, PREDICTED = CLUSTER_FIELDS
OTHER_GOLD = "gold_clusters"
"""How some programs name the gold entities beside predictions."""
OTHER_PREDICTIONS = (
    r'pred((?:iction|icted)?s?_?(?:(?:cluster|coref|chain|entit)\w*)?)"\s*:\s*(?:\[\s*){3}\d'
)
"""The end of another name of predictions, and the first span. It begins with letters, which are
found fast."""
LONGEST_MATCH = 1000
"""The most bytes of a match that may be divided between two blocks of a file."""
OTHER_NAME = re.compile(r"^clusters$|(gold|pred|system|response|hyp)\w*(cluster|coref|chain)")
"""Names of fields that hold clusters of a key or of a system."""


def other_clusters(record: Any, reading: Reading) -> list[str]:
    """Return the fields of a record that look like clusters, but are not read in its format."""
    if not isinstance(record, dict) or reading.options.clusters:
        return []
    # A file of wl-coref may have the usual fields instead of its own.
    gold = reading.gold if reading.gold is None or reading.gold in record else GOLD
    own = () if gold is None else (gold, PREDICTED)
    is_chosen = bool(own) and reading.options.role == "response"
    return [
        field
        for field, value in record.items()
        # Chains of CoreNLP are an object.
        if field not in own
        and not (is_chosen and "pred" in field)
        and isinstance(value, (list, dict))
        and value
        and OTHER_NAME.search(field)
    ]


def how_to_read(field: str, reading: Reading) -> str:
    """Say how to read another field of clusters."""
    if "clusters" in reading.known:
        return f"if {field!r} should be read, use the format '{reading.with_field(field)}'"
    return f"if {field!r} should be read, write it into the field that is read"


def two_fields(read: str, other: str, reason: str, reading: Reading) -> Finding:
    """Say which of two fields is read, why, and how to read the other one."""
    return Finding(
        Code.SEVERAL_ANNOTATIONS,
        f"the file has {read!r} and {other!r}; {read!r} is read, because {reason}; "
        f"{how_to_read(other, reading)}",
    )


class Choice(NamedTuple):
    """The field that the entities of a file are read from, and why."""

    field: str
    reason: str
    is_doubtful: bool = False
    """Whether a key is expected to have another field."""


SPAN_GROUP = re.compile(r"(\w+)_(\d+)")
"""The name of a group of spans of spaCy that is an entity: a prefix, and its number."""
USUAL_GROUPS = "coref_clusters"
"""The prefix that spacy-experimental uses."""
HEAD_GROUPS = "coref_head_clusters"
"""The prefix of groups with heads, which are not entities."""
GOLD_GROUPS = re.compile("gold")
ODD_FOR = {"key": re.compile("pred|system|response|hyp"), "response": GOLD_GROUPS}
"""Names of groups that one does not expect in a role."""


class GroupChoice(NamedTuple):
    """Which entities of spaCy documents are read."""

    prefix: str | None
    """How the names of their groups begin; None if a component of spaCy found them."""
    doubt: Finding | None = None
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
        doubt = Finding(
            Code.SEVERAL_ANNOTATIONS,
            f"there are only entities such as '{prefix}_1', which are read although they are used "
            f"as {role}",
            expected=f"entities of a {role}, in groups such as '{USUAL_GROUPS}_1'",
        )
        return GroupChoice(prefix, doubt if is_odd else None)
    other = next(each for each in found if each != chosen)
    reason = f"they are used as {role}" if role else "they are the usual ones"
    shown = " and ".join(f"'{each}_1'" if each in groups else each for each in found)
    message = (
        f"there are entities such as {shown}; those of {chosen!r} are read, because {reason}; if "
        f"{other!r} should be read, {remedy.format(other)}"
    )
    return GroupChoice(prefix, Finding(Code.SEVERAL_ANNOTATIONS, message))


def unnumbered_groups(names: Iterable[str]) -> Iterator[Finding]:
    """Report a group of spans that looks like clusters, but is not named as one entity."""
    for name in names:
        numbered = SPAN_GROUP.fullmatch(name)
        is_like = name.startswith(USUAL_GROUPS) or OTHER_NAME.search(name)
        if is_like and not numbered:
            message = (
                f"the group of spans {name!r} looks like clusters, too, but only groups with a "
                "number are read, such as 'coref_clusters_1'; to score it, number its entities"
            )
            yield Finding(Code.SEVERAL_ANNOTATIONS, message)
            return
        if numbered and _is_misspelt(numbered[1]):
            yield Finding(
                Code.SEVERAL_ANNOTATIONS,
                f"the group of spans {name!r} is not read",
                expected="a name such as 'coref_clusters_1', if it is an entity",
            )
            return


def _is_misspelt(prefix: str) -> bool:
    """Return whether a name is nearly the usual one, but not that of heads."""
    from difflib import get_close_matches

    others = (USUAL_GROUPS, HEAD_GROUPS)
    return prefix not in others and bool(get_close_matches(prefix.lower(), others, 1, 0.9))


class Chooser:
    """Chooses the field of all documents of a file, and says so once.

    A key has gold entities, a response has predictions. If the role is not known, the gold entities
    are read, if there are any.
    """

    gold = GOLD
    predicted = PREDICTED

    def __init__(self, file: File) -> None:
        # Without its builder, which is not sent to other processes.
        self.source = file.source
        self.reading = file.reading
        self.gold = self.reading.gold or self.gold
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
            other = _other_predictions(self.source) if role == "response" else None
            if other is None:
                return Choice(self.gold, "there is no other")
            self.predicted = other
        if role == "response":
            return Choice(self.predicted, "the file is used as response")
        if not self.has_gold() and has(self.source, rf'"{OTHER_GOLD}"\s*:'):
            self.gold = OTHER_GOLD
        elif not self.has_gold():
            return Choice(self.predicted, f"there is no {self.gold!r}", role == "key")
        if self.has_only_empty_gold():
            reason = f"{self.gold!r} is empty in all documents"
            return Choice(self.predicted, reason, is_doubtful=True)
        return Choice(self.gold, f"the file is used as {role}" if role else "it is the usual one")

    def others_said(self, record: Any) -> str:
        """Say that a field of a record looks like clusters but is not read; "" if none does."""
        field = next(iter(other_clusters(record, self.reading)), None)
        if field is None:
            return ""
        how = how_to_read(field, self.reading)
        return f"{field!r} also looks like clusters, but is not read; {how}"

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
        for record in records(File(source=self.source)):
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

    def absence(self, record: Mapping[str, Any]) -> str:
        """Say how the entities of a document that lacks them are missing."""
        field = self.choice.field
        return f"is {record[field]}" if field in record else "is missing"

    def with_entities(self, record: dict[str, Any], findings: list[Finding]) -> dict[str, Any]:
        """Return a record that has entities; where they are missing, there are none."""
        has_both = self.is_given(record, self.gold) and self.is_given(record, self.predicted)
        is_wanted = has_both or self.choice.is_doubtful
        if is_wanted and not self.reading.options.clusters and not self.is_said:
            self.is_said = True
            findings.append(self._said(has_both=has_both))
        if not self.is_missing(record):
            return record
        field, reason, _ = self.choice
        message = (
            f"{field!r} {self.absence(record)}, although other documents have it, so that the "
            "document counts as one without entities"
        )
        other = self.gold if field == self.predicted else self.predicted
        if self.is_given(record, other):
            message += f"; {other!r} is not read, because {reason}"
        findings.append(Finding(Code.NOTHING_READ, message))
        return {**record, field: []}

    def _said(self, *, has_both: bool) -> Finding:
        field, reason, _ = self.choice
        other = self.gold if field == self.predicted else self.predicted
        if not has_both:
            found = f"{field!r} is read, because {reason}"
            return Finding(Code.SEVERAL_ANNOTATIONS, found, expected="gold entities in a key")
        return two_fields(field, other, reason, self.reading)


def _other_predictions(source: Source) -> str | None:
    """Return the name of another field with spans that is named as predictions, if there is one."""
    found = _search(source, OTHER_PREDICTIONS)
    return None if found is None else found.string[: found.end(1)].rpartition(b'"')[2].decode()


def has(source: Source, pattern: str) -> bool:
    """Return whether a pattern is in a file; what it matches must be short."""
    return _search(source, pattern) is not None


def _search(source: Source, pattern: str) -> re.Match[bytes] | None:
    compiled = re.compile(pattern.encode())
    before = b""
    for _, block in source.blocks():
        if found := compiled.search(before + block):
            return found
        before = block[-LONGEST_MATCH:]
    return None
