"""spaCy documents as a DocBin, the file that ends in `.spacy`.

Its tokens are hashes of words, so that only spaCy can read it: install `corefscope[spacy]`, or
write `Doc.to_json()` instead. Entities are the groups of spans `coref_clusters_1` and so on, or
`doc._.coref_clusters` of fastcoref if user data were stored (`DocBin(store_user_data=True)`).

- Blank lines are tokens in spaCy. They are left out, so that tokens are those of other formats.
- If there are also groups such as `gold_clusters_1`, a key is read from them, and a response from
  the others. A warning says so (`W110`). A document without the groups that are read has no
  entities.
  `spacy:gold_clusters` chooses groups.
- The label of a span is the type of the mention. The groups `coref_head_clusters_1` and so on are
  the heads of the mentions, in the same order. If such a span has several tokens, the head of its
  mention is not known.
- Documents have no name, unless corefscope wrote the file; several are numbered, and paired by
  their text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Corpus
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.formats.objects import NAME, placed, spacy_drafts
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.drafting import add_drafts
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.spacy_json import record_of
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a file into the builder."""
    data = source.read()
    if progress:
        progress(len(data))
    try:
        docs = _docs(data)
    except ImportError:
        builder.report(
            Code.NEEDS_PACKAGE,
            "a DocBin is read by spaCy, which is not installed",
            source.name,
            expected="it: pip install 'corefscope[spacy]', or write Doc.to_json()",
        )
        return
    except Exception as error:  # Whatever a damaged file makes spaCy, msgpack or zlib raise.
        builder.report(
            Code.BAD_SHAPE,
            f"spaCy cannot read the file ({type(error).__name__})",
            source.name,
            expected="a DocBin",
        )
        return
    drafts = spacy_drafts(docs, options, "use the format 'spacy:{}'")
    add_drafts(source, builder, map(placed, drafts))


def _docs(data: bytes) -> list[Any]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    return list(DocBin().from_bytes(data).get_docs(Vocab()))


# ---- Writing ----


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    try:
        from spacy.tokens import Doc, DocBin
        from spacy.vocab import Vocab
    except ImportError:
        raise CannotExpress(
            Finding(
                Code.NEEDS_PACKAGE,
                "a DocBin is written by spaCy, which is not installed",
                expected="it: pip install 'corefscope[spacy]', or write spacy-json",
                file=corpus.path,
            )
        ) from None
    box: Any = DocBin(attrs=["ORTH", "TAG", "LEMMA", "SENT_START"], store_user_data=True)
    vocab = Vocab()
    for document in corpus:
        record = record_of(document)
        made: Any = Doc(vocab)
        # spaCy looks at all tokens again for each token of a sentence that it sets by itself.
        starts = _sentence_starts(record.pop("sents"), record["tokens"])
        try:
            doc = made.from_json(record)
            if starts.any():
                doc.from_array(["SENT_START"], starts)
            doc.user_data[NAME] = document.name
            box.add(doc)
        except AssertionError:
            # spaCy checks that its tokens give the text back; those of blanks do not.
            raise cannot(
                document, "spaCy cannot have its tokens", expected="no word that is only a blank"
            ) from None
        except UnicodeEncodeError:
            message = "its name, tags or lemmas have characters that cannot be written as UTF-8"
            raise cannot(document, message) from None
    yield "corpus.spacy", box.to_bytes()


def _sentence_starts(
    sentences: Sequence[Mapping[str, int]], tokens: Sequence[Mapping[str, int]]
) -> NDArray[np.uint64]:
    """Return 1 for the first token of each sentence, −1 for its others, and 0 outside of all."""
    found = np.zeros(len(tokens), dtype=np.int64)
    begins, ends = ([token[edge] for token in tokens] for edge in ("start", "end"))
    for sentence in sentences:
        first = bisect_left(begins, sentence["start"])
        found[first : bisect_right(ends, sentence["end"])] = -1
        found[first] = 1
    return found.astype(np.uint64)
