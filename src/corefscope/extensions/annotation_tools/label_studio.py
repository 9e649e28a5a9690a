"""JSON of Label Studio, with relations between annotated stretches of text.

Label Studio is a tool for annotating data. An export is a list of tasks. The text of a task is in
`data`; each result in `annotations` has a stretch of the text (`value` with `start`, `end` and
`text`) or a relation between two of them (`from_id` and `to_id`). Offsets count characters from 0,
and ends are exclusive.

- Relations without a label mean identity. Those with a label are read if the label contains
  *coref*, *anaphor* or *cataphor*, a word that begins with *ident* or *same*, or the word *ana* or
  *cata*. Words end at signs, digits and capitals: `CorefIdent` has two. They are not read if the
  label contains *bridg* or *split*, a word that begins with *non*, or the word *no*, *not*, *near*
  or *part* (also *parts*, *partial*, *partof*). `label-studio:relations=coref+appos` names others.
  Relations that are not read are reported with their counts (`W160`), as are those that are read
  although their labels have other words (`W160`).
- A stretch of text without a relation is an entity of one mention. So is one without an `id`, to
  which no relation can refer. Results with the same `id` must have the same stretch (`E112`).
- The first annotation of a task that was not cancelled is read; further ones are reported (`W110`).
  `label-studio:annotator=3` reads those of one annotator, named as in `completed_by`, by number or
  by e-mail address; tasks that this annotator did not annotate are left out. `corefscope agree`
  compares all annotators. A response is read from `predictions` if there are some in the file; the
  choice is reported (`W110`), and so is a task that has none, or only cancelled ones (`W210`).
- There is no name in the file: several texts in one file are numbered, and paired with the key by
  their text.
- The short export (JSON-MIN) has no relations, and so no entities.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any

from corefscope.findings import Code, Finding
from corefscope.formats.reading.cluster_fields import Chooser, has
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.file import File
from corefscope.formats.reading.json_documents import JsonDocument, read_documents
from corefscope.formats.reading.links import Links
from corefscope.formats.reading.records import records
from corefscope.formats.reading.relations import Relations
from corefscope.formats.reading.shapes import object_of
from corefscope.formats.reading.source import Source

NO_LABEL = ""
ANNOTATIONS = ("annotations", "completions")
"""The field with what people annotated; the second is the name in old versions."""


def read(file: File) -> None:
    """Read the tasks of a file into the corpus."""
    read_documents(file, partial(_drafts, relations=file.tally(Relations)), _Chooser(file))


class _Chooser(Chooser):
    """Chooses between annotations and predictions; an empty list means that there are none."""

    gold = "annotations"
    predicted = "predictions"

    def has_predictions(self) -> bool:
        """Return whether a task has predictions."""
        return has(self.source, r'"predictions"\s*:\s*\[\s*\{')

    def has_gold(self) -> bool:
        """Return whether a task was annotated."""
        return has(self.source, rf'"({"|".join(ANNOTATIONS)})"\s*:\s*\[\s*\{{')

    def has_only_empty_gold(self) -> bool:
        """Return False, because empty lists do not count as annotations in the first place."""
        return False

    @cached_property
    def has_some(self) -> bool:
        """Whether there is something to read in some task."""
        return self.has_predictions() or self.has_gold()

    def is_given(self, record: Mapping[str, Any], field: str) -> bool:
        """Return whether a task has annotations that were not cancelled, or predictions."""
        found = record.get(field)
        return not all(map(_is_cancelled, found)) if isinstance(found, list) else bool(found)

    def absence(self, record: Mapping[str, Any]) -> str:
        """Say that the annotations of a task were cancelled, or are missing."""
        is_cancelled = bool(record.get(self.choice.field))
        return "has only cancelled annotations" if is_cancelled else super().absence(record)

    def is_missing(self, record: Mapping[str, Any]) -> bool:
        """Return whether a task has nothing to read, although others have."""
        return not self.is_given(record, self.choice.field) and self.has_some


def _drafts(document: JsonDocument, relations: Relations) -> Iterator[Draft]:
    options, findings = document.options, document.findings
    task = _with_new_name(object_of(document.value))
    if options.annotator is not None:
        own = [each for each in _annotations(task) if annotator_of(each) == options.annotator]
        if not own:
            return
        task = {**task, ANNOTATIONS[0]: own}
    document.value = task
    task, field = document.fields, document.field
    yield Draft(
        # Annotators need not have annotated the same tasks, so that these cannot be numbered.
        name=None if options.annotator is None or "id" not in task else f"task {task['id']}",
        text=_text(task.get("data")),
        convention=options.convention(),
        mentions=_mentions(_results(task.get(field, []), field, findings), relations, findings),
        findings=findings,
    )


def _with_new_name(task: dict[str, Any]) -> dict[str, Any]:
    """Return a task whose annotations have the name of new versions."""
    new, old = ANNOTATIONS
    return {**task, new: task[old]} if old in task and new not in task else task


def annotators(source: Source) -> list[str | None]:
    """Return who annotated the tasks of a file, each once; None stands for someone unknown."""
    found: dict[str | None, None] = {}
    for record in records(File(source=source)):
        if isinstance(record.value, dict):
            task = _with_new_name(record.value)
            found |= dict.fromkeys(map(annotator_of, _annotations(task)))
    return list(found)


def _annotations(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the annotations of a task that were not cancelled; odd ones are reported later."""
    given = task.get(ANNOTATIONS[0])
    listed = given if isinstance(given, list) else []
    return [each for each in listed if isinstance(each, dict) and not _is_cancelled(each)]


