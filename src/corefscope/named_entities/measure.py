"""Measure the named entity coreference of a response."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from corefscope.choices import PairBy, Singletons
from corefscope.corpus import Corpus, Document
from corefscope.corpus.layers import Attributes
from corefscope.corpus.mentions import Span
from corefscope.corpus.tasks import document_tasks
from corefscope.engines import Documents, current
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding, Remedy, borrowed_layers
from corefscope.formatting import PERCENT, TEXT, Value, counted
from corefscope.language import MentionType, Text, says_something
from corefscope.matching.documents import paired_documents
from corefscope.matching.matching import Matching, repeated_mentions
from corefscope.matching.pairs import DocumentPair, paired_entities
from corefscope.named_entities.doubts import NecDoubts, few_named
from corefscope.named_entities.heads import Name
from corefscope.named_entities.names_file import Names, NamesOfFile
from corefscope.named_entities.options import NecOptions
from corefscope.named_entities.rows import ChainRow, Chains, DocumentRows, document_rows
from corefscope.named_entities.shifted_names import ComparedNames, shifted_names
from corefscope.named_entities.summary import TypeScore, macro_f1, summarise
from corefscope.named_entities.text import NamedText, NameLayers
from corefscope.options import make_options
from corefscope.results.record import flat
from corefscope.results.rows import FigureFormat, Row, Tabular
from corefscope.scoring.measure import score_matching

STRATEGIES = ("dependency", "constituency", "heuristic")
"""The ways to find heads, the best first."""


class Nec(Tabular, Struct, frozen=True, eq=False, kw_only=True):
    """Named entity coreference: figures by entity type, and one row per key chain."""

    options: NecOptions
    heads: str
    """How heads were found: dependency, constituency, heuristic, or the corpus's own attributes.

    If only some documents have attributes, both are named: ``attributes+constituency``.
    """
    documents: Sequence[DocumentRows]
    types: Mapping[str, TypeScore]
    """By entity type, and ``ALL``."""
    standard: float | None
    """The CoNLL score of all chains, with and without a name."""
    signature: str
    findings: Sequence[Finding] = ()
    unmeasured: Mapping[str, int] = field(default_factory=dict)
    """Key chains whose names have only tags that do not count, by tag; the most frequent first."""

    def _format(self, column: str, row: Row) -> FigureFormat:
        """Return the format of a cell: all but the type and counts are shares."""
        return PERCENT if isinstance(row[column], float) else TEXT

    @property
    def macro_f1(self) -> float | None:
        """The mean F1 over the types that occur in the key."""
        return macro_f1(self.types)

    @property
    def rows(self) -> list[ChainRow]:
        """One row per key chain with a name."""
        return [row for document in self.documents for row in document.rows]

    def _rows(self) -> list[Row]:
        """Return one row per entity type, and one for all."""
        return [{"type": type, **flat(score, "_")} for type, score in self.types.items()]

    def to_dict(self) -> dict[str, Value]:
        """Return the figures by name, such as ``PER/f1``; undefined ones are left out.

        Returns
        -------
        dict
            Figures by name.
        """
        return {
            f"{row['type']}/{name}": figure
            for row in self._rows()
            for name, figure in row.items()
            if name != "type" and figure is not None
        }

    def combining(self) -> Iterator[tuple[DocumentRows, int, list[ChainRow]]]:
        """Yield the response chains that have the names of several key chains.

        Returns
        -------
        iterator of tuple
            The document, the number of the response chain, and the rows of the key chains.
        """
        for document in self.documents:
            by_number = {row.chain.number: row for row in document.rows}
            for number in range(len(document.response.places)):
                held = document.held(number)
                if len(held) > 1:
                    yield document, number, [by_number[chain] for chain in sorted(held)]

    def __getitem__(self, type: str) -> TypeScore:
        if type not in self.types:
            raise UnknownName("entity type", type, self.types)
        return self.types[type]

    def __repr__(self) -> str:
        scores = ", ".join(
            f"{type} {PERCENT.shown(score.f1)}"
            for type, score in self.types.items()
            if score.f1 is not None
        )
        documents = counted(len(self.documents), "document")
        return f"<Nec of {documents}: {scores or 'no chain with a name'}>"


class NecSettings(Struct, frozen=True, kw_only=True):
    """All settings of named entity coreference."""

    options: NecOptions = field(default_factory=NecOptions)
    singletons: Singletons = "keep"
    genres: tuple[str, ...] = ()
    """The genres that key and response were restricted to."""


def measure_names(
    matching: Matching,
    settings: NecSettings,
    *,
    names: NamesOfFile | None = None,
    parts: Sequence[NecPart] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Nec:
    """Measure the named entities of a response that is matched with its key.

    Parameters
    ----------
    matching
        Key and response.
    settings
        The choices that the paper leaves open, and whether singletons count.
    names
        Named entities that replace those of the files, by documents of the key.
    parts
        What was measured of some documents, and of those after them, if that is known.
    progress
        Called once per document.
    """
    key, response, options = matching.key, matching.response, settings.options
    _require_spans(key, response)
    work = NecWork(matching=matching, settings=settings, names=names)
    measured = _measured(work, progress) if parts is None else work.joined(parts)
    heads, borrowed = measured.heads, measured.borrowed
    marks = {
        "nec": heads,
        "genres": settings.genres,
        "names": ["given"] if names is not None else [],
        "from-response": list(borrowed),
        "language": _languages(measured.facts),
    }
    findings = [
        # NEC treats repeated mentions in its own way, and reports them itself.
        *(finding for finding in matching.findings if finding.code is not Code.REPEATED),
        *_repeated(key, response),
        *borrowed_layers(borrowed, len(key), key.path),
        *(_names_findings(names, key, measured.layers) if names is not None else ()),
        *measured.doubts.findings(options, key.path),
    ]
    standard = make_options(
        metrics="conll",
        singletons=settings.singletons,
        match=matching.rules.match,
        zeros=matching.rules.zeros,
    )
    scores = score_matching(matching, standard)
    return Nec(
        options=options,
        heads="+".join(heads),
        documents=measured.documents,
        types=summarise(measured.documents, options),
        standard=scores.conll,
        signature="|".join([scores.signature, *_marked(marks), *options.changed()]),
        findings=tuple(dict.fromkeys(findings)),
        unmeasured=dict(measured.doubts.unmeasured.most_common()),
    )


# ---- Some documents, or all of them ----


class _Facts(NamedTuple):
    """What the choice of a way to find heads depends on, of one document."""

    name: str
    has_names: bool
    has_levels: bool
    """Whether mention levels mark its names."""
    has_dependencies: bool
    has_trees: bool
    is_universal: bool

    def has(self, strategy: str) -> bool:
        """Return whether it has what a way to find heads needs."""
        if strategy == "dependency":
            return self.has_dependencies
        return strategy != "constituency" or self.has_trees


class NecPart(Struct, kw_only=True):
    """What was measured of some documents."""

    heads: list[str]
    """How heads were found; empty if that cannot be said of these documents alone."""
    facts: list[_Facts]
    borrowed: Counter[str]
    """Documents by the layer that the key lacks and that was taken from the response."""
    documents: list[DocumentRows] = field(default_factory=list)
    doubts: NecDoubts = field(default_factory=NecDoubts)
    layers: list[NameLayers] = field(default_factory=list)
    """Kept only if names were given, because they are compared with these."""


class NecWork(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """Measures documents."""

    matching: Matching
    settings: NecSettings
    names: NamesOfFile | None

    @cached_property
    def pairs(self) -> list[DocumentPair]:
        """The chains of all documents."""
        return list(_chains(self.matching, self.settings.singletons))

    def some(
        self,
        only: range,
        heads: Sequence[str] = (),
        progress: Callable[[int], None] | None = None,
    ) -> NecPart:
        """Measure some documents; ``heads`` is how heads are found, if that is known."""
        matching, options = self.matching, self.settings.options
        number_of = {k: r for r, k in enumerate(matching.pairing.key_document.tolist())}
        read = [_layers(matching, k, number_of.get(k), self.names) for k in only]
        names = matching.key.document_names
        facts = [_facts(names[k], layers) for k, (layers, _) in zip(only, read, strict=True)]
        found = NecPart(
            heads=list(heads or self._heads_of_some(facts)),
            facts=facts,
            borrowed=Counter(layer for _, borrowed in read for layer in borrowed),
            layers=[] if self.names is None else [layer for layer, _ in read],
        )
        if not found.heads:
            return found
        for pair in self.pairs[only.start : only.stop]:
            layer, _ = read[pair.number - only.start]
            strategy = ATTRIBUTES if layer.attributes else found.heads[-1]
            text = NamedText(layer, pair.table, strategy, options)
            ours = Chains(pair.key, pair.key_places)
            others = Chains(pair.response, pair.response_places)
            found.documents.append(document_rows(pair.name, text, ours, others))
            found.doubts.add(text, ours, others)
            if progress:
                progress(1)
        return found

    def heads(self, facts: Sequence[_Facts]) -> list[str]:
        """Choose how to find heads in all documents."""
        is_given = self.names is not None
        return _strategy(self.matching.key.path, facts, self.settings.options, is_given)

    def _heads_of_some(self, facts: Sequence[_Facts]) -> list[str]:
        """Choose how to find heads in some documents; nothing if they do not tell."""
        try:
            return self.heads(facts)
        except InvalidInput:
            return []

    def apart(self, task: Documents) -> NecPart:
        """Measure some documents in a process of its own."""
        return self.some(task.numbers)

    def joined(self, parts: Sequence[NecPart]) -> NecPart:
        """Put what was measured together, in the order of the documents."""
        facts = [fact for part in parts for fact in part.facts]
        found = NecPart(heads=self.heads(facts), facts=facts, borrowed=Counter())
        begin = 0
        for part in parts:
            # What one part has may be missing in another, so that another way must be used in all.
            if part.heads != found.heads:
                part = self.some(range(begin, begin + len(part.facts)), found.heads)
            begin += len(part.facts)
            found.borrowed.update(part.borrowed)
            found.documents += part.documents
            found.doubts += part.doubts
            found.layers += part.layers
        return found


def _facts(name: str, layers: NameLayers) -> _Facts:
    return _Facts(
        name=name,
        has_names=bool(layers.names),
        has_levels=bool(layers.attributes),
        has_dependencies=layers.heads is not None,
        has_trees=layers.text.has_trees,
        is_universal=layers.text.is_universal,
    )


def _measured(work: NecWork, progress: Callable[[int], None] | None) -> NecPart:
    """Measure all documents, in several processes if that pays off."""
    key = work.matching.key
    tasks = document_tasks(key)
    # Names that were given are compared with all texts.
    if len(tasks) < 2 or work.names is not None:
        return work.joined([work.some(range(len(key)), progress=progress)])
    _ = work.pairs  # Computed here, so that processes that measure some of them have it.
    parts = []
    for task, part in zip(tasks, current().map(work.apart, tasks), strict=True):
        parts.append(part)
        if progress:
            progress(len(task.numbers))
    return work.joined(parts)


def only_genres(
    key: Corpus, response: Corpus, genres: Sequence[str], pair_by: PairBy
) -> tuple[Corpus, Corpus]:
    """Return the documents whose names start with one of these genres, as in ``(nw/wsj/00/…)``."""
    if not genres:
        return key, response
    chosen = _of_genres(key, genres)
    left_out = frozenset(key.document_names) - frozenset(chosen.document_names)
    return chosen, _response_of_genres(response, key, genres, left_out, pair_by)


def _marked(marks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return the fields of the signature that have values."""
    return (f"{mark}:{'+'.join(values)}" for mark, values in marks.items() if values)


