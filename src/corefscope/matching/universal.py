"""The layers of Universal Dependencies of a document, as its file and its corpus have them."""

from __future__ import annotations

from corefscope.corpus import Corpus, Document
from corefscope.corpus.mentions import Span
from corefscope.language import UniversalLayers, says_something, universal_relation


def universal_layers(source: Document, key: Corpus, document: int) -> UniversalLayers:
    """Return the layers of a document.

    Parameters
    ----------
    source
        The document that words are described in, of the key or of the response.
    key, document
        The key and the position of the document there: empty nodes, heads and types of mentions
        are the key's.
    """
    features, heads, relations = (
        column if column and says_something(column) else None
        for column in map(source.layer, ("feats", "heads", "deprels"))
    )
    empty = _empty_nodes(key, document)
    if relations is not None and empty:
        relations = [empty.get(token, relation) for token, relation in enumerate(relations)]
    attributes = key[key.document_names[document]].attributes or {}
    return UniversalLayers(
        features=features,
        heads=heads,
        relations=relations,
        empty=frozenset(empty),
        mention_heads=_mention_heads(key, document),
        entity_types={span: said.type for span, said in attributes.items() if said.type},
    )


def _empty_nodes(corpus: Corpus, document: int) -> dict[int, str]:
    """Return the relation of each empty node in the enhanced graph, by token."""
    nodes = corpus.empty_nodes
    return {
        int(nodes.token[row]): _first_relation(nodes.dependencies[row])
        for row in nodes.rows_of(document)
    }


def _first_relation(dependencies: str) -> str:
    """Return the first relation of a cell of DEPS, such as ``2:nsubj|4:obj``."""
    return universal_relation(dependencies.partition("|")[0].partition(":")[2]) or "_"


def _mention_heads(corpus: Corpus, document: int) -> dict[Span, int]:
    """Return the head token of each mention whose head is known."""
    if not corpus.has_spans or not corpus.gives_heads(document):
        return {}
    assert corpus.mention_heads is not None
    rows = corpus.mentions_of(document)
    spans = corpus.mention_spans[rows.start : rows.stop].tolist()
    heads = corpus.mention_heads[rows.start : rows.stop].tolist()
    return {
        (start, end): head for (start, end), head in zip(spans, heads, strict=True) if head >= 0
    }