def annotator_of(annotation: Mapping[str, Any]) -> str | None:
    """Return who made an annotation: the e-mail address or the number of a user, if known."""
    user = annotation.get("completed_by")
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    return str(user) if isinstance(user, (str, int)) and user != "" else None


def _text(data: Any) -> str:
    """Return the text of a task: its field ``text``, or else its longest string."""
    values = data if isinstance(data, dict) else {}
    strings = [value for value in values.values() if isinstance(value, str)]
    if isinstance(values.get("text"), str):
        return str(values["text"])
    if not strings:
        raise Unfit(f"'data' is {reprlib.repr(data)}", expected="an object with a text")
    return max(strings, key=len)


def _results(found: Any, field: str, findings: list[Finding]) -> list[Any]:
    """Return the results of the annotation or prediction that is read."""
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Unfit(f"{field!r} is {reprlib.repr(found)}", expected="a list of objects")
    kept = [each for each in found if not _is_cancelled(each)]
    if len(kept) > 1:
        message = f"{len(kept)} {field} of the same text; the first is read"
        findings.append(Finding(Code.SEVERAL_ANNOTATIONS, message))
    results = kept[0].get("result") if kept else []
    if not isinstance(results, list) or not all(isinstance(each, dict) for each in results):
        raise Unfit(f"'result' is {reprlib.repr(results)}", expected="a list of objects")
    return results


def _is_cancelled(annotation: Any) -> bool:
    return isinstance(annotation, dict) and bool(annotation.get("was_cancelled"))


def _mentions(
    results: list[dict[str, Any]], relations: Relations, findings: list[Finding]
) -> Mentions:
    marks: dict[str, dict[str, Any]] = {}
    for number, result in enumerate(results):
        value = result.get("value")
        if isinstance(value, dict) and "start" in value and "end" in value:
            id = result.get("id")
            _add(marks, f"result {number}" if id is None or id == "" else str(id), value)
        elif result.get("type") in (None, "labels"):
            found = reprlib.repr(result)
            raise Unfit(f"a result is {found}", expected="'value' with start and end, or a 'type'")
    groups = _linked(marks, results, relations, findings)
    values = [marks[id] for group in groups for id in group]
    return Mentions(
        labels=[group[0] for group in groups],
        sizes=list(map(len, groups)),
        places=[(value["start"], value["end"]) for value in values],
        strings=[text if isinstance(text := value.get("text"), str) else None for value in values],
        types=[_type(value.get("labels")) for value in values],
    )


def _add(marks: dict[str, dict[str, Any]], id: str, value: dict[str, Any]) -> None:
    """Add a stretch of text; several results may be about the same one."""
    edges = value["start"], value["end"]
    if not all(type(edge) is int for edge in edges):
        start, end = map(reprlib.repr, edges)
        raise Unfit(f"start {start} and end {end}", expected="numbers")
    first = marks.setdefault(id, value)
    if edges != (first["start"], first["end"]):
        raise Unfit(
            f"two results have the id {id!r}, one from {first['start']} to {first['end']} and one "
            f"from {edges[0]} to {edges[1]}",
            expected="an id for each stretch of text",
        )
    # The labels of a stretch may be in a later result than its other properties.
    if "labels" in value:
        marks[id] = value


def _linked(
    marks: Mapping[str, object],
    results: list[dict[str, Any]],
    relations: Relations,
    findings: list[Finding],
) -> list[list[str]]:
    """Return the ids of each entity."""
    links: Links[str] = Links()
    for id in marks:
        links.add(id)
    for result in results:
        ends = _ends(result, marks)
        if ends is not None:
            if ends[0] == ends[1]:
                findings.append(
                    Finding(
                        Code.OTHER_RELATIONS,
                        f"a relation links {ends[0]!r} to itself",
                        expected="two mentions",
                    )
                )
            if any(label == NO_LABEL or relations.accepts(label) for label in _labels(result)):
                links.join(ends)
    return links.groups()


def _ends(result: dict[str, Any], marks: Mapping[str, object]) -> tuple[str, str] | None:
    """Return the ids that a relation links; None if the result is none."""
    if result.get("type") != "relation":
        if {"from_id", "to_id"} & result.keys():
            kind = reprlib.repr(result.get("type"))
            raise Unfit(
                f"a result with from_id and to_id has the type {kind}", expected="'relation'"
            )
        return None
    ends = str(result.get("from_id")), str(result.get("to_id"))
    for end in ends:
        if end not in marks:
            raise Unfit(f"a relation has the end {end!r}", expected="the id of a result")
    return ends


def _labels(result: dict[str, Any]) -> list[str]:
    labels = result.get("labels")
    return list(map(str, labels)) if isinstance(labels, list) and labels else [NO_LABEL]


def _type(labels: Any) -> str | None:
    return str(labels[0]) if isinstance(labels, list) and labels else None