def _require_spans(key: Corpus, response: Corpus) -> None:
    if not key.has_spans or not response.has_spans:
        raise InvalidInput.of(
            Code.NO_LAYER,
            "mentions are not spans of tokens",
            expected="spans of tokens, and words",
            file=key.path,
        )


def _names_findings(
    names: NamesOfFile, key: Corpus, layers: Sequence[NameLayers]
) -> Iterator[Finding]:
    """Report separately given names that are doubtful or that lie outside the key."""
    yield from names.findings
    file = names.path or key.path
    yield from shifted_names(list(_given_names(names, key, layers)), file)
    used = sum(len(layer.names) for layer in layers)
    lost = sum(map(len, names.values())) - used
    if lost:
        unknown = [name for name in names if name not in key]
        count = "1 name is" if lost == 1 else f"{lost} names are"
        why = "it lies" if lost == 1 else "they lie"
        found, expected = f"{count} left out, because {why} outside the key's texts", None
        if unknown:
            example = next(iter(key.document_names), "")
            found += f"; the key has no document {unknown[0]!r}"
            expected = f"the names of its documents, such as {example!r}"
        yield Finding(Code.NAMES_FILE, found, expected=expected, file=file)
    yield from few_named(names, key.document_names, file)


def _given_names(
    names: NamesOfFile, key: Corpus, read: Sequence[NameLayers]
) -> Iterator[ComparedNames]:
    """Yield the documents that have separately given names."""
    for number, (name, layers) in enumerate(zip(key.document_names, read, strict=True)):
        if names.get(name):
            rows = key.mentions_of(number)
            spans = key.mention_spans[rows.start : rows.stop].tolist()
            mentions = {(start, end) for start, end in spans}
            # Names in the response's files are no evidence of how tokens are counted.
            marked = layers.text.names.keys() if says_something(key[name].names or ()) else set()
            yield ComparedNames(
                names=names[name], text=layers.text, marked=marked, mentions=mentions
            )


