"""spaCy documents as a DocBin, the file that ends in `.spacy`.

Its tokens are hashes of words, so that only spaCy can read it: install `corefscope[spacy]`, or
write `Doc.to_json()` instead. Entities are the groups of spans `coref_clusters_1` and so on, or
`doc._.coref_clusters` of fastcoref if user data were stored (`DocBin(store_user_data=True)`).

- Blank lines are tokens in spaCy. They are left out, so that tokens are those of other formats.
- If there are also groups such as `gold_clusters_1`, a key is read from them, and a response from
  the others. You get a warning (`W110`). A document without the groups that are read has no
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

from corefscope.corpus import Corpus, Document
from corefscope.exceptions import CannotExpress
from corefscope.extensions.toolkits.live import NAME, spacy_drafts
from corefscope.findings import Code, Finding
from corefscope.formats.objects import placed
from corefscope.formats.reading.drafting import add_drafts
from corefscope.formats.reading.file import File
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, said_values, whole_span_of
from corefscope.formats.writing.plain_text import PlainText, plain_text, seen_span


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    data = file.source.read()
    if file.progress:
        file.progress(len(data))
    try:
        docs = _docs(data)
    except ImportError:
        file.report(
            Code.NEEDS_PACKAGE,
            "a DocBin is read by spaCy, which is not installed",
            expected="it: pip install 'corefscope[spacy]', or write Doc.to_json()",
        )
        return
    except Exception as error:  # Whatever a damaged file makes spaCy, msgpack or zlib raise.
        file.report(
            Code.BAD_SHAPE,
            f"spaCy cannot read the file ({type(error).__name__})",
            expected="a DocBin",
        )
        return
    drafts = spacy_drafts(docs, file.options, "use the format 'spacy:{}'")
    add_drafts(file, map(placed, drafts))


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
                expected="it: pip install 'corefscope[spacy]'",
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


def record_of(document: Document) -> dict[str, Any]:
    """Return a document as ``Doc.to_json()`` does, with its name in ``doc_key``."""
    text = plain_text(document)
    tokens = list(_tokens(document, text))
    sentences = [
        {"start": begin, "end": end}
        for begin, end in (text.place((s.start, s.stop - 1)) for s in document.sentences if s)
    ]
    return {
        "doc_key": document.name,
        "text": text.text,
        "ents": [],
        "sents": sentences,
        "tokens": [{"id": number, **token} for number, token in enumerate(tokens)],
        "spans": _groups(document, text),
    }


def _tokens(document: Document, text: PlainText) -> Iterator[dict[str, Any]]:
    layers = {"tag": said_values(document, "tags"), "lemma": said_values(document, "lemmas")}
    end = 0
    for number, (begin, stop) in enumerate(text.characters):
        if begin >= stop or begin < end:
            raise cannot(document, f"token {number} has no characters of its own", expected="some")
        yield from _blanks(text.text, end, begin, layers)
        known = {name: values[number] for name, values in layers.items() if values}
        yield {"start": begin, "end": stop, **known}
        end = stop
    yield from _blanks(text.text, end, len(text.text), layers)


def _blanks(
    text: str, end: int, begin: int, layers: Mapping[str, object]
) -> Iterator[dict[str, Any]]:
    """Yield a token for what is between two tokens, unless it is one space or nothing."""
    first = end + (text[end : end + 1] == " " and end > 0)
    if first < begin:
        # Either all tokens of a document have an attribute, or none has.
        usual = {"tag": "_SP", "lemma": text[first:begin]}
        known = {name: usual[name] for name, values in layers.items() if values}
        yield {"start": first, "end": begin, **known}


def _groups(document: Document, text: PlainText) -> dict[str, list[dict[str, Any]]]:
    attributes = document.attributes or {}
    corpus = document.corpus
    heads = corpus.mention_heads if corpus.gives_heads(document.index) else None
    rows = iter(corpus.mentions_of(document.index))
    groups: dict[str, list[dict[str, Any]]] = {}
    for number, entity in enumerate(document.entities, start=1):
        spans, of_heads, has_heads = [], [], False
        for mention, row in zip(entity, rows, strict=False):
            seen_span(document, text, mention)
            span = whole_span_of(document, mention)
            known = attributes.get(span)
            label = (known and known.type) or ""
            spans.append(_span(text, span, label))
            head = -1 if heads is None else int(heads[row])
            of_heads.append(_span(text, span if head < 0 else (head, head), label))
            has_heads |= head >= 0
        groups[f"coref_clusters_{number}"] = spans
        if has_heads:
            groups[f"coref_head_clusters_{number}"] = of_heads
    return groups


def _span(text: PlainText, span: tuple[int, int], label: str) -> dict[str, Any]:
    begin, end = text.place(span)
    return {"start": begin, "end": end, "label": label, "kb_id": ""}
