"""What a written format claims to express is there again when it is read back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from anaphora_text import COLUMNS
from corefscope import Corpus, read, write
from corefscope.corpus.links import Bridge
from corefscope.extensions.universal_anaphora.anaphora import anaphora_of
from corefscope.formats.registry import writings
from corefscope.formats.writing.abilities import EVERYTHING, Feature
from corefscope.formats.writing.losses import FINDERS, TEXT_FINDERS, losses_of
from formats.contents import written

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
WORDS = [["Ann", "and", "Bob", "saw"], ["the", "old", "dog", "."], ["It", "fled", "from", "them"]]
COREFUD = """# newdoc id = x
# global.Entity = eid-etype-head-other
1	Ann	_	_	_	_	_	_	_	Entity=(e1-person-1-gstype:spec)
2	slept	_	_	_	_	_	_	_	_

"""
ANAPHORA = f"""# global.columns = {COLUMNS}
# newdoc id = x
1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a|Min=1|ElementOf=2) _ (EntityID=9|MarkableID=d)
2 it _ _ _ _ _ _ _ _ (EntityID=3-Pseudo|MarkableID=b) (MarkableID=b|MentionAnchor=a) _
"""


def native(*entities: list[dict[str, Any]], **fields: Any) -> str:
    """A document of twelve words with these mentions, in the native format."""
    record = {
        "corefscope": "0.1.0",
        "schema": "corpus/1",
        "name": "x",
        "tokens": 12,
        "sentences": [4, 4, 4],
        "layers": {"words": [word for sentence in WORDS for word in sentence]},
        "entities": [{"label": str(n), "mentions": each} for n, each in enumerate(entities, 1)],
    }
    return json.dumps({**record, **fields}) + "\n"


def at(first: int, last: int, **fields: Any) -> dict[str, Any]:
    return {"span": [first, last], **fields}


WITH_ANTECEDENTS = native([at(0, 0)], [at(2, 2)], [at(11, 11)]).replace(
    '"label": "3"', '"label": "3", "split_antecedents": [0, 1]'
)


FILES: Mapping[Feature, tuple[str, str]] = {
    Feature.CROSSING: ("x.jsonl", native([at(4, 6), at(5, 7), at(8, 8)])),
    Feature.TOUCHING: ("x.jsonl", native([at(0, 1), at(1, 2), at(8, 8)])),
    Feature.OVER_SENTENCES: ("x.jsonl", native([at(3, 9), at(11, 11)])),
    Feature.GAPS: ("x.jsonl", native([{"parts": [[0, 0], [2, 2]]}, at(11, 11)])),
    Feature.EMPTY_NODES: (
        "x.jsonl",
        native([at(1, 1), at(4, 6)], empty_nodes=[{"token": 1, "id": "1.1", "dependencies": "_"}]),
    ),
    Feature.TYPES: ("x.jsonl", native([at(4, 6, type="ANIM"), at(8, 8, type="ANIM")])),
    Feature.LEVELS: ("x.jsonl", native([at(4, 6, level="NOM"), at(8, 8, level="PRO")])),
    Feature.HEADS: (
        "x.jsonl",
        native([at(4, 6, head=6), at(8, 8, head=8)], [at(0, 2, head=1)], has_heads=True),
    ),
    Feature.BRIDGES: (
        "x.jsonl",
        native([at(0, 0)], [at(4, 6, bridges=[{"entity": 0, "relation": "part"}])]),
    ),
    Feature.SPLIT_ANTECEDENTS: ("x.jsonl", WITH_ANTECEDENTS),
    Feature.BRACKET_FIELDS: ("x.conllu", COREFUD),
    Feature.OWN: ("x.conllua", ANAPHORA),
}
"""A file that has the feature, for each feature."""


# ---- What a corpus says, by feature ----


def mentions(corpus: Corpus, entity: int) -> list[Any]:
    rows = range(len(corpus.mention_entity))
    found = [corpus.mention_id(row) for row in rows if corpus.mention_entity[row] == entity]
    return sorted(found, key=str)


def entities(corpus: Corpus) -> Any:
    numbers = range(len(corpus.entity_labels))
    return sorted((mentions(corpus, entity) for entity in numbers), key=str)


def attributes(which: str) -> Callable[[Corpus], Any]:
    def found(corpus: Corpus) -> Any:
        (document,) = corpus
        known = document.attributes or {}
        spans = [(mention.start, mention.end) for entity in document.entities for mention in entity]
        return {span: getattr(known[span], which) for span in spans if span in known}

    return found


def heads(corpus: Corpus) -> Any:
    """The heads of mentions with several tokens; the head of a single token says nothing."""
    assert corpus.mention_heads is not None
    rows = zip(corpus.mention_spans.tolist(), corpus.mention_heads.tolist(), strict=True)
    return sorted((first, last, head) for (first, last), head in rows if first < last)


def bridges(corpus: Corpus) -> Any:
    def shown(link: Bridge) -> Any:
        return corpus.mention_id(link.mention), mentions(corpus, link.entity), link.relation

    return [shown(link) for link in corpus.bridges]


def antecedents(corpus: Corpus) -> Any:
    return [
        (mentions(corpus, entity), [mentions(corpus, other) for other in others])
        for entity, others in corpus.split_antecedents.items()
    ]


def layers(corpus: Corpus) -> Any:
    anaphora = anaphora_of(corpus)
    assert anaphora is not None
    return [
        ([markable._replace(line=None) for markable in document.markables], document.bridges)
        for documents in anaphora.layers.values()
        for document in documents
        if document is not None
    ]


SAID: Mapping[Feature, Callable[[Corpus], Any]] = {
    **dict.fromkeys(Feature, layers),
    **dict.fromkeys(
        (Feature.CROSSING, Feature.TOUCHING, Feature.OVER_SENTENCES, Feature.GAPS), entities
    ),
    Feature.EMPTY_NODES: lambda corpus: corpus.empty_nodes and corpus.empty_nodes.token.tolist(),
    Feature.TYPES: attributes("type"),
    Feature.LEVELS: attributes("level"),
    Feature.HEADS: heads,
    Feature.BRIDGES: bridges,
    Feature.SPLIT_ANTECEDENTS: antecedents,
    Feature.BRACKET_FIELDS: lambda corpus: corpus.openings and corpus.openings.texts,
}
CLAIMS = [
    (format, feature)
    for format, writing in writings().items()
    for feature in Feature
    if feature in writing.features and (format != "spacy" or find_spec("spacy"))
]


@pytest.mark.parametrize(("format", "feature"), CLAIMS)
def test_a_format_keeps_what_it_claims(format: str, feature: Feature, tmp_path: Path) -> None:
    name, text = FILES[feature]
    corpus = read(written(tmp_path / name, text))
    if feature in FINDERS:
        assert list(FINDERS[feature](corpus, "json")), "the file does not have the feature"
    else:
        assert list(TEXT_FINDERS[feature](list(corpus), "json")), "the file lacks the feature"
    assert feature not in {loss.feature for loss in losses_of(corpus, format)[0]}
    write(corpus, tmp_path / "out", format, lossy=True)
    again = read(tmp_path / "out", format)
    assert SAID[feature](again) == SAID[feature](corpus)


@pytest.mark.parametrize("format", ["jsonl", "native", "spacy"])
def test_a_head_that_is_not_known_does_not_hide_others(format: str, tmp_path: Path) -> None:
    if format == "spacy":
        pytest.importorskip("spacy")
    text = native([at(4, 6, head=6), at(5, 6), at(8, 8)], [at(0, 2)], has_heads=True)
    corpus = read(written(tmp_path / "x.jsonl", text))
    write(corpus, tmp_path / "out", format)
    again = read(tmp_path / "out", format)
    assert heads(again) == heads(corpus) == [(0, 2, -1), (4, 6, 6), (5, 6, -1)]
    assert not again.findings


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(4, 7)], "'coref_head_clusters_1' has 1 heads; expected 2, one for each mention"),
        ([(4, 6), (8, 10)], "the heads of mentions are not tokens; expected one token each"),
        ([(8, 10), (8, 10)], "1 head is not in its mention"),
    ],
)
def test_heads_that_do_not_fit_are_reported(
    places: list[tuple[int, int]], expected: str, tmp_path: Path
) -> None:
    groups = {"coref_clusters_1": [(0, 7), (8, 10)], "coref_head_clusters_1": places}
    record = {
        "text": "the man he ran",
        "tokens": [{"start": a, "end": b} for a, b in ((0, 3), (4, 7), (8, 10), (11, 14))],
        "spans": {
            name: [{"start": a, "end": b, "label": ""} for a, b in spans]
            for name, spans in groups.items()
        },
    }
    corpus = read(written(tmp_path / "x.json", json.dumps(record)))
    (finding,) = corpus.findings
    assert finding.code.id == "W113" and expected in finding.message
    assert len(corpus.mention_entity) == 2


# ---- Text layers ----

TEXT_OF_WORDS = "Ann and Bob saw  the old dog.\n\nIt fled from them"
LAYER_VALUES = {
    "words": [word for sentence in WORDS for word in sentence],
    "tags": ["NOUN"] * 12,
    "xpos": ["NN"] * 11 + ["PRP"],
    "lemmas": ["ann", "and", "bob", "see", "the", "old", "dog", ".", "it", "flee", "from", "they"],
    "feats": ["Number=Sing"] * 12,
    "heads": ["3", "2", "0", "-1", "6", "6", "-1", "6", "9", "-1", "11", "9"],
    "deprels": ["dep"] * 12,
    "parse": ["(TOP*", "*", "*", "*)"] * 3,
    "names": ["(PERSON*)", *["*"] * 11],
    "speakers": ["Eve"] * 4 + ["Ann"] * 8,
    "framesets": [*["-"] * 3, "see", *["-"] * 8],
    "senses": [*["-"] * 6, "1", *["-"] * 5],
}
"""The layers of a document; only the first ones are those of many formats."""


def layers_document() -> str:
    characters, end = [], 0
    for word in LAYER_VALUES["words"]:
        begin = TEXT_OF_WORDS.index(word, end)
        end = begin + len(word)
        characters.append([begin, end])
    return native(
        [at(4, 6), at(8, 8)], text=TEXT_OF_WORDS, characters=characters, layers=LAYER_VALUES
    ).replace('"label": "1"', '"label": "hund"')


def said_of(layer: str, corpus: Corpus) -> Any:
    (document,) = corpus
    match layer:
        case "names of documents":
            return document.name
        case "labels of entities":
            return list(corpus.entity_labels)
        case "sentences":
            return document.sentences
        case "text between tokens":
            # Formats that give offsets do not say which blanks stand between sentences.
            return re.sub(r"\s", " ", document.text or "").strip()
    return document.layer(layer)


KEPT_LAYERS = [
    (format, layer)
    for format, writing in writings().items()
    if format != "spacy" or find_spec("spacy")
    for layer in sorted(writing.layers)
    if layer != EVERYTHING
]


@pytest.mark.parametrize(("format", "layer"), KEPT_LAYERS)
def test_a_format_keeps_the_layers_it_claims(format: str, layer: str, tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "x.jsonl", layers_document()))
    write(corpus, tmp_path / "out", format, lossy=True)
    again = read(tmp_path / "out", format)
    assert said_of(layer, again) == said_of(layer, corpus)