def _repeated(*corpora: Corpus) -> Iterator[Finding]:
    """Report repeated mentions: NEC counts a mention in every chain that has it."""
    for corpus in corpora:
        yield from repeated_mentions(corpus, across="both count in NEC", within="it counts once")


def _response_of_genres(
    response: Corpus,
    key: Corpus,
    genres: Sequence[str],
    left_out: frozenset[str],
    pair_by: PairBy,
) -> Corpus:
    """Return the documents of a response whose name in the key, or own name, has these genres.

    The response may spell document names without the genre.
    """
    found = paired_documents(key, response, pair_by)
    renamed = {n: document for n, document in found.all.items() if n not in found.literal}
    names = {
        response.document_names[number]
        for number, document in renamed.items()
        if key.document_names[document] not in left_out
    }
    if not names:
        return _of_genres(response, genres)
    paired = {response.document_names[number] for number in renamed}
    others = {name for name in response.document_names if name not in paired}
    return response.restricted(names | {name for name in others if _is_of_genres(name, genres)})


def _of_genres(corpus: Corpus, genres: Sequence[str]) -> Corpus:
    names = [name for name in corpus.document_names if _is_of_genres(name, genres)]
    if not names:
        raise UnknownName("document of genre", ",".join(genres), corpus.document_names)
    return corpus.restricted(set(names))


