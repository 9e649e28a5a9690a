"""Take documents of other libraries as they are in memory, without importing these libraries.

Known are spaCy's ``Doc`` (with the entities of spacy-experimental, neuralcoref, fastcoref or
coreferee), Stanza's ``Document``, fastcoref's ``CorefResult``, and dictionaries in the shape of any
JSON format, such as those that Maverick returns. An object is recognised by its attributes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from corefscope.corpus import Corpus
from corefscope.corpus.offsets import Convention
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.builder import Builder
from corefscope.formats.cluster_fields import OTHER_NAME
from corefscope.formats.draft import Draft, DraftEntity, DraftMention
from corefscope.formats.drafting import Placed, add_drafts
from corefscope.formats.options import ReadingOptions, Role
from corefscope.formats.registry import recognise
from corefscope.formats.source import Source

CHARACTERS = Convention(0, "exclusive", "character")
OF_SENTENCE = Convention(0, "exclusive", "sentence")
GROUP = re.compile(r"coref_clusters_(\d+)")
HEADS = "coref_head_clusters_{}"
NAME = "corefscope_name"
"""The key of the name of a document among the user data of spaCy."""


def corpus_of(
    annotation: object, what: str, role: Role | None = None, *, heads_as_spans: bool = False
) -> Corpus | None:
    """Return documents of other libraries as a corpus; None if they are something else.

    Parameters
    ----------
    annotation
        A document, or a list of documents.
    what
        The name of the annotation in findings, such as "the key".
    role
        Whether it is a key or a response, if dictionaries have both gold and predicted entities.
    heads_as_spans
        Whether to take the heads that coreferee marks for whole mentions.
    """
    items = list(annotation) if isinstance(annotation, list | tuple) else [annotation]
    if items and all(_is_record(item) for item in items):
        return _of_records(items, what, role)
    # Clusters are lists, too: most of them are told from documents by the first one.
    if not items or _drafter(items[0], heads_as_spans) is None:
        return None
    drafters = [_drafter(item, heads_as_spans) for item in items]
    if not all(drafters):
        raise TypeError(f"{what} has a document and something else; expected documents")
    source = Source(name=what, path=None, _kept=b"")
    builder = Builder()
    pairs = zip(drafters, items, strict=True)
    add_drafts(source, builder, (placed(make(item)) for make, item in pairs if make))
    return builder.corpus(what)


def placed(draft: Draft) -> Placed:
    """Return a draft that is kept in memory."""
    return Placed(draft, 0, 0, lambda block: draft)


def _drafter(item: Any, heads_as_spans: bool) -> Callable[[Any], Draft] | None:
    """Return what makes a draft of an object."""
    if all(hasattr(item, name) for name in ("text", "spans", "user_data", "_")):
        return partial(spacy_draft, heads_as_spans=heads_as_spans)
    if hasattr(item, "text") and callable(getattr(item, "get_clusters", None)):
        return _fastcoref_draft
    if hasattr(item, "sentences") and hasattr(item, "coref"):
        return _stanza_draft
    return None


# ---- Dictionaries ----


def _is_record(item: object) -> bool:
    """Return whether this is a document of a JSON format, and not ``{document: clusters}``."""
    if not isinstance(item, Mapping):
        return False
    names = ("tokens", "sentences", "document", "text", "cased_words", "clusters_token_offsets")
    return any(name in item for name in names) and any(
        isinstance(name, str) and re.search("cluster|entit|coref|spans", name) for name in item
    )


def _of_records(items: Sequence[Any], what: str, role: Role | None) -> Corpus:
    """Read dictionaries as if they were the lines of a file."""
    try:
        lines = [json.dumps(item, default=_plain) for item in items]
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} has a value that JSON cannot express: {error}") from None
    source = Source(name=what, path=None, _kept="".join(f"{line}\n" for line in lines).encode())
    format, options = recognise(source), ReadingOptions(role=role)
    if isinstance(format, Finding):
        raise InvalidInput([format])
    builder = Builder(reading=format.reading(options))
    format.read(source, builder, options, None)
    return builder.corpus(what)


def _plain(value: Any) -> Any:
    """Return arrays and numbers of numpy as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a list, a number or a text")


# ---- spaCy ----


def spacy_draft(doc: Any, *, heads_as_spans: bool = False) -> Draft:
    """Return a document of spaCy as a draft; tokens of blanks are left out."""
    tokens = [token for token in doc if token.text.strip()]
    starts = [n for n, token in enumerate(tokens) if n and token.is_sent_start]
    draft = Draft(
        name=doc.user_data.get(NAME),
        text=doc.text,
        words=[token.text for token in tokens],
        characters=[(token.idx, token.idx + len(token.text)) for token in tokens],
        sentences=[b - a for a, b in zip([0, *starts], [*starts, len(tokens)], strict=True)],
        convention=CHARACTERS,
        entities=[],
    )
    for layer, attribute in (("tags", "tag_"), ("lemmas", "lemma_")):
        values = [getattr(token, attribute) for token in tokens]
        if any(values):
            draft.columns[layer] = values
    numbers = {token.i: number for number, token in enumerate(tokens)}
    draft.entities = _spacy_entities(doc, draft, numbers, heads_as_spans)
    return draft


