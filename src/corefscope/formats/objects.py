"""Take documents of other libraries as they are in memory, without importing these libraries.

Known are the objects that extensions declare, and dictionaries in the shape of any JSON format,
such as those that Maverick returns. An object is recognised by its attributes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast, get_args

from msgspec.structs import replace

from corefscope import arguments
from corefscope.corpus import Corpus
from corefscope.corpus.clusters import (
    Given,
    NotClusters,
    checked_documents,
    is_row_of_pairs,
    overview,
)
from corefscope.corpus.corpus import CountedUnit, Texts
from corefscope.corpus.foreign import LIVE, is_document, is_record, library_of
from corefscope.corpus.mentions import Clusters, is_whole_pair
from corefscope.corpus.offsets import Base, Convention, Ends, Offsets
from corefscope.exceptions import InvalidInput, UnknownName, WrongArgument, refuse_errors
from corefscope.findings import Code, Finding
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.draft import Draft, Mentions, Place
from corefscope.formats.reading.drafting import Placed, add_drafts
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import ReadingOptions, Role
from corefscope.formats.reading.source import Source
from corefscope.formats.registry import chosen, recognise


def corpus_of(annotation: object, what: str, role: Role | None = None) -> Corpus | None:
    """Return documents of other libraries as a corpus; None if they are something else.

    Parameters
    ----------
    annotation
        A document, or a list of documents.
    what
        The name of the annotation in findings, such as "the key".
    role
        Whether it is a key or a response, if documents have both gold and predicted entities.
    """
    items = list(annotation) if isinstance(annotation, list | tuple) else [annotation]
    _refuse_named(annotation, what)
    # Clusters are lists, too: most of them are told from documents by the first one.
    if not items or not is_document(items[0]):
        return None
    if all(map(is_record, items)):
        return _of_records(items, what, role)
    libraries = [library_of(item) for item in items]
    if None in libraries:
        raise WrongArgument(
            f"{what} has a document and something else; expected documents of libraries alone, or "
            "dictionaries of one JSON format alone, each of them one document"
        )
    of_library = {
        name: LIVE[name].drafts(
            [i for i, each in zip(items, libraries, strict=True) if each == name], role
        )
        for name in filter(None, dict.fromkeys(libraries))
    }
    drafts = (next(of_library[name]) for name in libraries if name is not None)
    return corpus_of_drafts(drafts, what)


def _refuse_named(annotation: object, what: str) -> None:
    """Raise TypeError for JSON documents by name, which are no clusters by name."""
    if isinstance(annotation, Mapping) and any(map(is_record, annotation.values())):
        raise WrongArgument(
            f"{what} has dictionaries of documents by name; expected them in one list, such as "
            "list(documents.values()); a field such as 'doc_key' names a document"
        )


def corpus_of_drafts(drafts: Iterable[Draft], what: str) -> Corpus:
    """Return drafts that are kept in memory as a corpus."""
    source = Source(name=what, path=None, _kept=b"")
    builder = Builder()
    add_drafts(File(source=source, builder=builder), map(placed, drafts))
    corpus = builder.corpus(what)
    if not len(corpus.mention_entity):
        rest = [each for each in corpus.findings if each.code is not Code.NO_MENTIONS]
        corpus = replace(corpus, findings=(*rest, _no_mentions(what, len(corpus))))
    return corpus


def corpus_of_texts(
    documents: Mapping[str, Clusters],
    text: Texts | None,
    unit: CountedUnit,
    base: Base,
    ends: Ends | None,
    path: str | None,
) -> Corpus:
    """Return clusters with their texts as a corpus; see :meth:`Corpus.from_clusters`."""
    if unit not in get_args(CountedUnit):
        raise UnknownName("choice of unit", str(unit), get_args(CountedUnit))
    of_text = unit == "characters"
    usual: Ends = "exclusive" if of_text else "inclusive"
    convention = Convention(base, ends or usual, "character" if of_text else "token")
    given = checked_documents(documents, convention, as_given=True)
    texts = _texts(text, given)
    drafts = [_clusters_draft(name, each, texts[name], convention) for name, each in given.items()]
    builder = Builder()
    if drafts:
        source = Source(name=path or "the corpus", path=None, _kept=b"")
        add_drafts(File(source=source, builder=builder), map(placed, drafts))
    refuse_errors(builder.findings)
    corpus = builder.corpus(path or "the corpus")
    rest = [each for each in corpus.findings if each.code is not Code.NO_MENTIONS]
    found = overview(given.values()).findings("the corpus")
    return replace(corpus, path=path, offsets=Offsets(convention=None), findings=(*rest, *found))


def _texts(text: Texts | None, documents: Collection[str]) -> Mapping[str, str | Sequence[str]]:
    """Return the text of each document; raise WrongArgument if one has none."""
    if isinstance(text, Mapping):
        lacking = [name for name in documents if name not in text]
        if not lacking:
            return text
        raise WrongArgument(
            f"text lacks document {lacking[0]!r}; expected the text of each document"
        )
    if text is None or len(documents) != 1:
        found = "no text" if text is None else f"one text for {len(documents)} documents"
        raise WrongArgument(
            f"found {found}; expected text={{document: text}}, to count characters in"
        )
    return dict.fromkeys(documents, text)


def _clusters_draft(
    name: str, given: Given, text: str | Sequence[str], convention: Convention
) -> Draft:
    """Return clusters with the text of their document as a draft."""
    sizes, mentions = given.rows
    parts = [mention if is_row_of_pairs(mention) else (mention,) for mention in mentions]
    places = [place for each in parts for place in each]
    ids = [place for place in places if not is_whole_pair(place)]
    if ids:
        raise NotClusters(f"document {name!r} has the mention {ids[0]!r}; expected (first, last)")
    words = None if isinstance(text, str) else arguments.texts("text", text)
    return Draft(
        name=name,
        mentions=Mentions(
            labels=[str(number) for number in range(len(sizes))],
            sizes=sizes,
            places=cast(list[Place], places),
            parts=list(map(len, parts)) if len(places) > len(parts) else (),
        ),
        convention=convention,
        text=text if isinstance(text, str) else " ".join(text),
        words=words,
    )


def _no_mentions(what: str, documents: int) -> Finding:
    which = "the only document" if documents == 1 else f"all {documents:,} documents"
    return Finding(
        Code.NO_MENTIONS,
        f"{which} of {what} came without entities",
        expected=(
            "them where a component of spaCy, fastcoref or Stanza writes them, such as "
            "doc.spans['coref_clusters_1']: check that the component was run"
        ),
    )


def placed(draft: Draft) -> Placed:
    """Return a draft that is kept in memory."""
    return Placed(draft, 0, 0, partial(_kept, draft=draft))


def _kept(block: bytes, draft: Draft) -> Draft:
    """Return the draft; a function of a module can be sent to other processes."""
    return draft


# ---- Dictionaries ----


def _of_records(items: Sequence[Any], what: str, role: Role | None) -> Corpus:
    """Read dictionaries as if they were the lines of a file."""
    try:
        lines = [json.dumps(item, default=_plain) for item in items]
    except (TypeError, ValueError) as error:
        raise WrongArgument(f"{what} has a value that JSON cannot express: {error}") from None
    source = Source(name=what, path=None, _kept="".join(f"{line}\n" for line in lines).encode())
    format, options = recognise(source), ReadingOptions(role=role)
    if isinstance(format, Finding):
        raise InvalidInput([format])
    builder = Builder()
    format = chosen(format, source, builder, options, is_named=False)
    format.read(source, builder, options)
    return builder.corpus(what)


def _plain(value: Any) -> Any:
    """Return arrays and numbers of numpy as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a list, a number or a text")