def _is_of_genres(name: str, genres: Sequence[str]) -> bool:
    return bool(re.match(rf"\(?(?:{'|'.join(map(re.escape, genres))})(?:/|_|$)", name))


def _layers(
    matching: Matching, document: int, number: int | None, names: Names | None
) -> tuple[NameLayers, list[str]]:
    """Return the layers of a document, and which of them come from the response.

    Words, tags, trees and names may come from the response; dependencies come from the key.
    """
    key, response = matching.key, matching.response
    read = matching.texts.read(document, response, number)
    name = key.document_names[document]
    if read is None:
        raise InvalidInput.of(
            Code.NO_LAYER,
            f"document {name!r} has no words",
            expected="words, to find names",
            file=key.file_of(document),
        )
    text = read.text
    sides = [key[name]] + ([Document(response, number)] if number is not None else [])
    heads, relations = (sides[0].layer(layer) for layer in ("heads", "deprels"))
    marked = [Name(*span, tag) for span, tag in text.names.items()]
    found = marked if names is None else names.get(name, [])
    inside = sorted(n for n in found if n.end < len(text))
    layers = NameLayers(
        text=text,
        names=inside,
        heads=None if heads is None else [int(head) for head in heads],
        relations=relations,
        known_heads=read.heads,
        attributes=None
        if inside or names is not None
        else _attributes([s.attributes for s in sides], text),
    )
    return layers, [layer for layer in read.borrowed if layer != "names" or names is None]


