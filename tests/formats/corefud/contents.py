"""Small documents of CoNLL-U, and what is read from them, in a form that is easy to compare."""

from __future__ import annotations

from pathlib import Path

from corefscope import Corpus, read
from corefscope.formats.writing.files import encoded

FIELDS = "eid-etype-head-other"


def conllu(*sentences: dict[str, str] | list[str], fields: str | None = FIELDS) -> str:
    """Return a document x: sentences are values of MISC, in a row or by ID."""
    lines = ["# newdoc id = x"]
    if fields:
        lines.append(f"# global.Entity = {fields}")
    for sentence in sentences:
        cells = sentence
        if isinstance(cells, list):
            cells = {str(number): cell for number, cell in enumerate(cells, 1)}
        lines += [row(id, misc) for id, misc in cells.items()]
        lines.append("")
    return "\n".join(lines) + "\n"


def row(id: str, misc: str = "") -> str:
    """Return a line; a value that begins with a bracket is one of Entity."""
    if misc and misc.partition("|")[0].partition("=")[0] not in ("Entity", "Bridge", "SpaceAfter"):
        misc = f"Entity={misc}"
    return f"{id}\tw{id}\t_\t_\t_\t_\t{0 if id == '1' else 1}\t_\t_\t{misc or '_'}"


def written(folder: Path, text: str | bytes, name: str = "file.conllu") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def words_by_token(corpus: Corpus, document: int) -> list[tuple[int, str]]:
    """Return the sentence in the document, and the ID, of each token."""
    nodes = corpus.empty_nodes
    rows = nodes.rows_of(document) if nodes else range(0)
    ids = {int(nodes.token[row]): nodes.ids[row] for row in rows} if nodes else {}
    found: list[tuple[int, str]] = []
    for number, sentence in enumerate(corpus[corpus.document_names[document]].sentences):
        words = 0
        for token in sentence:
            words += token not in ids
            found.append((number, ids.get(token, str(words))))
    return found


def mentions(corpus: Corpus, document: int = 0) -> dict[str, list[tuple[list[str], str]]]:
    """Return the words, as ``sentence:ID``, and the head of each mention, by entity."""
    assert corpus.mention_heads is not None
    places = [f"{sentence}:{id}" for sentence, id in words_by_token(corpus, document)]
    found: dict[str, list[tuple[list[str], str]]] = {}
    for row in corpus.mentions_of(document):
        start, end = corpus.mention_spans[row].tolist()
        parts = corpus.mention_parts.get(row, ((start, end),))
        tokens = [token for first, last in parts for token in range(first, last + 1)]
        head = places[int(corpus.mention_heads[row])]
        label = corpus.entity_labels[int(corpus.mention_entity[row])]
        found.setdefault(label, []).append(([places[token] for token in tokens], head))
    return found


def codes(corpus: Corpus) -> list[str]:
    return [finding.code.id for finding in corpus.findings]


def rewritten(path: Path) -> dict[str, str]:
    """Return the values of MISC by sentence and ID, as they are written again."""
    return values(encoded(read(path), "corefud").decode())


def values(text: str) -> dict[str, str]:
    """Return the values of MISC that are not ``_``, by sentence and ID."""
    found: dict[str, str] = {}
    sentence = -1
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if "\t" in line]
        if not any(cells[0].isdigit() for cells in rows):
            continue
        sentence += 1
        for cells in rows:
            if len(cells) > 9 and cells[9] != "_" and "-" not in cells[0]:
                found[f"{sentence}:{cells[0]}"] = cells[9]
    return found
