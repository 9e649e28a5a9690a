"""What readers of the JSON family must get right, format by format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope.corpus.layers import MentionAttributes
from formats.contents import codes, contents, entities, partition, refusal, written

WORDS = ["Ann", "'s", "cat", "sat", ".", "It", "slept", "."]
SENTENCES = [WORDS[:5], WORDS[5:]]
TEXT = "Ann's cat sat.\n\nIt slept."
CAT = {frozenset({(0, 2), (5, 5)})}


def read(path: Path, value: object, format: str | None = None, **options: Any) -> cs.Corpus:
    return cs.read(written(path / "doc.json", json.dumps(value)), format, **options)


def only(corpus: cs.Corpus) -> cs.Document:
    (document,) = corpus
    return document


# ---- JSON lines and word pieces ----

PIECES = {
    "doc_key": "x",
    "sentences": [
        ["[CLS]", "Ann", "'s", "ca", "##t", "sat", ".", "[SEP]"],
        ["[CLS]", "It", "sle", "##pt", ".", "[SEP]"],
    ],
    "subtoken_map": [0, 0, 1, 2, 2, 3, 4, 4, 4, 5, 6, 6, 7, 7],
    "sentence_map": [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
    "clusters": [[[1, 4], [9, 9]]],
}
PIECES_OF = {
    "glued from hash marks": {},
    "from tokens": {"tokens": WORDS},
    "from orig_tokens": {"orig_tokens": WORDS},
    "glued from blocks": {
        "sentences": [
            ["<s>", "▁Ann", "'s", "▁ca", "t", "▁sat", ".", "</s>"],
            ["<s>", "▁It", "▁sle", "pt", ".", "</s>"],
        ]
    },
}


@pytest.mark.parametrize("change", PIECES_OF.values(), ids=PIECES_OF)
def test_word_pieces_become_words(change: dict[str, Any], tmp_path: Path) -> None:
    corpus = read(tmp_path, {**PIECES, **change})
    document = only(corpus)
    assert document.words == WORDS
    assert partition(document) == CAT
    assert [len(sentence) for sentence in document.sentences] == [5, 3]
    assert not corpus.findings


def test_numbers_of_pieces_have_no_words(tmp_path: Path) -> None:
    document = only(read(tmp_path, {**PIECES, "sentences": [[1] * 8, [2] * 6]}))
    assert document.words is None
    assert partition(document) == CAT


def test_a_mention_at_a_special_piece_is_reported(tmp_path: Path) -> None:
    corpus = read(tmp_path, {**PIECES, "clusters": [[[1, 4], [8, 9]]]})
    assert codes(corpus) == ["W150"]
    assert "[8, 9]" in corpus.findings[0].message
    assert partition(only(corpus)) == {frozenset({(0, 2), (4, 5)})}


def test_a_map_of_another_length_is_refused(tmp_path: Path) -> None:
    """Nobody knows whether the map or the pieces are wrong, unless the user says it."""
    record = {**PIECES, "sentences": SENTENCES, "clusters": [[[0, 2], [5, 5]]]}
    with pytest.raises(cs.InvalidInput, match=r"has 14 numbers; expected 8.*'jsonl' \[E112\]"):
        read(tmp_path, record)
    document = only(read(tmp_path, record, "jsonl"))
    assert (document.words, partition(document)) == (WORDS, CAT)


@pytest.mark.parametrize("places", [None, "0 0 1", [0] * 13, [0] * 15])
def test_a_map_must_have_the_word_of_each_piece(places: object, tmp_path: Path) -> None:
    record = {**PIECES, "subtoken_map": places}
    assert refusal(lambda: read(tmp_path, record, "subtoken")) == [("E112", 1)]


LINE = {"doc_key": "x", "sentences": SENTENCES, "clusters": [[[0, 2], [5, 5]]]}


def test_records_without_a_name_are_numbered(tmp_path: Path) -> None:
    record = {field: value for field, value in LINE.items() if field != "doc_key"}
    text = json.dumps(record)
    assert cs.read(written(tmp_path / "one.jsonl", text)).document_names == ("one",)
    both = cs.read(written(tmp_path / "two.txt.jsonl", text + "\n" + text))
    assert both.document_names == ("two#1", "two#2")


def test_tokens_instead_of_sentences(tmp_path: Path) -> None:
    record = {"doc_key": "x", "tokens": WORDS, "clusters": LINE["clusters"], "speakers": ["A"] * 8}
    document = only(read(tmp_path, record))
    assert (document.words, partition(document)) == (WORDS, CAT)
    assert document.speakers == ["A"] * 8


def test_sentences_of_numbers_have_no_words(tmp_path: Path) -> None:
    document = only(read(tmp_path, {**LINE, "sentences": [[7, 8, 9, 7, 7], [7, 7, 7]]}))
    assert (document.words, len(document)) == (None, 8)
    bad = {**LINE, "sentences": [[7, 8]]}
    assert refusal(lambda: read(tmp_path, bad)) == [("E113", 1), ("E113", 1)]


@pytest.mark.parametrize(
    "characters",
    [
        [{"name": "the cat", "cluster": [[0, 2], [5, 5]]}, {"name": None}, 7],
        {"the cat": [[0, 2], [5, 5]], "nobody": [[3, 3]]},
    ],
)
def test_characters_name_entities(characters: object, tmp_path: Path) -> None:
    corpus = read(
        tmp_path, {**LINE, "clusters": [[[3, 3]], [[0, 2], [5, 5]]], "characters": characters}
    )
    assert [label for label, _ in entities(only(corpus))][1] == "the cat"
    assert not corpus.findings


BOTH = {**LINE, "clusters": [[[3, 3], [6, 6]]], "predicted_clusters": [[[0, 2], [5, 5]]]}
GOLD = {frozenset({(3, 3), (6, 6)})}


@pytest.mark.parametrize("record", [BOTH, {**BOTH, "subtoken_map": list(range(8))}])
def test_the_role_decides_between_gold_and_predictions(
    record: dict[str, Any], tmp_path: Path
) -> None:
    for role, expected in (("key", GOLD), ("response", CAT), (None, GOLD)):
        corpus = read(tmp_path, record, role=role)
        assert partition(only(corpus)) == expected
        assert codes(corpus) == ["W110"], "the choice is reported"
        if role:
            assert f"used as {role}" in corpus.findings[0].message
    path = written(tmp_path / "both.jsonl", json.dumps(record))
    with pytest.warns(cs.CorefscopeWarning, match="used as key"):
        scores = cs.score(path, path)
    assert scores["mentions"].f1 == 0, "the key is gold, the response predicted"


def test_empty_clusters_beside_predictions(tmp_path: Path) -> None:
    corpus = read(tmp_path, {**BOTH, "clusters": []}, role="response")
    assert partition(only(corpus)) == CAT


def test_the_message_names_a_format_that_reads_the_other_field(tmp_path: Path) -> None:
    (finding,) = read(tmp_path, BOTH, role="response").findings
    format = finding.message.rpartition("format ")[2].strip("'")
    corpus = read(tmp_path, BOTH, format, role="response")
    assert (partition(only(corpus)), codes(corpus)) == (GOLD, [])


# ---- fastcoref ----

FASTCOREF = {
    "text": {"text": TEXT, "clusters": [[[0, 9], [16, 18]]]},
    "words": {"text": WORDS, "clusters": [[[0, 3], [5, 6]]]},
    "training with tokens": {"tokens": WORDS, "clusters": [[[0, 2], [5, 5]]]},
    "training with sentences": {"sentences": SENTENCES, "clusters": [[[0, 2], [5, 5]]]},
    "training with text": {"doc_key": "x", "text": TEXT, "clusters": [[[0, 9], [16, 18]]]},
    "tokens and text": {"tokens": WORDS, "text": TEXT, "clusters": [[[0, 2], [5, 5]]]},
}


@pytest.mark.parametrize("format", [None, "fastcoref"])
@pytest.mark.parametrize("kind", FASTCOREF)
def test_fastcoref_in_all_its_forms(kind: str, format: str | None, tmp_path: Path) -> None:
    corpus = read(tmp_path, FASTCOREF[kind], format)
    document = only(corpus)
    assert not corpus.findings
    if kind.endswith("text") and kind != "tokens and text":
        assert document.characters is not None
        (entity,) = partition(document)
        spans = {(document.characters[a][0], document.characters[b][1]) for a, b in entity}
        assert spans == {(0, 9), (16, 18)}
    else:
        assert (document.words, partition(document)) == (WORDS, CAT)


@pytest.mark.parametrize("nulls", [[0], [1], [2], [0, 2, 3]])
def test_null_mentions_are_dropped_before_strings_are_paired(
    nulls: Sequence[int], tmp_path: Path
) -> None:
    mentions: list[Any] = [[0, 9], [16, 18]]
    for place in nulls:
        mentions.insert(place, None)
    strings = [["Ann's cat", "It"], ["sat", "slept"]]
    clusters = [mentions, [[10, 13], [19, 24]]]
    corpus = read(tmp_path, {"text": TEXT, "clusters": clusters, "clusters_strings": strings})
    assert codes(corpus) == ["W151"]
    assert len(nulls) == 1 or f"{len(nulls)} mentions" in corpus.findings[0].message
    assert len(only(corpus).entities) == 2


# ---- Maverick ----

MAVERICK = {"tokens": WORDS, "clusters_token_offsets": [[[0, 2], [5, 5]]]}


def test_characters_of_maverick_are_not_used(tmp_path: Path) -> None:
    drifted = {
        "clusters_char_offsets": [[[0, 8], [15, 16]]],
        "clusters_token_text": [["Ann 's cat", "It"]],
    }
    corpus = read(tmp_path, {**MAVERICK, **drifted})
    assert (partition(only(corpus)), codes(corpus)) == (CAT, [])


def test_zeros_of_text2text(tmp_path: Path) -> None:
    record = {
        "doc_id": "x",
        "tokens": ["##", "duerme", "##", "##", "."],
        "clusters_token_offsets": [[[0, 0], [3, 3]]],
        "clusters_text_mentions": [["_", "_"]],
    }
    corpus = read(tmp_path, [record])
    assert corpus.document_names == ("x",)
    assert list(corpus.empty_nodes.ids) == ["0.1", "1.1", "1.2"]
    assert corpus.empty_nodes.token.tolist() == [0, 2, 3]
    assert not corpus.findings


def test_hash_signs_are_words_elsewhere(tmp_path: Path) -> None:
    record = {"tokens": ["##", "Title"], "clusters_token_offsets": [[[1, 1]]]}
    corpus = read(tmp_path, record)
    assert (len(corpus.empty_nodes), only(corpus).words) == (0, ["##", "Title"])


def test_documents_of_one_record_are_divided(tmp_path: Path) -> None:
    record = {
        "tokens": [WORDS, ["It", "ate"], ["Nothing"]],
        "clusters_token_offsets": [[[0, 0, 2], [1, 0, 0], [0, 5, 5]], [[1, 1, 1]]],
    }
    corpus = read(tmp_path, record)
    assert contents(corpus) == {
        "doc#1": (8, [("0", [(0, 2), (5, 5)])]),
        "doc#2": (2, [("0", [(0, 0)]), ("1", [(1, 1)])]),
        "doc#3": (1, []),
    }
    texts = [document.words for document in corpus]
    assert texts == [WORDS, ["It", "ate"], ["Nothing"]]
    bad = {**record, "clusters_token_offsets": [[[3, 0, 0]]]}
    assert refusal(lambda: read(tmp_path, bad)) == [("E112", 1)]


# ---- wl-coref ----

WL = {
    "document_id": "wb_x",
    "cased_words": WORDS,
    "sent_id": [0] * 5 + [1] * 3,
    "span_clusters": [[[0, 3], [5, 6]]],
    "word_clusters": [[2, 5]],
}


@pytest.mark.parametrize(
    ("change", "name", "heads"),
    [
        ({}, "wb_x", [2, 5]),
        ({"part_id": 0}, "(wb_x); part 000", [2, 5]),
        ({"part_id": 12}, "(wb_x); part 012", [2, 5]),
        ({"span_clusters": None, "clusters": WL["span_clusters"]}, "wb_x", None),
    ],
)
def test_wl_coref(
    change: dict[str, Any], name: str, heads: list[int] | None, tmp_path: Path
) -> None:
    record = {field: value for field, value in {**WL, **change}.items() if value is not None}
    corpus = read(tmp_path, record)
    assert corpus.document_names == (name,)
    assert partition(only(corpus)) == CAT
    assert (None if corpus.mention_heads is None else corpus.mention_heads.tolist()) == heads
    assert not corpus.findings


def test_heads_of_wl_coref_are_counted_as_mentions_are(tmp_path: Path) -> None:
    record = {
        **WL,
        "span_clusters": [[[1, 4], [6, 7]]],
        "word_clusters": [[3, 6]],
        "head": [3, 1, 4, None, 4, 7, -1, 0],
    }
    corpus = read(tmp_path, record, "wl-coref:base=1")
    assert partition(only(corpus)) == CAT
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [2, 5]
    assert only(corpus).layer("heads") == ["2", "0", "3", "-1", "3", "6", "-1", "-1"]
    assert not corpus.findings


def test_layers_of_wl_coref(tmp_path: Path) -> None:
    layers = {
        "speaker": ["A"] * 5 + ["B"] * 3,
        "pos": ["X"] * 8,
        "head": [2, 0, 3, None, 3, 6, None, 6],
        "deprel": ["dep"] * 8,
    }
    document = only(read(tmp_path, {**WL, **layers}))
    assert document.speakers == layers["speaker"]
    assert document.tags == layers["pos"]


@pytest.mark.parametrize(
    "change",
    [
        {"sent_id": [0, 1, 0, 1, 0, 0, 0, 0]},
        {"sent_id": [0]},
        {"speaker": ["A"]},
        {"speaker": [1] * 8},
        {"head": [99] * 8},
        {"word_clusters": [[2]]},
        {"word_clusters": [[2, 7]]},
    ],
)
def test_a_layer_that_does_not_fit_is_left_out(change: dict[str, Any], tmp_path: Path) -> None:
    corpus = read(tmp_path, {**WL, **change})
    assert partition(only(corpus)) == CAT
    assert codes(corpus) == ["W113"]


# ---- Triples ----


@pytest.mark.parametrize("blank", [[" "], [""], ["\u00a0"]])
def test_blank_sentences_of_preco_are_no_tokens(blank: list[str], tmp_path: Path) -> None:
    record = {
        "id": "x",
        "sentences": [SENTENCES[0], blank, SENTENCES[1]],
        "mention_clusters": [[[0, 0, 3], [2, 0, 1]]],
    }
    document = only(read(tmp_path, record))
    assert (document.words, partition(document)) == (WORDS, CAT)
    assert [len(sentence) for sentence in document.sentences] == [5, 3]


def test_a_mention_in_a_blank_sentence_is_refused(tmp_path: Path) -> None:
    record = {"id": "x", "sentences": [["a"], [" "]], "mention_clusters": [[[1, 0, 1]]]}
    assert refusal(lambda: read(tmp_path, record)) == [("E113", 1)]


@pytest.mark.parametrize("ids", [[0, 1], [7, 3], [1, 2]])
def test_sentences_of_elit_have_ids(ids: list[int], tmp_path: Path) -> None:
    sentences = [{"sid": id, "tok": words} for id, words in zip(ids, SENTENCES, strict=True)]
    record = {"sens": sentences, "coref": [[[ids[0], 0, 3], [ids[1], 0, 1]]]}
    document = only(read(tmp_path, record))
    assert (document.words, partition(document)) == (WORDS, CAT)
    unknown = {**record, "coref": [[[99, 0, 1]]]}
    assert refusal(lambda: read(tmp_path, unknown)) == [("E113", 1)]


def coref_data(**change: Any) -> dict[str, Any]:
    ends = [3, 5, 9, 13, 14, 18, 24, 25]
    tokens = [
        {"id": n, "text": word, "start_char": end - len(word), "end_char": end}
        for n, (word, end) in enumerate(zip(WORDS, ends, strict=True))
    ]
    record = {
        "id": "x",
        "text": TEXT,
        "sentences": [
            {"id": 1, "speaker": "A", "tokens": tokens[:5]},
            {"id": 2, "speaker": None, "tokens": tokens[5:]},
        ],
        "coref_chains": [[[0, 0, 2], [1, 0, 0]]],
    }
    return {**record, **change}


def test_coref_data(tmp_path: Path) -> None:
    corpus = read(tmp_path, coref_data())
    document = only(corpus)
    assert (document.words, document.text, partition(document)) == (WORDS, TEXT, CAT)
    assert document.speakers == ["A"] * 5 + ["-"] * 3
    assert document.characters is not None and tuple(document.characters[2]) == (6, 9)
    assert not corpus.findings


def test_a_text_that_is_not_that_of_the_tokens_is_left_out(tmp_path: Path) -> None:
    corpus = read(tmp_path, coref_data(text="Bob's dog sat."))
    assert (only(corpus).text, codes(corpus)) == (None, ["W113"])
    assert partition(only(corpus)) == CAT


def test_a_sentence_of_coref_data_that_is_there_twice(tmp_path: Path) -> None:
    """Its tokens have the places of the first copy, so the text does not have all of them."""
    record = coref_data()
    record["sentences"].append(record["sentences"][0])
    assert codes(read(tmp_path, record)) == ["W113"]


def test_zeros_of_coref_data(tmp_path: Path) -> None:
    tokens = [{"id": "1", "text": "Duerme"}, {"id": "1.1", "text": "_"}, {"id": 2, "text": "."}]
    record = {"id": "x", "sentences": [{"tokens": tokens}], "coref_chains": [[[0, 1, 1]]]}
    corpus = read(tmp_path, record)
    assert list(corpus.empty_nodes.ids) == ["1.1"]


# ---- AllenNLP and spaCy ----


def test_positions_without_words(tmp_path: Path) -> None:
    document = only(read(tmp_path, {"clusters": [[[0, 2], [5, 5]]], "cluster_heads": {}}))
    assert (document.words, partition(document)) == (None, CAT)


CLUSTERS = [[[0, 2], [5, 5]]]
IN_TEXT = [[[0, 9], [16, 18]]]
PREDICTED_ALONE = {
    "allennlp": {"document": WORDS, "top_spans": [], "predicted_clusters": CLUSTERS},
    "fastcoref": {"text": TEXT, "predicted_clusters": IN_TEXT},
}


@pytest.mark.parametrize("record", PREDICTED_ALONE.values(), ids=PREDICTED_ALONE)
def test_lines_with_predictions_alone(record: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", f"{json.dumps(record)}\n" * 2)
    corpus = cs.read(path, role="response")
    assert [len(document.entities) for document in corpus] == [1, 1] and not corpus.findings


WITHOUT_A_FIELD: dict[str, list[dict[str, Any]]] = {
    "clusters": [{"document": WORDS, "top_spans": []}, {"document": WORDS, "clusters": CLUSTERS}],
    "tokens": [{"text": TEXT, "spans": {}}, {"text": TEXT, "tokens": [], "spans": {}}],
}


@pytest.mark.parametrize("field", WITHOUT_A_FIELD)
def test_a_first_line_without_a_field(field: str, tmp_path: Path) -> None:
    lines = "".join(f"{json.dumps(record)}\n" for record in WITHOUT_A_FIELD[field])
    path = written(tmp_path / "x.jsonl", lines)
    with pytest.raises(cs.InvalidInput, match=f"{field!r} is None") as caught:
        cs.read(path)
    assert [(each.code.id, each.line) for each in caught.value.findings] == [("E112", 1)]


def test_clusters_beside_chains_of_coref_data(tmp_path: Path) -> None:
    sentences = [{"tokens": [{"text": word} for word in sentence]} for sentence in SENTENCES]
    chains = [[[0, 0, 2], [1, 0, 0]]]
    record = {"id": "x", "sentences": sentences, "coref_chains": chains, "clusters": CLUSTERS}
    corpus = read(tmp_path, record)
    assert partition(only(corpus)) == CAT and codes(corpus) == ["W110"]


def spacy(groups: Mapping[str, Sequence[tuple[int, int]]], **more: Any) -> dict[str, Any]:
    places = [(0, 3), (3, 5), (6, 9), (10, 13), (13, 14), (14, 16), (16, 18), (19, 24), (24, 25)]
    return {
        "text": TEXT,
        "tokens": [{"id": n, "start": a, "end": b} for n, (a, b) in enumerate(places)],
        "spans": {
            name: [{"start": a, "end": b, "label": "ANIMAL"} for a, b in spans]
            for name, spans in groups.items()
        },
        **more,
    }


def test_blank_tokens_of_spacy_are_dropped(tmp_path: Path) -> None:
    groups = {
        "coref_clusters_4": [(0, 9), (16, 18)],
        "coref_head_clusters_1": [(6, 9)],
        "coref_clusters_best": [(0, 3)],
        "sc": [(10, 13)],
    }
    corpus = read(
        tmp_path, spacy(groups, sents=[{"start": 0, "end": 16}, {"start": 16, "end": 25}])
    )
    document = only(corpus)
    assert (document.words, document.text) == (WORDS, TEXT)
    assert entities(document) == [("4", [(0, 2), (5, 5)])]
    assert [len(sentence) for sentence in document.sentences] == [5, 3]
    assert document.attributes is not None and document.attributes[0, 2].type == "ANIMAL"


def test_heads_of_spacy_are_no_mentions(tmp_path: Path) -> None:
    record = spacy({"coref_head_clusters_1": [(6, 9)]})
    assert refusal(lambda: read(tmp_path, record)) == [("E112", 1)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_spacy_leaves_spans_out_if_nothing_is_annotated(
    order: tuple[int, int], tmp_path: Path
) -> None:
    full, empty = spacy({"coref_clusters_1": [(0, 9), (16, 18)]}), spacy({})
    del empty["spans"]
    corpus = read(tmp_path, [(full, empty)[number] for number in order])
    assert [len(document.entities) for document in corpus] == [1 - number for number in order]
    assert not corpus.findings


# ---- CoreNLP ----


def corenlp(**change: Any) -> dict[str, Any]:
    mention = {"text": "Ann 's cat", "type": "NOMINAL", "headIndex": 3, "sentNum": 1}
    other = {"text": "It", "type": "PRONOMINAL", "headIndex": 1, "sentNum": 2}
    record = {
        "sentences": [
            {"tokens": [{"word": word, "originalText": word} for word in words]}
            for words in SENTENCES
        ],
        "corefs": {
            "9": [
                {**mention, "startIndex": 1, "endIndex": 4},
                {**other, "startIndex": 1, "endIndex": 2},
            ]
        },
    }
    return {**record, **change}


def test_corenlp(tmp_path: Path) -> None:
    corpus = read(tmp_path, corenlp(docId="story.txt"))
    document = only(corpus)
    assert document.name == "story"
    assert entities(document) == [("9", [(0, 2), (5, 5)])]
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [2, 5]
    assert document.attributes is not None
    assert [document.attributes[span].level for span in ((0, 2), (5, 5))] == ["NOM", "PRO"]
    assert not corpus.findings


@pytest.mark.parametrize("field", ["predicted_corefs", "gold_corefs"])
def test_other_chains_of_corenlp_are_reported(field: str, tmp_path: Path) -> None:
    corpus = read(tmp_path, corenlp(**{field: corenlp()["corefs"]}))
    assert codes(corpus) == ["W110"] and repr(field) in corpus.findings[0].message
    assert not read(tmp_path, corenlp(**{field: {}})).findings


@pytest.mark.parametrize("head", [9, 0, "3", 3.0, [3]])
def test_heads_of_corenlp_that_are_no_tokens(head: object, tmp_path: Path) -> None:
    record = corenlp()
    first = next(iter(record["corefs"].values()))[0]
    first["headIndex"] = head
    corpus = read(tmp_path, record)
    assert codes(corpus) == ["W113"]
    message = corpus.findings[0].message
    assert f"the head {head!r} of a mention is not a token of its sentence" in message
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [-1, 5]
    del first["headIndex"]
    assert not read(tmp_path, record).findings


def test_corenlp_from_zero(tmp_path: Path) -> None:
    record = corenlp()
    for mention in record["corefs"]["9"]:
        for field in ("startIndex", "endIndex", "headIndex", "sentNum"):
            mention[field] -= 1
    assert [code for code, _ in refusal(lambda: read(tmp_path, record))]
    corpus = read(tmp_path, record, "corenlp:base=0")
    assert partition(only(corpus)) == CAT
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [2, 5]


def test_words_and_characters_of_corenlp(tmp_path: Path) -> None:
    words = ["🐈", "(", "Ann", ")"]
    begins, ends = [0, 3, 4, 7], [2, 4, 7, 8]
    names = {"(": "-LRB-", ")": "-RRB-"}
    tokens = [
        {
            "word": names.get(word, word),
            "originalText": word,
            "characterOffsetBegin": begin,
            "characterOffsetEnd": end,
        }
        for word, begin, end in zip(words, begins, ends, strict=True)
    ]
    mention = {"text": "-LRB- Ann -RRB-", "sentNum": 1, "startIndex": 2, "endIndex": 5}
    corpus = read(tmp_path, {"sentences": [{"tokens": tokens}], "corefs": {"1": [mention] * 3}})
    document = only(corpus)
    assert document.words == words
    assert document.characters is not None
    assert list(map(tuple, document.characters)) == [(0, 1), (2, 3), (3, 6), (6, 7)]
    assert not corpus.findings, "renamed brackets are no other words"


# ---- Stanza ----


def flag(chain: int, *flags: str) -> dict[str, Any]:
    return {"index": chain, "representative_text": "?", **{f"is_{name}": True for name in flags}}


def stanza(*words: tuple[Any, list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    return [[{"id": id, "text": f"w{id}", "coref_chains": flags} for id, flags in words]]


UNIT = ("start", "end")
FLAGS: dict[str, tuple[Any, list[Any], list[str]]] = {
    "nested mentions of one chain": (
        [(1, [flag(0, "start"), flag(0, *UNIT)]), (2, [flag(0, "end")])],
        [(0, 0), (0, 1)],
        [],
    ),
    "one inside the other": (
        [(1, [flag(0, "start")]), (2, [flag(0), flag(0, "start")]), (3, [flag(0, "end")] * 2)],
        [(1, 2), (0, 2)],
        ["W160"],
    ),
    "a mention that begins where another ends": (
        [(1, [flag(0, "start")]), (2, [flag(0, "start"), flag(0, "end")]), (3, [flag(0, "end")])],
        [(0, 1), (1, 2)],
        [],
    ),
    "an end without a start": ([(1, [flag(0, *UNIT)]), (2, [flag(0, "end")])], [(0, 0)], ["W160"]),
    "a start without an end": ([(1, [flag(0, *UNIT), flag(0, "start")])], [(0, 0)], ["W160"]),
    "a token of two words": (
        [([1, 2], []), (1, [flag(0, "start")]), (2, [flag(0, "end")])],
        [(0, 1)],
        [],
    ),
    "a word that is not spoken": ([(1, []), ([1, 1], [flag(0, *UNIT)]), (2, [])], [(1, 1)], []),
    "two of them": (
        [(1, []), ([1, 1], []), ([1, 2], [flag(0, *UNIT)]), ([2, 3], []), (2, []), (3, [])],
        [(2, 2)],
        [],
    ),
}


@pytest.mark.parametrize(("words", "mentions", "found"), FLAGS.values(), ids=FLAGS)
def test_flags_of_stanza(words: Any, mentions: list[Any], found: list[str], tmp_path: Path) -> None:
    corpus = read(tmp_path, stanza(*words))
    assert entities(only(corpus)) == [("0", mentions)]
    assert codes(corpus) == found


PACKED: dict[str, Callable[[Sequence[Any]], str]] = {
    "lines": lambda documents: "".join(f"{json.dumps(each)}\n" for each in documents),
    "array": json.dumps,
    "indented array": partial(json.dumps, indent=1),
    "array with an empty document": lambda documents: json.dumps([[], *documents]),
    "array with an empty sentence": lambda documents: json.dumps([[[], *d] for d in documents]),
    "lines with an empty sentence": lambda documents: "\n".join(
        json.dumps([[], *each]) for each in documents
    ),
    "glued": lambda documents: "".join(map(json.dumps, documents)),
}


@pytest.mark.parametrize("packing", PACKED)
def test_several_documents_of_stanza(packing: str, tmp_path: Path) -> None:
    documents = stanza((1, [flag(0, *UNIT)]), (2, [])), stanza((1, []), (2, [flag(3, *UNIT)]))
    corpus = cs.read(written(tmp_path / "x.json", PACKED[packing](documents)))
    found = [(document.words, entities(document)) for document in corpus if len(document)]
    assert found == [(["w1", "w2"], [("0", [(0, 0)])]), (["w1", "w2"], [("3", [(1, 1)])])]
    assert len(corpus) == 2 + ("empty document" in packing)


def test_zeros_of_stanza_are_empty_nodes(tmp_path: Path) -> None:
    corpus = read(tmp_path, stanza((1, []), ([1, 1], [flag(0, *UNIT)]), (2, [])))
    assert (list(corpus.empty_nodes.ids), corpus.empty_nodes.token.tolist()) == (["1.1"], [1])


CONLLU = "{}\t{}\t_\t_\t_\t_\t0\tdep\t_\t{}\n"


def test_conllu_of_stanza(tmp_path: Path) -> None:
    rows = [
        ("1-2", "vamonos", "start_char=0|end_char=7"),
        ("1", "vamos", "coref_chains=start-repr-id12"),
        ("2", "nos", "coref_chains=end-repr-id12,unit-id3"),
        ("2.1", "_", "coref_chains=unit-id12"),
    ]
    text = "# newdoc id = a\n" + "".join(CONLLU.format(*row) for row in rows)
    text += "\n# newdoc id = b\n" + CONLLU.format("1", "Ann", "coref_chains=unit-id0") + "\n"
    corpus = cs.read(written(tmp_path / "doc.conllu", text))
    assert contents(corpus) == {
        "a": (3, [("12", [(0, 1), (2, 2)]), ("3", [(1, 1)])]),
        "b": (1, [("0", [(0, 0)])]),
    }
    assert [document.words for document in corpus] == [["vamos", "nos", "_"], ["Ann"]]
    assert list(corpus.empty_nodes.ids) == ["2.1"]


@pytest.mark.parametrize("misc", ["coref_chains=begin-id1", "coref_chains=start-1"])
def test_wrong_chains_of_stanza_are_refused(misc: str, tmp_path: Path) -> None:
    path = written(tmp_path / "doc.conllu", CONLLU.format("1", "Ann", misc))
    assert refusal(lambda: cs.read(path)) == [("E135", 1)]


@pytest.mark.parametrize("file", ["json", "conllu"])
def test_chains_on_a_token_of_several_words_are_refused(file: str, tmp_path: Path) -> None:
    rows = [("1-2", "au", "coref_chains=unit-id0"), ("1", "à", "_"), ("2", "le", "_")]
    texts = {
        "json": json.dumps(stanza(([1, 2], [flag(0, *UNIT)]), (1, []), (2, []))),
        "conllu": "".join(CONLLU.format(*row) for row in rows),
    }
    path = written(tmp_path / f"doc.{file}", texts[file])
    assert refusal(lambda: cs.read(path)) == [("E135", 1)]


# ---- Ids of mentions ----

SPANS = "#begin document doc\nAnn\t(0\n's\t-\ncat\t0)\nsat\t-\nit\t(0)\n#end document\n"


@pytest.mark.parametrize(
    "value",
    [
        {"type": "clusters", "clusters": {"cat": ["0-2", "4-4"]}},
        {"type": "clusters", "clusters": {"cat": ["3.0-2", "3.4-4"]}},
        {"type": "graph", "mentions": ["0-2", "4-4"], "links": [["4-4", "0-2"]]},
    ],
)
def test_ids_are_spans_if_the_other_side_has_spans(value: object, tmp_path: Path) -> None:
    path = written(tmp_path / "doc.json", json.dumps(value))
    spans = written(tmp_path / "doc.conll", SPANS)
    assert cs.score(spans, path).conll == cs.score(path, spans).conll == 1
    assert cs.score(path, path).conll == 1


@pytest.mark.parametrize("ids", [["0-2", "m4"], ["1.0-2", "2.4-4"], ["2-0", "4-4"]])
def test_other_ids_are_no_spans(ids: list[str], tmp_path: Path) -> None:
    value = {"type": "clusters", "clusters": {"cat": ids}}
    path = written(tmp_path / "doc.json", json.dumps(value))
    spans = written(tmp_path / "doc.conll", SPANS)
    assert [code for code, _ in refusal(lambda: cs.score(spans, path))] == ["E206"]


@pytest.mark.parametrize(
    "change",
    [
        {"links": [["a", "z"]]},
        {"links": ["a"]},
        {"links": None},
        {"mentions": [{}]},
        {"type": "tree"},
    ],
)
def test_wrong_graphs_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    graph = {"type": "graph", "mentions": ["a", "b"], "links": [["a", "b"]]}
    assert refusal(lambda: read(tmp_path, {**graph, **change}))[0] == ("E112", 1)


TABLES = {
    "tabs": "mention_id\tcluster_id\nm1\ta\nm2\ta\nm3\tb\n",
    "commas": "mention_id,cluster_id\nm1,a\nm2,a\nm3,b\n",
    "other order": '"cluster_id","mention_id"\n"a","m1"\n"a","m2"\n"b","m3"\n',
    "line ends": "mention_id\tcluster_id\r\nm1\ta\r\n\r\nm2\ta\r\nm3\tb",
    "links": "id_a,id_b,same\nm1,m2,1\nm3,m1,0\n",
    "links in words": "id_a\tid_b\tsame\nm2\tm1\tTrue\nm3\tm1\tno\n",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_tables_of_mentions(text: str, tmp_path: Path) -> None:
    corpus = cs.read(written(tmp_path / "doc.csv", text))
    assert partition(only(corpus)) == {frozenset({"m1", "m2"}), frozenset({"m3"})}
    assert not corpus.findings


@pytest.mark.parametrize("label", ["-1", "", "nan", "NULL", "None"])
def test_rows_without_a_cluster_are_left_out(label: str, tmp_path: Path) -> None:
    text = f"mention_id,cluster_id\nm1,a\nm2,a\nm4,{label}\nm5,{label}\nm3,b\n"
    corpus = cs.read(written(tmp_path / "doc.csv", text))
    assert partition(only(corpus)) == {frozenset({"m1", "m2"}), frozenset({"m3"})}
    assert codes(corpus) == ["W151"]


def test_a_table_without_header(tmp_path: Path) -> None:
    path = written(tmp_path / "doc.tsv", "m1\ta\nm2\ta\n")
    assert partition(only(cs.read(path, "pairs"))) == {frozenset({"m1", "m2"})}


@pytest.mark.parametrize(
    "heading", ["mention,chain", "Mention ID,Cluster", "markable,chain", "span,text,chain"]
)
def test_a_heading_with_other_names_is_no_mention(heading: str, tmp_path: Path) -> None:
    path = written(tmp_path / "doc.csv", f"{heading}\nm1,c1\nm2,c1\n")
    with pytest.raises(cs.InvalidInput, match=r"doc.csv:1: .*heading; expected .*cluster_id.*E112"):
        cs.read(path, "pairs")


@pytest.mark.parametrize("column", ["doc", "document", "doc_id", "topic"])
def test_a_column_divides_documents(column: str, tmp_path: Path) -> None:
    text = f"{column}\tmention_id\tcluster_id\nx\tm\ta\ny\tm\ta\ny\tn\ta\n"
    corpus = cs.read(written(tmp_path / "doc.tsv", text))
    assert contents(corpus) == {"x": (0, [("a", ["m"])]), "y": (0, [("a", ["m", "n"])])}


@pytest.mark.parametrize("columns", ["topic\tdoc_id", "topic\tdocument", "Topic\tdoc_key"])
def test_documents_have_topics_in_a_table(columns: str, tmp_path: Path) -> None:
    """The topic does not divide the table: one id may stand for mentions of two documents."""
    rows = ["t\tx\tm1\ta", "t\tx\tm2\ta", "t\ty\tm1\tb", "t\ty\tm3\tb"]
    text = f"{columns}\tmention_id\tcluster_id\n" + "\n".join(rows)
    corpus = cs.read(written(tmp_path / "doc.tsv", text))
    assert contents(corpus) == {"x": (0, [("a", ["m1", "m2"])]), "y": (0, [("b", ["m1", "m3"])])}
    assert corpus.document_topics == ["t", "t"]
    assert not corpus.findings
    across = cs.read(written(tmp_path / "doc.tsv", text.replace("\tb", "\ta")))
    assert codes(across) == ["W163"]
    other = cs.read(written(tmp_path / "doc.tsv", text.replace("t\ty", "u\tx")))
    assert other.document_names == ("t/x", "u/x")
    links = f"{columns}\tid_a\tid_b\tsame\nt\tx\tm1\tm2\t1\nt\ty\tm3\tm4\t1\n"
    assert not cs.read(written(tmp_path / "doc.tsv", links)).findings


def test_contradictions_are_counted(tmp_path: Path) -> None:
    text = "id_a,id_b,same\na,b,1\nb,c,1\na,c,0\nc,a,0\na,d,0\n"
    corpus = cs.read(written(tmp_path / "doc.csv", text))
    assert codes(corpus) == ["W160"]
    assert "2 pairs" in corpus.findings[0].message
    assert partition(only(corpus)) == {frozenset("abc"), frozenset("d")}


@pytest.mark.parametrize(
    "text",
    [
        "mention_id\tcluster_id\nm1\n",
        "id_a,id_b,same\na,b,maybe\n",
        "id_a,id_b,same\na,b,\n",
        "id_a,id_b,label\na,b,\n",
        "doc,mention_id,cluster_id\n,m1,a\n",
        "topic,doc_id,mention_id,cluster_id\n,x,m1,a\n",
    ],
)
def test_wrong_rows_are_refused(text: str, tmp_path: Path) -> None:
    path = written(tmp_path / "doc.csv", text)
    assert refusal(lambda: cs.read(path)) == [("E112", 2), ("E105", None)]


# ---- Random documents in every convention ----

Spans = list[list[tuple[int, int]]]


def _triples(spans: Spans, sentences: list[list[str]], more: int) -> list[Any]:
    place = [(s, t) for s, words in enumerate(sentences) for t in range(len(words))]
    return [[[*place[a], place[b][1] + more] for a, b in entity] for entity in spans]


def _exclusive(spans: Spans) -> list[Any]:
    return [[[a, b + 1] for a, b in entity] for entity in spans]


def _characters(spans: Spans, words: list[str]) -> list[Any]:
    ends, begins, end = [], [], 0
    for word in words:
        begins.append(end)
        ends.append(end + len(word))
        end += len(word) + 1
    return [[[begins[a], ends[b]] for a, b in entity] for entity in spans]


def _corenlp(spans: Spans, sentences: list[list[str]]) -> dict[str, Any]:
    return {
        str(n): [{"sentNum": s + 1, "startIndex": a + 1, "endIndex": b + 2} for s, a, b in entity]
        for n, entity in enumerate(_triples(spans, sentences, 0))
    }


WRITERS: dict[str, Callable[[Spans, list[list[str]], list[str]], Any]] = {
    "jsonl": lambda e, s, w: {"doc_key": "x", "sentences": s, "clusters": e},
    "subtoken": lambda e, s, w: {
        "doc_key": "x",
        "sentences": [[p for word in words for p in (word[:1], f"##{word[1:]}")] for words in s],
        "subtoken_map": [n for n in range(len(w)) for _ in "ab"],
        "clusters": [[[2 * a, 2 * b + 1] for a, b in entity] for entity in e],
    },
    "fastcoref": lambda e, s, w: {"text": " ".join(w), "clusters": _characters(e, w)},
    "fastcoref:unit=token": lambda e, s, w: {"text": w, "clusters": _exclusive(e)},
    "maverick": lambda e, s, w: {"tokens": w, "clusters_token_offsets": e},
    "wl-coref": lambda e, s, w: {"cased_words": w, "span_clusters": _exclusive(e)},
    "preco": lambda e, s, w: {"sentences": s, "mention_clusters": _triples(e, s, 1)},
    "elit": lambda e, s, w: {
        "sens": [{"sid": n, "tok": words} for n, words in enumerate(s)],
        "coref": _triples(e, s, 1),
    },
    "coref-data": lambda e, s, w: {
        "sentences": [{"tokens": [{"text": word} for word in words]} for words in s],
        "coref_chains": _triples(e, s, 0),
    },
    "allennlp": lambda e, s, w: {"document": w, "clusters": e},
    "corenlp": lambda e, s, w: {
        "sentences": [{"tokens": [{"word": word} for word in words]} for words in s],
        "corefs": _corenlp(e, s),
    },
}


@st.composite
def documents(draw: st.DrawFn) -> tuple[Spans, list[list[str]]]:
    word = st.text("aé猫𝒜", min_size=2, max_size=4)
    sentences = draw(st.lists(st.lists(word, min_size=1, max_size=5), min_size=1, max_size=3))
    begin, spans = 0, []
    for words in sentences:
        tokens = st.integers(begin, begin + len(words) - 1)
        pairs = st.tuples(tokens, tokens).map(lambda pair: (min(pair), max(pair)))
        spans += draw(st.lists(pairs, max_size=3, unique=True))
        begin += len(words)
    entities: Spans = [[], []]
    for span in spans:
        entities[draw(st.integers(0, 1))].append(span)
    return [entity for entity in entities if entity], sentences


@given(drawn=documents(), packing=st.sampled_from(["line", "indented", "array"]))
@settings(max_examples=40)
@pytest.mark.parametrize("format", WRITERS)
def test_every_convention_reads_the_same_spans(
    format: str, drawn: tuple[Spans, list[list[str]]], packing: str, tmp_path_factory: Any
) -> None:
    spans, sentences = drawn
    words = [word for sentence in sentences for word in sentence]
    record = WRITERS[format](spans, sentences, words)
    value = [record] if packing == "array" else record
    text = json.dumps(value, indent=1 if packing == "indented" else None)
    path = tmp_path_factory.getbasetemp() / f"random-{format.partition(':')[0]}.json"
    corpus = cs.read(written(path, text), None if ":" in format else format)
    document = only(corpus)
    assert document.words == words
    assert [sorted(mentions) for _, mentions in entities(document)] == list(map(sorted, spans))


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("more", [{}, {"subtoken_map": [0, 1, 2]}])
def test_a_key_without_gold_clusters_has_its_predictions(
    more: dict[str, Any], tmp_path: Path
) -> None:
    record = {"doc_key": "a", "sentences": [["x", "y", "z"]], "clusters": [], **more}
    predicted = {"predicted_clusters": [[[0, 0], [2, 2]]]}
    gold = {**record, "doc_key": "b", "clusters": [[[1, 1], [2, 2]]], **predicted}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**record, **predicted}) + "\n")
    found = cs.read(path, role="key")
    assert len(found.mention_entity) == 2
    assert [finding.code.id for finding in found.findings] == ["W110"]
    assert "empty in all documents" in found.findings[0].message
    with path.open("a") as file:
        file.write(json.dumps(gold) + "\n")
    key = cs.read(path, role="key")
    assert [len(document.entities) for document in key] == [0, 1], "one document has gold clusters"


SHAPES = [
    {"sentences": [["x", "y", "z"]]},
    {"sentences": [["x", "y", "z"]], "subtoken_map": [0, 1, 2]},
    {"document": ["x", "y", "z"]},
    {"tokens": ["x", "y", "z"], "text": "x y z"},
]
"""Documents of JSON lines, of word pieces, of AllenNLP and of fastcoref."""


def test_gold_entities_of_another_name_beside_predictions(tmp_path: Path) -> None:
    record = {
        "doc_key": "d",
        "tokens": ["w"] * 9,
        "gold_clusters": [[[0, 0], [4, 4]]],
        "predicted_clusters": [[[0, 0], [4, 4]], [[2, 2], [5, 5]]],
    }
    path = tmp_path / "both.jsonl"
    path.write_text(json.dumps(record))
    with pytest.warns(cs.CorefscopeWarning, match="'gold_clusters' is read, because the file is"):
        scores = cs.score(path, path)
    assert scores.muc.recall == 1 and scores.muc.precision == 0.5


def test_mentions_that_are_not_in_entities(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_text(json.dumps({"doc_key": "d", "tokens": ["w"] * 9, "clusters": [[0, 0], [4, 4]]}))
    with pytest.raises(cs.InvalidInput, match=r"entity 0 of 'clusters' is \[0, 0\], one mention"):
        cs.read(path)


def test_records_with_other_names_of_fields_are_json_lines(tmp_path: Path) -> None:
    record = {"title": "d", "words": ["w"] * 9, "found": [[[0, 0], [4, 4]]]}
    path = tmp_path / "found.jsonl"
    path.write_text(f"{json.dumps(record)}\n" * 2)
    with pytest.raises(cs.InvalidInput, match="'found' looks like one: "):
        cs.read(path)
    assert len(cs.read(path, format="jsonl:found")) == 2


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("missing", [{}, {"predicted_clusters": None}])
@pytest.mark.parametrize("is_first", [True, False])
def test_gold_clusters_are_never_scored_as_predictions(
    shape: dict[str, Any], missing: dict[str, Any], is_first: bool, tmp_path: Path
) -> None:
    """A document of a response without predictions is empty, wherever it is in the file."""
    gold = {**shape, "clusters": [[[0, 0], [2, 2]]]}
    records = [{**gold, "predicted_clusters": [[[0, 0], [1, 1]]]}, {**gold, **missing}]
    path = tmp_path / "a.jsonl"
    ordered = records[::-1] if is_first else records
    path.write_text("".join(json.dumps(record) + "\n" for record in ordered))
    response = cs.read(path, role="response")
    assert [len(document.entities) for document in response] == ([0, 1] if is_first else [1, 0])
    assert sorted(codes(response)) == ["W110", "W210"]
    key = cs.read(path, role="key")
    assert [len(document.entities) for document in key] == [1, 1]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_key_with_predictions_alone(shape: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**shape, "doc_key": "a", "predicted_clusters": [[[0, 0]]]}) + "\n")
    key = cs.read(path, role="key")
    assert codes(key) == ["W110"] and "there is no 'clusters'" in key.findings[0].message
    assert not codes(cs.read(path)) and not codes(cs.read(path, role="response"))


def test_a_key_with_gold_clusters_in_some_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record = {"sentences": [["x", "y"]], "predicted_clusters": [[[0, 0]]]}
    records = [{"doc_key": "a", **record}, {"doc_key": "b", **record, "clusters": [[[1, 1]]]}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert refusal(lambda: cs.read(path, role="key"))[0] == ("E112", 1)


def test_gaps_do_not_hide_how_positions_are_counted(tmp_path: Path) -> None:
    """Strings prove exclusive ends, although one mention has gaps."""
    words = ["Old", "Ann", "and", "her", "dog", "slept", "."]
    clusters = [[[0, 2], [3, 4]], [[[0, 2], [3, 5]]]]
    strings = [["Old Ann", "her"], ["Old Ann her dog"]]
    path = tmp_path / "a.jsonl"
    record = {"doc_key": "a", "sentences": [words], "clusters": clusters}
    path.write_text(json.dumps({**record, "clusters_strings": strings}) + "\n")
    assert [code for code, _ in refusal(lambda: cs.read(path))] == ["E120"]
    corpus = cs.read(path, "jsonl:ends=exclusive")
    assert entities(only(corpus)) == [("0", [(0, 1), (3, 3)]), ("1", [((0, 1), (3, 4))])]


def test_strings_of_another_shape_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record = {"doc_key": "a", "sentences": [["x", "y"]], "clusters": [[[0, 0], [1, 1]]]}
    path.write_text(json.dumps({**record, "clusters_strings": [["x"], ["y"]]}) + "\n")
    assert codes(cs.read(path)) == ["W113"]


def test_types_belong_to_the_clusters_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record = {
        "doc_key": "a",
        "sentences": [["x", "y"]],
        "clusters": [[None, [0, 0]]],
        "predicted_clusters": [[[0, 0]], [[1, 1]]],
        "entity_types": ["PER", "LOC"],
    }
    path.write_text(json.dumps(record) + "\n")
    document = only(cs.read(path, role="response"))
    assert document.attributes == {
        (0, 0): MentionAttributes("PER", None),
        (1, 1): MentionAttributes("LOC", None),
    }


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize(
    "text",
    [{"text": "x y z"}, {"document": ["x", "y", "z"]}],
)
def test_gold_and_predictions_are_told_apart_in_other_formats(
    text: dict[str, Any], tmp_path: Path
) -> None:
    is_text = "text" in text
    gold = [[[0, 1], [2, 3]]] if is_text else [[[0, 0], [1, 1]]]
    predicted = [[[0, 1], [4, 5]]] if is_text else [[[0, 0], [2, 2]]]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**text, "clusters": gold, "predicted_clusters": predicted}))
    key, response = cs.read(path, role="key"), cs.read(path, role="response")
    assert key.mention_spans.tolist() == [[0, 0], [1, 1]]
    assert response.mention_spans.tolist() == [[0, 0], [2, 2]]
    assert [finding.code.id for finding in response.findings] == ["W110"]


OWN_FIELDS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "maverick": (MAVERICK, [[[0, 2], [7, 7]]]),
    "wl-coref": (WL, [[[0, 3], [7, 8]]]),
    "old wl-coref": (
        {"document_id": "x", "cased_words": WORDS, "clusters": [[[0, 3], [5, 6]]]},
        [[[0, 3], [7, 8]]],
    ),
    "preco": (
        {"id": "x", "sentences": SENTENCES, "mention_clusters": [[[0, 0, 3], [1, 0, 1]]]},
        [[[0, 0, 3], [1, 2, 3]]],
    ),
    "elit": (
        {
            "sens": [{"sid": n, "tok": words} for n, words in enumerate(SENTENCES)],
            "coref": [[[0, 0, 3], [1, 0, 1]]],
        },
        [[[0, 0, 3], [1, 2, 3]]],
    ),
}


@pytest.mark.parametrize(("record", "predicted"), OWN_FIELDS.values(), ids=OWN_FIELDS)
def test_predictions_beside_the_field_of_a_format(
    record: dict[str, Any], predicted: list[Any], tmp_path: Path
) -> None:
    both = {**record, "predicted_clusters": predicted}
    key, response = read(tmp_path, both, role="key"), read(tmp_path, both, role="response")
    assert partition(only(key)) == CAT
    assert partition(only(response)) == {frozenset({(0, 2), (7, 7)})}
    assert codes(key) == codes(response) == ["W110"]
    other = {**record, "id": "y", "doc_id": "y", "document_id": "y"}
    empty = read(tmp_path, [both, other], role="response")
    assert [len(document.entities) for document in empty] == [1, 0]
    assert codes(empty) == ["W110", "W210"]


def test_clusters_that_a_format_does_not_read_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    record = {"id": "a", "sentences": [["x", "y"]], "mention_clusters": [[[0, 0, 1], [0, 1, 2]]]}
    path.write_text(json.dumps({**record, "predicted_clusters": [[[0, 0, 1]]]}))
    assert [finding.code.id for finding in cs.read(path).findings] == ["W110"]
    path.write_text(json.dumps(record))
    assert not cs.read(path).findings


@pytest.mark.parametrize(
    ("format", "record", "other"),
    [
        ("maverick", MAVERICK, [[[0, 2], [7, 7]]]),
        ("wl-coref", WL, [[[0, 3], [7, 8]]]),
        (
            "preco",
            {"id": "x", "sentences": SENTENCES, "mention_clusters": [[[0, 0, 3], [1, 0, 1]]]},
            [[[0, 0, 3], [1, 2, 3]]],
        ),
        ("allennlp", {"document": WORDS, "clusters": [[[0, 2], [5, 5]]]}, [[[0, 2], [7, 7]]]),
    ],
)
def test_the_message_names_an_option_that_reads_other_clusters(
    format: str, record: dict[str, Any], other: list[Any], tmp_path: Path
) -> None:
    both = {**record, "gold_clusters": other}
    corpus = read(tmp_path, both)
    assert codes(corpus) == ["W110"] and partition(only(corpus)) == CAT
    option = f"{format}:gold_clusters"
    assert f"'{option}'" in corpus.findings[0].message
    chosen = read(tmp_path, both, option)
    assert not codes(chosen)
    assert partition(only(chosen)) == {frozenset({(0, 2), (7, 7)})}


@pytest.mark.parametrize(
    ("role", "option", "last"),
    [
        ("key", None, 7),
        ("response", None, 5),
        (None, None, 5),
        ("key", "spacy-json:coref_clusters", 5),
        ("response", "spacy-json:gold_clusters", 7),
    ],
)
def test_the_role_decides_between_groups_of_spacy(
    role: Any, option: str | None, last: int, tmp_path: Path
) -> None:
    record = spacy({"coref_clusters_1": [(0, 9), (16, 18)], "gold_clusters_1": [(0, 9), (24, 25)]})
    corpus = read(tmp_path, record, option, role=role)
    assert partition(only(corpus)) == {frozenset({(0, 2), (last, last)})}
    assert codes(corpus) == ([] if option else ["W110"])


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_without_the_chosen_groups_of_spacy_is_empty(
    indent: int | None, tmp_path: Path
) -> None:
    """What a system did not find is not read from the gold entities, and vice versa."""
    gold, found = {"gold_clusters_1": [(0, 9), (24, 25)]}, {"coref_clusters_1": [(0, 9), (16, 18)]}
    records = [spacy(gold), spacy(found), spacy(gold | found)]
    path = tmp_path / "x.json"
    path.write_text("\n".join(json.dumps(each, indent=indent) for each in records))
    for role, sizes in (("key", [1, 0, 1]), ("response", [0, 1, 1])):
        corpus = cs.read(path, role=role)  # type: ignore[arg-type]
        assert [len(document.entities) for document in corpus] == sizes
        assert codes(corpus) == ["W110"]


def test_groups_of_spacy_with_an_odd_name_for_their_role(tmp_path: Path) -> None:
    record = spacy({"gold_clusters_1": [(0, 9), (16, 18)]})
    (finding,) = read(tmp_path, record, role="response").findings
    assert finding.code.id == "W110" and "although they are used as resp" in finding.message
    assert not codes(read(tmp_path, record, role="key"))


def test_groups_of_spacy_without_a_number(tmp_path: Path) -> None:
    groups = {"coref_clusters_1": [(0, 9), (16, 18)], "coref_clusters_x": [(0, 3)]}
    corpus = read(tmp_path, spacy(groups))
    assert partition(only(corpus)) == CAT
    assert codes(corpus) == ["W110"]
    assert "'coref_clusters_x'" in corpus.findings[0].message


def test_gold_groups_of_spacy_alone(tmp_path: Path) -> None:
    corpus = read(tmp_path, spacy({"gold_clusters_1": [(0, 9), (16, 18)]}))
    assert partition(only(corpus)) == CAT and not codes(corpus)


# ---- CoNLL-U of CorefUD and of Stanza in one file ----

BOTH_IN_CONLLU = (
    "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
    "1\tAnn\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1)|coref_chains=unit-id0\n"
    "2\tran\t_\t_\t_\t_\t1\tdep\t_\tcoref_chains=unit-id0\n"
    "3\tShe\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e1-person-1)\n\n"
)


@pytest.mark.parametrize(
    ("role", "format", "last"),
    [
        ("key", None, 2),
        ("response", None, 1),
        (None, None, 2),
        ("key", "stanza-conllu", 1),
        ("response", "corefud", 2),
    ],
)
def test_output_of_stanza_with_gold_entities(
    role: Any, format: str | None, last: int, tmp_path: Path
) -> None:
    corpus = cs.read(written(tmp_path / "x.conllu", BOTH_IN_CONLLU), format, role=role)
    assert partition(only(corpus)) == {frozenset({(0, 0), (last, last)})}
    assert codes(corpus) == ([] if format else ["W110"])


def test_a_heading_that_is_joined_with_a_row(tmp_path: Path) -> None:
    text = "document\tmention_id\tcluster_id\tx\tm\ta\ny\tm\ta\ny\tn\ta\n"
    found = cs.read(written(tmp_path / "x.tsv", text))
    assert codes(found) == ["W115"] and found.findings[0].line == 2
