"""The output of AllenNLP's predictor, and of programs that kept its form.

`document` has the words, and `clusters` has the entities. Positions count the words of the
document from 0, and ends are inclusive. crosslingual-coreference and DaNLP write the same form;
crosslingual-coreference leaves out `document`, so that only the positions are known.

- The program writes no name: the document is named after the file. Several documents in one file
  are numbered, and paired with the key by their text.
- There are no sentences.
- `top_spans` has candidates, not mentions. It is not read.
- A model that was trained on OntoNotes writes no singletons.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from corefscope.corpus.offsets import Convention
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import read_records
from corefscope.formats.reading.file import File
from corefscope.formats.reading.shapes import (
    Findings,
    entities_of,
    name_of,
    object_of,
    words_of,
)


def read(file: File) -> None:
    """Read the documents of a file into the corpus."""
    chooser = Chooser(file)
    read_records(file, partial(_drafts, file.options.convention(), chooser))


def _drafts(convention: Convention, chooser: Chooser, record: Any) -> Iterator[Draft]:
    findings: Findings = []
    fields = chooser.with_entities(object_of(record), findings)
    yield Draft(
        name=name_of(fields),
        words=words_of(fields, "document") if "document" in fields else None,
        mentions=entities_of(fields, chooser.choice.field),
        convention=convention,
        findings=findings,
    )
