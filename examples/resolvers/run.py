"""Run the three resolvers over the demo corpus and write their responses beside its key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import recency
import sieve
import string_match

if TYPE_CHECKING:
    from corefscope import Document

    Entities = list[list[tuple[int, int]]]

DEMO = Path(__file__).parents[2] / "src" / "corefscope" / "demo"
RESOLVERS = {
    "string-match": string_match.resolve,
    "recency": recency.resolve,
    "sieve": sieve.resolve,
}


@dataclass
class ColumnDocument:
    """The layers of one CoNLL-2012 document, as `corefscope.Document` offers them."""

    name: str
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parse: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    sentences: list[range] = field(default_factory=list)

    def add_sentence(self, rows: list[list[str]]) -> None:
        """Append the columns of one sentence."""
        first = len(self.words)
        layers = {3: self.words, 4: self.tags, 5: self.parse, 9: self.speakers, 10: self.names}
        for column, values in layers.items():
            values.extend(row[column] for row in rows)
        self.sentences.append(range(first, len(self.words)))


def main() -> None:
    """Write one response for each resolver."""
    key = DEMO / "key.conll"
    documents = read_documents(key)
    for system, resolve in RESOLVERS.items():
        responses = [resolve(document) for document in documents]
        write_response(key, responses, DEMO / f"{system}.conll")


def read_documents(path: Path) -> list[Document]:
    """Documents of a file in CoNLL-2012 columns."""
    documents: list[ColumnDocument] = []
    rows: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#begin document"):
            documents.append(ColumnDocument(line.removeprefix("#begin document").strip()))
        elif line.strip() and not line.startswith("#end document"):
            rows.append(line.split())
        elif rows:
            documents[-1].add_sentence(rows)
            rows = []
    return cast("list[Document]", documents)


def write_response(key: Path, responses: list[Entities], path: Path) -> None:
    """Copy the key with the coreference column of a response, one response for each document."""
    remaining = iter(responses)
    lines: list[str] = []
    cells: Iterator[str] = iter(())
    text = key.read_text(encoding="utf-8")
    lengths = (part.count("\n") for part in text.split("#begin document")[1:])
    for line in text.splitlines():
        if line.startswith("#begin document"):
            cells = iter(coreference_cells(next(remaining), next(lengths)))
        is_token = line.strip() and not line.startswith("#")
        lines.append(replace_last_column(line, next(cells)) if is_token else line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def replace_last_column(line: str, cell: str) -> str:
    """Put another last column into a line, as wide as before where it fits."""
    columns = line.rsplit(maxsplit=1)[0]
    return f"{columns}  {cell:>{len(line) - len(columns) - 2}}"


def coreference_cells(entities: Entities, length: int) -> list[str]:
    """Brackets of each token: openings from the outside, one-token mentions, closings."""
    brackets: list[list[tuple[int, int, str]]] = [[] for _ in range(length)]
    for number, entity in enumerate(entities):
        for first, last in entity:
            if first == last:
                brackets[first].append((1, 0, f"({number})"))
            else:
                brackets[first].append((0, -last, f"({number}"))
                brackets[last].append((2, -first, f"{number})"))
    return ["|".join(text for *_, text in sorted(cell)) or "-" for cell in brackets]


if __name__ == "__main__":
    main()
