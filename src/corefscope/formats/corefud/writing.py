"""CoNLL-U with coreference: writing.

Documents that were read from CoNLL-U keep all their lines; only ``Entity``, ``Bridge`` and
``SplitAnte`` are written anew, always in the same form. Documents of other formats get the columns
that are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.formats.corefud.brackets import EntityBrackets
from corefscope.formats.corefud.cells import declared_fields, entity_types, values_of
from corefscope.formats.corefud.cells import is_label as is_label
from corefscope.formats.corefud.declaration import DECLARATION, NEWDOC, Declaration
from corefscope.formats.corefud.document import EntityCells, read_mentions
from corefscope.formats.corefud.lines import KEYS, MISC, ConlluLines
from corefscope.formats.corefud.text import CorefudDocumentReader
from corefscope.formats.reading.builder import place_of
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, is_encodable

NAME = re.compile(r"\S|\S[^\n\r\0]*\S")
FORM = re.compile(r"[^\t\n\r\0]*[^\t\n\r\0 ][^\t\n\r\0]*")
UNIVERSAL_TAGS = frozenset(
    (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON"),
        *("PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "_"),
    )
)

Values = Mapping[int, Mapping[str, str]]


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus, whose labels fit into brackets (``is_label``)."""
    yield "corpus.conllu", "".join(corefud_lines(corpus)).encode(errors="surrogateescape")


