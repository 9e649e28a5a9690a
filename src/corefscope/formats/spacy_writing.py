"""Write corpora as spaCy's DocBin. This needs spaCy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corefscope.corpus import Corpus
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.formats.objects import NAME
from corefscope.formats.spacy_json_writing import record_of
from corefscope.formats.writing.abilities import Written


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    try:
        from spacy.tokens import Doc, DocBin
        from spacy.vocab import Vocab
    except ImportError:
        message = (
            "a DocBin is written by spaCy, which is not installed; expected it: "
            "pip install 'corefscope[spacy]', or write spacy-json"
        )
        raise CannotExpress(Finding(Code.NEEDS_PACKAGE, message, file=corpus.path)) from None
    box: Any = DocBin(attrs=["ORTH", "TAG", "LEMMA", "SENT_START"], store_user_data=True)
    vocab = Vocab()
    for document in corpus:
        record = record_of(document)
        made: Any = Doc(vocab)
        doc = made.from_json(record)
        doc.user_data[NAME] = document.name
        box.add(doc)
    yield "corpus.spacy", box.to_bytes()
