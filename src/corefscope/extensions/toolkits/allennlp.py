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

from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import name_of, words_of


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields = document.fields
    yield Draft(
        name=name_of(fields),
        words=words_of(fields, "document") if "document" in fields else None,
        mentions=document.entities(),
        convention=document.options.convention(),
        findings=document.findings,
    )


read = document_reader(_drafts)