def corefud_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the text of a corpus, document by document.

    Raises
    ------
    CannotExpress
        If the words of a document are not known, or brackets cannot express its mentions.
    """
    if not corpus.has_spans:
        finding = Finding(
            Code.NOT_EXPRESSIBLE,
            "mentions are not spans of tokens",
            expected="first and last token of each",
            file=corpus.path,
        )
        raise CannotExpress(finding)
    types = entity_types(corpus)
    for document, fields in zip(corpus, declared_fields(corpus, types), strict=True):
        _refuse_beyond(document)
        values = values_of(corpus, document.index, types, fields)
        source = document_lines(corpus, document.index)
        if source is not None and not len(corpus.mention_entity):
            # Nothing is annotated: what could not be read stays as it is.
            yield source.decode(errors="surrogateescape")
            continue
        header = f"# global.Entity = {'-'.join(fields)}\n"
        text = (
            "".join(_new_lines(document, values, header))
            if source is None
            else "".join(_changed_lines(source, document, values, header))
        )
        _check(document, text, Declaration(fields))
        yield text


def _rows(document: Document) -> range:
    return document.corpus.mentions_of(document.index)


def document_lines(corpus: Corpus, document: int) -> bytes | None:
    """Return the lines that a document was read from, if they are CoNLL-U."""
    place = place_of(corpus, document)
    if place is None or not isinstance(place[3], CorefudDocumentReader):
        return None
    source, start, stop, _ = place
    data = source.read(start, stop)
    return data if data.endswith(b"\n") else data + b"\n"


# ---- Documents of CoNLL-U ----


def _changed_lines(source: bytes, document: Document, values: Values, header: str) -> Iterator[str]:
    """Yield the lines of a document with other values in MISC."""
    lines = ConlluLines(source)
    tokens = lines.token_of_line.tolist()
    ends = "\r\n" if source.endswith(b"\r\n") else "\n"
    newdoc = next((n for n in range(len(lines)) if _is_newdoc(lines, n)), None)
    first = int(np.argmax(~lines.is_blank))
    for number, token in enumerate(tokens):
        if number == first and newdoc is None:
            yield f"# newdoc id = {document.name}{ends}{header.rstrip()}{ends}"
        text = lines.line(number).decode(errors="surrogateescape")
        if token >= 0:
            text = _with_values(text, values.get(token, {}))
        elif lines.is_comment[number] and DECLARATION.fullmatch(lines.line(number)):
            continue
        yield text + ends
        if number == newdoc:
            yield header.rstrip() + ends
    if not lines.is_blank[-1]:
        yield ends


def _is_newdoc(lines: ConlluLines, number: int) -> bool:
    if not lines.is_comment[number] or not lines.has_words[lines.group[number]]:
        return False
    return NEWDOC.fullmatch(lines.line(number)) is not None


def _with_values(line: str, values: Mapping[str, str]) -> str:
    """Return a line with other values in MISC; the other columns and keys stay."""
    fields = line.split("\t")
    misc = fields[MISC] if len(fields) > MISC else "_"
    pairs = [pair for pair in misc.split("|") if pair not in ("", "_")]
    others = [pair for pair in pairs if pair.partition("=")[0] not in KEYS]
    if not values and len(others) == len(pairs):
        return line
    pairs = [*others, *(f"{key}={value}" for key, value in values.items())]
    pairs.sort(key=lambda pair: pair.partition("=")[0].lower())
    fields += ["_"] * (MISC + 1 - len(fields))
    fields[MISC] = "|".join(pairs) or "_"
    return "\t".join(fields)


# ---- Documents of other formats ----


def _new_lines(document: Document, values: Values, header: str) -> Iterator[str]:
    """Yield the lines of a document of another format."""
    words = document.words
    if words is None or document.corpus.document_tokens[document.index] == UNKNOWN_LENGTH:
        raise cannot(document, "its words are not known", expected="a corpus with text")
    if not NAME.fullmatch(document.name):
        raise cannot(document, "its name is empty, begins or ends in a blank, or has line breaks")
    if not words:
        raise cannot(document, "it has no words, and CoNLL-U has no place for such a document")
    yield f"# newdoc id = {document.name}\n{header}"
    ids, columns = _ids(document), _columns(document, words)
    for sentence in document.sentences:
        heads = {str(token): ids[token] for token in sentence}
        for token in sentence:
            fields = [column[token] for column in columns]
            if "." in ids[token]:
                # Empty nodes stand in the enhanced graph only.
                fields[5] = fields[6] = "_"
            else:
                fields[5] = heads.get(fields[5], "0" if fields[5] == "-1" else "_")
            misc = "|".join(
                f"{key}={value}" for key, value in sorted(values.get(token, {}).items())
            )
            yield "\t".join([ids[token], *fields, misc or "_"]) + "\n"
        yield "\n"


def _ids(document: Document) -> list[str]:
    """Return the ID of each token in its sentence."""
    nodes = document.corpus.empty_nodes
    rows = nodes.rows_of(document.index)
    order = {int(nodes.token[row]): int(nodes.order[row]) for row in rows}
    ids = []
    for sentence in document.sentences:
        words = 0
        for token in sentence:
            words += token not in order
            ids.append(f"{words}.{order[token]}" if token in order else str(words))
    return ids


def _columns(document: Document, words: Sequence[str]) -> list[Sequence[str]]:
    """Return the columns from FORM to DEPS; HEAD has numbers of tokens in the document."""
    nothing = ["_"] * len(words)

    def layer(name: str) -> Sequence[str]:
        values = document.layer(name)
        return nothing if values is None else [_column(document, value) for value in values]

    tags, other_tags = layer("tags"), layer("xpos")
    if not UNIVERSAL_TAGS.issuperset(tags):
        tags, other_tags = nothing, tags
    for word in words:
        if not FORM.fullmatch(word):
            raise cannot(document, f"the word {word!r} cannot stand in a column")
    dependencies = list(nothing)
    nodes = document.corpus.empty_nodes
    for row in nodes.rows_of(document.index):
        dependencies[int(nodes.token[row])] = nodes.dependencies[row]
    return [
        words,
        layer("lemmas"),
        tags,
        other_tags,
        layer("feats"),
        layer("heads"),
        layer("deprels"),
        dependencies,
    ]


def _column(document: Document, value: str) -> str:
    """Return a value of a column; what other formats write for nothing is ``_``."""
    if value in ("", "-"):
        return "_"
    if not FORM.fullmatch(value):
        raise cannot(document, f"{value!r} cannot stand in a column")
    return value


# ---- What cannot be written ----


def _refuse_beyond(document: Document) -> None:
    corpus = document.corpus
    tokens = int(corpus.document_tokens[document.index])
    for row in _rows(document) if tokens != UNKNOWN_LENGTH else ():
        if corpus.mention_spans[row][1] >= tokens:
            span = tuple(corpus.mention_spans[row].tolist())
            raise cannot(document, f"mention {span} lies beyond its {tokens} tokens")


def _check(document: Document, text: str, declaration: Declaration) -> None:
    """Refuse mentions that would be read as others than were written.

    A closing bracket takes the latest opening one of its entity, so that crossing mentions of one
    entity look like nested ones.
    """
    if not is_encodable(text, "surrogateescape"):
        raise cannot(document, "its name or text has characters that cannot be written as UTF-8")
    lines = ConlluLines(text.encode(errors="surrogateescape"))
    line, texts, _ = lines.entities()
    order = np.argsort(lines.token_of_line[line], kind="stable").tolist()
    annotation = EntityCells(
        tokens=[int(lines.token_of_line[line[each]]) for each in order],
        lines=[0] * len(order),
        texts=[texts[each] for each in order],
    )
    errors: list[Finding] = []

    def report(finding: Finding) -> None:
        if finding.is_error:
            errors.append(finding)

    read = read_mentions(annotation, EntityBrackets(declaration=declaration, report=report))
    corpus, rows = document.corpus, _rows(document)
    written = sorted(
        (corpus.entity_labels[int(corpus.mention_entity[row])], corpus.parts_of(row))
        for row in rows
    )
    found = sorted(
        (read.labels[entity], read.parts.get(row, ((first, last),)))
        for row, (entity, first, last) in enumerate(
            zip(read.entity.tolist(), read.first.tolist(), read.last.tolist(), strict=True)
        )
    )
    if errors or written != found:
        wrong = next((each for each in written if each not in found), written[0])
        spans = wrong[1][0] if len(wrong[1]) == 1 else wrong[1]
        message = (
            f"mention {spans} of entity {wrong[0]} crosses another mention of the same entity; "
            "brackets cannot express that, JSON can"
        )
        raise cannot(document, message, Code.CROSSING)
