"""Random files: the fast reader reads what the slow one reads, and writing keeps everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefscope import Corpus, InvalidInput, read
from corefscope.formats.writing.files import encoded
from formats.corefud.contents import written
from formats.corefud.slow_corefud import Refused, SlowDocument, slow_read

FIELDS = ["eid-etype-head-other", "eid-etype-head", "eid", "head-eid-etype", "GRP-etype-infstat"]
CELLS = ["", "", "(a)", "a)", "(a[1/2])", "(a[2/2])", "b)", "x", "(b--9)", "()"]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corefud")


@st.composite
def ids(draw: st.DrawFn) -> list[str]:
    """The IDs of a sentence: words, and empty nodes after some."""
    found: list[str] = []
    for number in range(draw(st.integers(1, 5)) + 1):
        found += [str(number)] if number else []
        found += [f"{number}.{k + 1}" for k in range(draw(st.sampled_from([0, 0, 0, 1, 2])))]
    return found


@st.composite
def brackets(draw: st.DrawFn, id: str, fields: str, size: int) -> str:
    values = {
        "eid": id,
        "GRP": id,
        "etype": draw(st.sampled_from(["", "x", "x", "y"])),
        "head": str(draw(st.integers(1, size))),
        "other": draw(st.sampled_from(["", "k:v", "z:1,a"])),
        "infstat": draw(st.sampled_from(["", "new"])),
    }
    return "-".join(values[field] for field in fields.split("-"))


@st.composite
def sentences(draw: st.DrawFn, fields: str) -> list[str]:
    """The lines of a sentence with random mentions, some of them with gaps."""
    words = draw(ids())
    cells = dict.fromkeys(words, "")
    for entity in draw(st.lists(st.sampled_from("abc"), max_size=4)):
        first, last = sorted(draw(st.integers(0, len(words) - 1)) for _ in "ab")
        if last > first + 1 and draw(st.booleans()):
            for part, token in (("[1/2]", first), ("[2/2]", last)):
                cells[words[token]] += f"({draw(brackets(entity + part, fields, 2))})"
        elif first == last:
            cells[words[first]] += f"({draw(brackets(entity, fields, 1))})"
        else:
            cells[words[first]] += f"({draw(brackets(entity, fields, last - first + 1))}"
            cells[words[last]] = f"{entity}){cells[words[last]]}"
    if draw(st.integers(0, 9)) == 0:
        cells[draw(st.sampled_from(words))] += draw(st.sampled_from(CELLS))
    keys = st.sampled_from(["", "", "", "", "|Bridge=a<b:part", "|SplitAnte=a<c,b<c", "|Zoo=1"])
    lines = []
    for id in words:
        misc = f"Entity={cells[id]}{draw(keys)}" if cells[id] else "_"
        lines.append(f"{id}\tw{id}\tl\tNOUN\t_\t_\t_\t_\t1:x\t{misc}")
    return draw(st.permutations(lines)) if draw(st.integers(0, 9)) == 0 else lines


@st.composite
def files(draw: st.DrawFn) -> str:
    fields = draw(st.sampled_from(FIELDS))
    ends = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    lines = []
    for number in range(draw(st.integers(1, 4))):
        if number == 0 or draw(st.booleans()):
            lines.append(f"# newdoc id = d{number}" if draw(st.integers(0, 5)) else "# newdoc")
        if number == 0:
            lines.append(f"# global.Entity = {fields}")
        lines += [f"# sent_id = s{number}", *draw(sentences(fields)), ""]
        lines += [""] * draw(st.sampled_from([0, 0, 1]))
    return ends.join(lines) + ends


def fast(corpus: Corpus) -> list[Any]:
    """Return what was read, in the form of the slow reader."""
    found = []
    assert corpus.mention_heads is not None
    for document in corpus:
        nodes = corpus.empty_nodes
        rows = nodes.rows_of(document.index) if nodes else ()
        known: dict[int, tuple[int, ...]] = {}
        for row in rows:
            assert nodes
            known[int(nodes.token[row])] = tuple(map(int, nodes.ids[row].split(".")))
        places: list[Any] = []
        for number, sentence in enumerate(document.sentences):
            words = 0
            for token in sentence:
                words += token not in known
                places.append((number, known.get(token, (words, 0))))
        entities: dict[str, list[Any]] = {}
        for row in corpus.mentions_of(document.index):
            start, end = corpus.mention_spans[row].tolist()
            parts = corpus.mention_parts.get(row, ((start, end),))
            tokens = [places[t] for a, b in parts for t in range(a, b + 1)]
            entity = int(corpus.mention_entity[row])
            type = corpus.openings.types[entity] if corpus.openings else ""
            said = (tokens, places[int(corpus.mention_heads[row])], type)
            entities.setdefault(corpus.entity_labels[entity], []).append(said)
        found.append((document.name, document.words, list(entities.items())))
    return found


def slow(documents: list[SlowDocument]) -> list[Any]:
    return [
        (
            document.name,
            [columns[1] for sentence in document.sentences for columns in sentence.values()],
            [(e, [(m.words, m.head, m.type) for m in ms]) for e, ms in document.entities.items()],
        )
        for document in documents
    ]


def links(corpus: Corpus) -> tuple[list[Any], list[Any]]:
    labels = corpus.entity_labels
    document = corpus.entity_document.tolist()
    split = [
        (document[entity], labels[entity], [labels[other] for other in others])
        for entity, others in corpus.split_antecedents.items()
    ]
    entity_of = corpus.mention_entity.tolist()
    bridges = [
        (document[entity], labels[entity_of[mention]], labels[entity], relation)
        for mention, entity, relation in corpus.bridges
    ]
    return sorted(split), sorted(bridges)


@settings(max_examples=300)
@given(text=files())
def test_fast_reads_what_slow_reads(scratch: Path, text: str) -> None:
    path = written(scratch, text)
    try:
        expected = slow_read(text, "file")
    except Refused:
        with pytest.raises(InvalidInput):
            read(path)
        return
    corpus = read(path)
    assert fast(corpus) == slow(expected)
    split = [(n, e, o) for n, d in enumerate(expected) for e, o in d.split.items()]
    bridges = [(n, *link) for n, d in enumerate(expected) for link in d.bridges]
    assert links(corpus) == (sorted(split), sorted(bridges))


@settings(max_examples=200)
@given(text=files())
def test_writing_keeps_everything_and_is_canonical(scratch: Path, text: str) -> None:
    try:
        corpus = read(written(scratch, text))
    except InvalidInput:
        return
    again = encoded(corpus, "corefud")
    second = read(written(scratch, again, "again.conllu"))
    assert [d[1:] for d in fast(second)] == [d[1:] for d in fast(corpus)]
    kept = [(entity, others) for _, entity, others in links(corpus)[0] if len(others) > 1]
    assert [(entity, others) for _, entity, others in links(second)[0]] == kept
    assert links(second)[1] == links(corpus)[1]
    if not has_copies(corpus):
        assert encoded(second, "corefud") == again
    assert other_columns(again.decode()) == other_columns(text)


def has_copies(corpus: Corpus) -> bool:
    """Tell whether an entity has two mentions of the same words, which are written in turns."""
    mentions = [
        (int(corpus.mention_entity[row]), corpus.mention_id(row))
        for row in range(len(corpus.mention_entity))
    ]
    return len(set(mentions)) < len(mentions)


def other_columns(text: str) -> list[Any]:
    """Return the lines without the declaration, and without what is written anew in MISC."""
    found: list[Any] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("# global.Entity") or not line:
            continue
        *columns, misc = line.split("\t")
        anew = ("Entity", "Bridge", "SplitAnte", "_")
        keys = [pair for pair in misc.split("|") if pair.split("=")[0] not in anew]
        found.append((columns, sorted(keys)))
    return found


@settings(max_examples=100)
@given(text=files())
def test_json_lines_keep_mentions_heads_and_empty_nodes(scratch: Path, text: str) -> None:
    try:
        corpus = read(written(scratch, text))
    except InvalidInput:
        return
    second = read(written(scratch, encoded(corpus, "jsonl"), "again.jsonl"))
    assert second.mention_spans.tolist() == corpus.mention_spans.tolist()
    assert second.mention_parts == corpus.mention_parts
    if second.mention_heads is not None and corpus.mention_heads is not None:
        assert second.mention_heads.tolist() == corpus.mention_heads.tolist()
    assert second.word_digests == corpus.word_digests
    for column in ("document", "token", "sentence", "words_before", "opens_sentence", "order"):
        here, there = (getattr(c.empty_nodes, column).tolist() for c in (corpus, second))
        assert here == there
    assert list(second.empty_nodes.ids) == list(corpus.empty_nodes.ids)
    assert list(second.empty_nodes.dependencies) == list(corpus.empty_nodes.dependencies)
