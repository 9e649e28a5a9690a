"""MMAX2: words in `Basedata/X_words.xml`, mentions in `Markables/X_coref_level.xml`.

MMAX2 is an annotation tool that many older corpora were made with. The words have ids, and the
markables of a level have spans of such ids, as in `span="word_3..word_5,word_9"`: both words belong
to the stretch, and a mention may have several stretches. An attribute names the entity: markables
with the same value belong together, and the value `empty`, or none, means an entity of one
mention. If the value is the id of another markable, it is a link.

- Read the project (`X.mmax`), the file of words, a level, or a directory with projects. In a
  directory, only the words and the levels that belong to them are read.
- Where a project has a file `common_paths.xml`, beside it or up to two folders above, words
  and levels are where it says, and have the names that it gives them.
- The names of level and attribute differ between corpora. By default the level is the one whose
  name contains *coref*. The attribute is the first of `coref_class`, `coref_set`, `coref`,
  `coreference`, `member`, `set` and `chain` that is in use, or else another one whose name contains
  one of these words, but not *type*. If there is none, `ref` or `entity` is taken, which may be a
  type; this is reported (`W110`), and so are several such attributes in one level.
  `mmax2:level=phrase,attribute=coref_set` names others.
- Words are counted in the order of the file, whatever the numbers in their ids are.
- Sentences come from the level `sentence`, if there is one.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from corefscope.corpus.offsets import DEFAULT
from corefscope.findings import Code, Finding
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.draft import Draft, Mentions, Place
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.links import linked
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.whole_files import read_whole
from corefscope.formats.reading.xml_trees import (
    contents,
    lines_of,
    numbers_by_id,
    parsed_xml,
    report_unknown,
)
from corefscope.formatting import counted

ATTRIBUTES = ("coref_class", "coref_set", "coref", "coreference", "member", "set", "chain")
"""Attributes that name the entity of a mention, in the order in which they are tried."""
LIKELY = re.compile("coref|member|chain|(?<![a-z])set")
"""Parts of the names of other attributes that do so."""
DOUBTFUL = ("ref", "entity")
"""Attributes that may do so, and may also be a type."""
ALONE = ("", "empty", "none")
"""The values of a markable that belongs to no other."""
NOT_NAMES = ("id", "span", "mmax_level")
"""Attributes of every markable."""
WORDS = "_words.xml"
LEVEL = "_level.xml"
COMMON_PATHS = "common_paths.xml"
WORD_FOLDERS = (".", "../Basedata", "../basedata", "Basedata", "basedata")
LEVEL_FOLDERS = ("../Markables", "../markables", ".", "..")
LAST = chr(sys.maxunicode)
"""Comes after all other characters."""
SEPARATOR = re.compile(r"[;,\s]+")

_Markable: TypeAlias = tuple[Mapping[str, str], int]
"""The attributes of a markable, and its line."""


class _ProjectPaths(NamedTuple):
    """Where the files of a project are; a folder is given relative to that of ``common_paths``."""

    words: Sequence[Path]
    """Folders with words, in the order in which they are tried."""
    levels: Sequence[Path]
    files: Mapping[str, str]
    """The files of levels by name, with ``$`` for the name of the project; empty if unknown."""


class _Files(Struct, frozen=True, kw_only=True):
    """The files of a document."""

    words: Source
    levels: Mapping[str, Source]
    level: str | None
    """The level that the user gave as a file."""
    name: str


def read(file: File) -> None:
    """Read the document that a file belongs to into the corpus."""
    report = file.report
    words = _words_of(file.source, report)
    if words is None:
        report(
            Code.UNREADABLE,
            f"there is no file named *{WORDS} that belongs to this one, here, in a folder "
            f"Basedata beside, or where {COMMON_PATHS} says",
            expected="one with the words",
        )
        return
    found, level = words
    assert found.path is not None
    name = found.path.name.removesuffix(".gz").removesuffix(WORDS)
    levels = _levels(found, name, file.builder, _paths(found, report))
    files = _Files(words=found, levels=levels, level=level, name=name)
    read_whole(file, partial(_drafts, files))


class _Guesses:
    """Counts documents in which the attribute that names the entities was guessed."""

    def __init__(self, reading: Reading) -> None:
        self.documents: Counter[tuple[str, tuple[str, ...]]] = Counter()
        """How many documents have an attribute that is read, and others."""

    def findings(self) -> Iterator[Finding]:
        """Yield what to report."""
        for (name, others), count in self.documents.items():
            reason = "which may also be a type" if name in DOUBTFUL else "although others may do so"
            documents = "1 document" if count == 1 else f"{count:,} documents"
            yield Finding(
                Code.SEVERAL_ANNOTATIONS,
                f"in {documents}, the attribute {name!r} is taken for the one that names the "
                f"entities, {reason}; the others are: {', '.join(others) or 'none'}",
                expected="to know which one does: name it, as in mmax2:attribute=NAME",
            )


def _paths(source: Source, report: FindingReporter) -> _ProjectPaths:
    """Return where the files of a project are, seen from one of them."""
    assert source.path is not None
    folder = source.path.parent
    words = [folder / each for each in WORD_FOLDERS]
    levels = [folder / each for each in LEVEL_FOLDERS]
    common = _find(source, [*source.path.parents][:3], COMMON_PATHS)
    root = None if common is None else parsed_xml(common.whole(), report.about(common))
    if common is None or common.path is None or root is None:
        return _ProjectPaths(words, levels, {})
    given = [root.findtext(element) for element in ("basedata_path", "markable_path")]
    words, levels = (
        # Projects that were made on Windows have its separators.
        usual if path is None else [common.path.parent / path.strip().replace("\\", "/")]
        for path, usual in zip(given, (words, levels), strict=True)
    )
    files = {level.get("name", ""): (level.text or "").strip() for level in root.iter("level")}
    return _ProjectPaths(words, levels, files)


def _words_of(source: Source, report: FindingReporter) -> tuple[Source, str | None] | None:
    """Return the file with the words of a document, and the level that was given."""
    if source.path is None:
        return None
    name = source.path.name.removesuffix(".gz")
    if name.endswith(WORDS):
        return source, None
    folders = _paths(source, report).words
    if name.endswith(LEVEL):
        # X_coref_level.xml may belong to X_words.xml, and X may contain underscores.
        stem, _, level = name.removesuffix(LEVEL).rpartition("_")
        while stem:
            words = _find(source, folders, stem + WORDS)
            if words is not None:
                return words, level
            stem, _, before = stem.rpartition("_")
            level = f"{before}_{level}"
        return None
    project = parsed_xml(source.whole(), FindingReporter(Builder(), source.name))
    given = "" if project is None else project.findtext("words", "").strip()
    words = _find(source, folders, given) if Path(given).name == given else None
    return None if words is None else (words, None)


def _find(source: Source, folders: Sequence[Path], name: str) -> Source | None:
    if not name:
        return None
    found = (source.other(folder / name) for folder in folders)
    return next((each for each in found if each is not None), None)


def _levels(words: Source, name: str, builder: Builder, paths: _ProjectPaths) -> dict[str, Source]:
    """Return the files with the levels of a document, by name of the level."""
    levels: dict[str, Source] = {}
    for level, file in paths.files.items():
        found = _find(words, paths.levels, file.replace("$", name))
        if found is not None:
            levels[level] = found
    if paths.files:
        return levels
    start = f"{name}_"
    for place in paths.levels:
        files = builder.names_in(place)
        for file in files[bisect_left(files, start) : bisect_left(files, start + LAST)]:
            plain, path = file.removesuffix(".gz"), place / file
            if plain.endswith(LEVEL) and path.is_file():
                level = plain.removeprefix(start).removesuffix(LEVEL)
                levels.setdefault(level, Source(name=str(path), path=path, limits=words.limits))
    return levels


def _drafts(files: _Files, file: File, data: bytes) -> Iterator[Draft]:
    report, options, guesses = file.report, file.options, file.tally(_Guesses)
    text, about_words = files.words.whole(), report.about(files.words)
    root = parsed_xml(text, about_words)
    level = _level(files, options.level, report)
    if root is None or level is None:
        return
    words = list(root.iter("word"))
    places = numbers_by_id(words, "id", root, text, about_words)
    markables = _markables(files.levels[level], report)
    if markables is None:
        return
    about = report.about(files.levels[level])
    sentences = _sentences(files, places, len(words), report)
    attribute = _attribute(markables, options.attribute, guesses, about)
    yield Draft(
        name=files.name,
        words=contents(words),
        sentences=sentences,
        mentions=_mentions(markables, places, attribute, about),
        convention=DEFAULT,
    )


def _level(files: _Files, chosen: str | None, report: FindingReporter) -> str | None:
    """Return the level with the mentions."""
    wanted = chosen or files.level
    known = ", ".join(files.levels) or "none"
    if wanted is not None:
        if wanted in files.levels:
            return wanted
        report(Code.NOT_IN_FILE, f"there is no level {wanted!r}", expected=f"one of these: {known}")
        return None
    found = [level for level in files.levels if "coref" in level.lower()]
    if len(found) == 1:
        return found[0]
    report(
        Code.NOT_IN_FILE,
        f"no level, or more than one, has a name with 'coref'; the levels are: {known}",
        expected="to know which one has the mentions: name it, as in mmax2:level=NAME",
    )
    return None


def _markables(source: Source, report: FindingReporter) -> list[_Markable] | None:
    """Return the attributes of the markables of a level, and their lines."""
    data = source.whole()
    root = parsed_xml(data, report.about(source))
    if root is None:
        return None
    markables = list(root.iter("markable"))
    report_unknown([root], ("markable",), root, data, report.about(source))
    lines = lines_of(markables, root, data)
    return [(markable.attrib, lines[markable]) for markable in markables]


def _mentions(
    markables: list[_Markable], places: Mapping[str, int], attribute: str, report: FindingReporter
) -> Mentions:
    _report_repeated(markables, report)
    mentions: dict[str, tuple[Place, ...]] = {}
    values: dict[str, str] = {}
    for number, markable in enumerate(markables):
        stretches = _stretches(markable, places, report)
        if stretches:
            attributes, _ = markable
            id = attributes.get("id") or f"#{number}"
            mentions[id] = stretches
            values[id] = attributes.get(attribute, "")
    _report_lacking(markables, attribute, report)
    others = {value: _others(value, mentions) for value in set(values.values())}
    # Markables with the name of an entity stand together before links are looked at.
    members: dict[tuple[str, str], list[str]] = {}
    part_of: dict[str, tuple[str, str]] = {}
    for id, value in values.items():
        is_named = not others[value] and value.lower() not in ALONE
        part_of[id] = ("set", value) if is_named else ("markable", id)
        members.setdefault(part_of[id], []).append(id)
    links = [
        (part_of[other], part_of[id]) for id, value in values.items() for other in others[value]
    ]
    groups = linked(members, links)
    ids = [[id for part in group for id in members[part]] for group in groups]
    found = list(map(mentions.__getitem__, chain.from_iterable(ids)))
    flat = list(chain.from_iterable(found))
    return Mentions(
        labels=[
            next((name for kind, name in group if kind == "set"), group[0][1]) for group in groups
        ],
        sizes=list(map(len, ids)),
        places=flat,
        parts=list(map(len, found)) if len(flat) != len(found) else (),
    )


def _report_lacking(markables: list[_Markable], attribute: str, report: FindingReporter) -> None:
    """Report markables without the attribute that most of the others have."""
    lacking = [line for attributes, line in markables if not attributes.get(attribute)]
    if attribute and lacking and 4 * len(lacking) < len(markables):
        have = counted(len(lacking), "markable has", "markables have")
        report(
            Code.UNLINKED,
            f"{have} no attribute {attribute!r}, which the others have",
            lacking[0],
            expected="it, or its value 'empty': each is an entity of one mention",
        )


def _report_repeated(markables: list[_Markable], report: FindingReporter) -> None:
    """Report markables with the id of another one, which would be lost."""
    first: dict[str, int] = {}
    for number, (attributes, line) in enumerate(markables):
        id = attributes.get("id", "")
        if id and first.setdefault(id, number) != number:
            report(
                Code.BAD_LINE,
                f"the markable {id!r} occurred before, on line {markables[first[id]][1]}",
                line,
                expected="each id once",
            )


def _others(value: str, known: Container[str]) -> list[str]:
    """Return the markables that a value names; none if it does not name markables only."""
    others = [part.rpartition(":")[2] for part in SEPARATOR.split(value)]
    return others if all(other in known for other in others) else []


def _attribute(
    markables: list[_Markable], chosen: str | None, guesses: _Guesses, report: FindingReporter
) -> str:
    """Return the attribute that names the entities; nothing if there is none."""
    there = set[str]().union(*(attributes for attributes, _ in markables))
    if chosen is not None:
        if chosen not in there and markables:
            found = f"no markable has the attribute {chosen!r}"
            expected = f"one of these: {', '.join(sorted(there))}"
            report(Code.NOT_IN_FILE, found, expected=expected)
        return chosen
    candidates = _candidates(there)
    if not candidates:
        if markables:
            report(
                Code.NOT_IN_FILE,
                "no attribute of the markables is known to name their entities",
                expected=(
                    "to know which one does: name it, as in mmax2:attribute=NAME. There are: "
                    f"{', '.join(sorted(there))}"
                ),
            )
        return ""
    used = [name for name in candidates if _is_used(name, markables)] or candidates[:1]
    if used[0] in DOUBTFUL:
        guesses.documents[used[0], tuple(sorted(there - {used[0], *NOT_NAMES}))] += 1
    elif len(used) > 1:
        guesses.documents[used[0], tuple(used[1:])] += 1
    return used[0]


def _candidates(there: Collection[str]) -> list[str]:
    """Return the attributes that may name the entities, the most likely first."""
    known = [name for name in ATTRIBUTES if name in there]
    likely = [name for name in there if LIKELY.search(name.lower()) and name not in known]
    others = [name for name in likely if "type" not in name.lower()]
    others.sort(key=lambda name: ("coref" not in name.lower(), name))
    return [*known, *others] or [name for name in DOUBTFUL if name in there]


def _is_used(name: str, markables: list[_Markable]) -> bool:
    """Return whether a markable has a value of an attribute."""
    return any(attributes.get(name, "").lower() not in ALONE for attributes, _ in markables)


def _stretches(
    markable: _Markable, places: Mapping[str, int], report: FindingReporter
) -> tuple[Place, ...]:
    """Return the stretches of a markable; none if they cannot be read."""
    attributes, line = markable
    span = attributes.get("span", "")
    edges = [part.strip().partition("..") for part in span.split(",")]
    try:
        return tuple(
            (places[first], places[last if dots else first]) for first, dots, last in edges
        )
    except KeyError:
        report(
            Code.BAD_LINE,
            f"the span {span[:60]!r}",
            line,
            expected="ids of words, such as word_3..word_5,word_9",
        )
        return ()


def _sentences(
    files: _Files, places: Mapping[str, int], words: int, report: FindingReporter
) -> list[int] | None:
    """Return the lengths of the sentences, if there is a level for them."""
    if "sentence" not in files.levels:
        return None
    markables = _markables(files.levels["sentence"], report) or []
    about = report.about(files.levels["sentence"])
    found = (_stretches(markable, places, about) for markable in markables)
    edges = sorted({0, words, *(stretches[0][0] for stretches in found if stretches)})
    return [after - before for before, after in pairwise(edges)]