def _spacy_entities(
    doc: Any, draft: Draft, numbers: Mapping[int, int], heads_as_spans: bool
) -> list[DraftEntity]:
    groups = [name for name in doc.spans if GROUP.fullmatch(name)]
    others = [name for name in doc.spans if OTHER_NAME.search(name)]
    if others:
        message = (
            f"the group of spans {others[0]!r} looks like clusters, too, but only groups such as "
            "'coref_clusters_1' are read; if it should be scored, give it such a name"
        )
        draft.findings.append((Code.TWO_CLUSTERINGS, message))
    if groups:
        return [_group(doc, name, numbers) for name in groups]
    if (clusters := getattr(doc._, "coref_clusters", None)) is not None:
        return [_cluster(number, cluster) for number, cluster in enumerate(clusters)]
    if (chains := getattr(doc._, "coref_chains", None)) is not None:
        return _chains(chains, draft, [token.idx for token in doc], heads_as_spans)
    if any(name.startswith(HEADS.format("")) for name in doc.spans):
        raise _heads_only("coref_head_clusters has heads of mentions; run the span resolver")
    return []


def _group(doc: Any, name: str, numbers: Mapping[int, int]) -> DraftEntity:
    """Return an entity of spacy-experimental, with the heads of its mentions if it has some."""
    number = name.rpartition("_")[2]
    spans = list(doc.spans[name])
    heads = list(doc.spans[HEADS.format(number)]) if HEADS.format(number) in doc.spans else []
    if len(heads) != len(spans) or any(
        not span.start <= head.start < span.end for span, head in zip(spans, heads, strict=True)
    ):
        heads = [None] * len(spans)
    return DraftEntity(
        label=number,
        type=next((span.label_ for span in spans if span.label_), None),
        mentions=[
            DraftMention(
                places=((span.start_char, span.end_char),),
                string=span.text,
                head=None if head is None else numbers.get(head.start),
            )
            for span, head in zip(spans, heads, strict=True)
        ],
    )


def _cluster(number: int, cluster: Any) -> DraftEntity:
    """Return an entity of neuralcoref, which has spans, or of fastcoref, which has characters."""
    if hasattr(cluster, "mentions"):
        places = [(span.start_char, span.end_char) for span in cluster.mentions]
    else:
        places = [(begin, end) for begin, end in (pair for pair in cluster if pair is not None)]
    mentions = [DraftMention(places=(place,)) for place in places]
    return DraftEntity(label=str(number), mentions=mentions)


def _chains(
    chains: Iterable[Any], draft: Draft, begins: Sequence[int], heads_as_spans: bool
) -> list[DraftEntity]:
    """Return the entities of coreferee, whose mentions are heads."""
    if not heads_as_spans:
        raise _heads_only(
            "coreferee marks the head of each mention, which exact matching compares with whole "
            "mentions; pass heads_as_spans(documents) to agree, and match by head"
        )
    ends = dict(draft.characters or ())
    entities, coordinations = [], 0
    for number, chain in enumerate(chains):
        mentions = []
        for mention in chain.mentions:
            if len(mention.token_indexes) > 1:
                coordinations += 1
                continue
            begin = begins[mention.token_indexes[0]]
            mentions.append(DraftMention(places=((begin, ends[begin]),)))
        entities.append(DraftEntity(label=str(number), mentions=mentions))
    if coordinations:
        message = (
            f"{coordinations} mentions have several heads, as 'Ann and Bob'; they are split "
            "antecedents, not spans, and are left out; expected one head"
        )
        draft.findings.append((Code.COORDINATION, message))
    return entities


def _heads_only(found: str) -> InvalidInput:
    message = f"found heads instead of mentions; expected whole mentions: {found}"
    return InvalidInput([Finding(Code.HEADS_ONLY, message)])


def heads_as_spans(documents: Sequence[Any]) -> Corpus:
    """Take documents of coreferee, which marks heads, as mentions of one token each.

    Exact matching against whole mentions finds almost nothing then; use ``match="head"``.

    Parameters
    ----------
    documents
        spaCy's documents with ``doc._.coref_chains``.

    Returns
    -------
    Corpus
        A corpus whose mentions are the heads. Mentions with several heads are left out.
    """
    corpus = corpus_of(list(documents), "the documents", heads_as_spans=True)
    if corpus is None:
        raise TypeError("found no documents of spaCy; expected a list of them")
    return corpus


# ---- fastcoref ----


def _fastcoref_draft(result: Any) -> Draft:
    """Return a result of fastcoref as a draft; a mention that it could not place is left out."""
    text = result.text
    draft = Draft(name=None, entities=[], convention=CHARACTERS)
    if isinstance(text, str):
        draft.text = text
    else:
        draft.words = list(text)
        draft.convention = Convention(0, "exclusive", "token")
    lost = 0
    for number, cluster in enumerate(result.get_clusters(as_strings=False)):
        places = [tuple(pair) for pair in cluster if pair is not None]
        lost += len(cluster) - len(places)
        mentions = [DraftMention(places=(place,)) for place in places]
        draft.entities.append(DraftEntity(label=str(number), mentions=mentions))
    if lost:
        message = f"{lost} mentions are None; expected two offsets each: they are left out"
        draft.findings.append((Code.NO_PLACE, message))
    return draft


# ---- Stanza ----


def _stanza_draft(document: Any) -> Draft:
    """Return a document of Stanza as a draft; it counts the words of each sentence."""
    words = [[word.text for word in sentence.words] for sentence in document.sentences]
    draft = Draft(
        name=None,
        words=[word for sentence in words for word in sentence],
        sentences=list(map(len, words)),
        convention=OF_SENTENCE,
        entities=[],
    )
    zeros = 0
    for chain in document.coref or ():
        mentions = []
        for mention in chain.mentions:
            place = mention.sentence, mention.start_word, mention.end_word
            if all(isinstance(number, int) for number in place):
                mentions.append(DraftMention(places=(place,)))
            else:
                zeros += 1
        draft.entities.append(DraftEntity(label=str(chain.index), mentions=mentions))
    if zeros:
        message = f"{zeros} mentions are words that are not spoken; they are left out"
        draft.findings.append((Code.NO_PLACE, message))
    return draft