def _attributes(sides: Sequence[Attributes | None], text: Text) -> Attributes | None:
    """Return the attributes of mentions in both files; the key has priority.

    With Universal Dependencies, the tag of its head determines whether a mention is a name.
    """
    known = {k: v for side in reversed(sides) for k, v in (side or {}).items()}
    if text.is_universal:
        known = {
            span: said._replace(level="NAM" if _is_name(text, span) else None)
            for span, said in known.items()
        }
    # Without both a type and a level, names cannot be recognised.
    return known if any(said.type and said.level == "NAM" for said in known.values()) else None


def _languages(documents: Sequence[_Facts]) -> list[str]:
    """Return the rules for mention types, unless all documents were read by English tables."""
    found = {"universal" if each.is_universal else "english" for each in documents}
    return sorted(found) if "universal" in found else []


def _is_name(text: Text, span: Span) -> bool:
    return span[1] < len(text) and text.mention_type(*span) is MentionType.NAME


def _strategy(
    key: str | None, documents: Sequence[_Facts], options: NecOptions, is_given: bool
) -> list[str]:
    """Choose how to find heads: the same way for all documents, and for key and response.

    If some documents have mention levels, return ``attributes`` first, then the way for the others.
    """
    if not is_given and not any(each.has_names or each.has_levels for each in documents):
        raise InvalidInput.of(
            Code.NO_LAYER,
            "no named entity is marked in any document",
            expected=(
                "a column of named entities, entity types and mention levels, or a file of names"
            ),
            file=key,
            remedy=Remedy.GIVE_NAMES,
        )
    plain = [each for each in documents if not each.has_levels]
    has_levels = len(plain) < len(documents)
    if options.heads == "auto":
        if not plain or (has_levels and not any(each.has_names for each in plain)):
            return [ATTRIBUTES]
        best = next(s for s in STRATEGIES if all(each.has(s) for each in plain))
        return [ATTRIBUTES, best] if has_levels else [best]
    if has_levels:
        raise InvalidInput.of(
            Code.NO_LAYER,
            f"heads {options.heads!r} was chosen",
            expected="'auto', as mention levels mark names",
            file=key,
            remedy=Remedy.FIND_HEADS,
        )
    for each in plain:
        if not each.has(options.heads):
            layer_name = LAYER_OF[options.heads]
            raise InvalidInput.of(
                Code.NO_LAYER,
                f"document {each.name!r} has no {layer_name}",
                expected="them in all documents",
                file=key,
            )
    return [options.heads]


ATTRIBUTES = "attributes"
LAYER_OF = {"dependency": "dependencies", "constituency": "parse trees"}


def _chains(matching: Matching, singletons: Singletons) -> Iterator[DocumentPair]:
    """Yield the chains of all documents; a mention counts in every chain that has it.

    Where mentions are paired in stages, a mention is in the first of these chains only.
    """
    if matching.is_aligned:
        return paired_entities(matching, matching.sides(singletons))
    key, response = (side.once_in_each() for side in matching.numbered)
    if singletons == "drop":
        key, response = key.without_singletons(), response.without_singletons()
    return paired_entities(matching, (key, response))
