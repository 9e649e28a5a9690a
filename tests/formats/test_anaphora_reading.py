"""Files of Universal Anaphora: columns, brackets, gaps, zeros, links, and what is wrong there."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_text import COLUMNS, document, mark, only, row
from corefscope import Corpus, InvalidInput, UnknownName, read, write
from corefscope.extensions.universal_anaphora.anaphora import (
    Markable,
    Markables,
    UaBridge,
    anaphora_of,
)
from corefscope.extensions.universal_anaphora.markables import (
    FilledCells,
    MarkableReader,
)
from formats.contents import contents, refusal, written


def corpus(tmp_path: Path, text: str, format: str | None = None) -> Corpus:
    return read(written(tmp_path / "file.conllua", text), format)


def refused(tmp_path: Path, text: str) -> list[tuple[str, int | None]]:
    return refusal(lambda: corpus(tmp_path, text))


def layer(corpus: Corpus, name: str = "identity", document: int = 0) -> Markables:
    anaphora = anaphora_of(corpus)
    assert anaphora is not None
    found = anaphora.layers[name][document]  # type: ignore[index]
    assert found is not None
    return found


def markables(corpus: Corpus) -> dict[str, Markable]:
    return {markable.id: markable for markable in layer(corpus).markables}


def test_only_numbers_with_a_dot_are_empty_nodes(tmp_path: Path) -> None:
    text = (
        "# global.columns = ID FORM IDENTITY\n# newdoc id = x\n1\tHe\t_\n1.1\t_\t_\n"
        "2\tleft\t_\n.\t3\t(EntityID=1|MarkableID=m1)\nU.S.\t4\t_\n"
    )
    found = corpus(tmp_path, text)
    assert found.empty_nodes.token.tolist() == [1] and found.word_counts.tolist() == [4]


def test_entities_in_the_order_of_their_first_markable(tmp_path: Path) -> None:
    text = document(mark(2, "a"), ")" + only(1, "b"), only(2, "c"), only(1, "d"))
    assert contents(corpus(tmp_path, text)) == {
        "x": (4, [("2", [(0, 1), (2, 2)]), ("1", [(1, 1), (3, 3)])])
    }


def test_closings_take_what_was_opened_last(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(mark(1, "a"), mark(2, "b"), ")", ")"))
    assert contents(found)["x"][1] == [("1", [(0, 3)]), ("2", [(1, 2)])]


def test_closings_with_ids_let_markables_cross(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(mark(1, "a"), mark(2, "b"), "a)", "b)"))
    assert contents(found)["x"][1] == [("1", [(0, 2)]), ("2", [(1, 3)])]
    both = corpus(tmp_path, document(mark(1, "a"), mark(2, "b"), "a)b)" + only(3, "c")))
    assert contents(both)["x"][1] == [("1", [(0, 2)]), ("2", [(1, 2)]), ("3", [(2, 2)])]


def test_separators_of_version_1_1(tmp_path: Path) -> None:
    text = document(mark(1, "a") + "@" + only(2, "b"), ")@" + only(1, "c"))
    assert contents(corpus(tmp_path, text))["x"][1] == [("1", [(0, 1), (1, 1)]), ("2", [(0, 0)])]


def filled(texts: list[str]) -> FilledCells:
    """Cells on every second token, and on lines from 7 on."""
    places = range(len(texts))
    return FilledCells(
        texts=texts,
        tokens=[2 * place for place in places],
        lines=[7 + place for place in places],
        are_nodes=[False] * len(texts),
    )


def test_usual_cells() -> None:
    texts = [mark(1, "a", "Min=1") + mark(2, "b", "SemType=dn"), only(1, "c"), ")" + only(1, "d")]
    reader = MarkableReader(filled([*texts, ")"]), "file")
    found = list(reader.read())
    assert not reader.findings
    assert found == [
        Markable("a", "1", ((0, 6),), (0, 0), line=7),
        Markable("b", "2", ((0, 4),), line=7),
        Markable("c", "1", ((2, 2),), line=8),
        Markable("d", "1", ((4, 4),), line=9),
    ]


def test_the_digest_of_words_is_that_of_other_formats(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(only(1, "a"), "_") + row(id="2.1", word="zero"))
    other = read(written(tmp_path / "x.jsonl", '{"sentences": [["w1", "w2"]], "clusters": []}'))
    assert found.word_digests == other.word_digests


@pytest.mark.parametrize("declared", [True, False])
def test_columns_by_name_or_by_position(declared: bool, tmp_path: Path) -> None:
    header = f"# global.columns = {COLUMNS}\n" if declared else ""
    found = corpus(tmp_path, header + document(only(1, "a"), only(1, "b")))
    assert contents(found)["x"] == (2, [("1", [(0, 0), (1, 1)])])


def test_columns_in_another_order(tmp_path: Path) -> None:
    text = f"# global.columns = BRIDGING IDENTITY FORM ID\n_ {only(1, 'a')} cat 1\n"
    found = corpus(tmp_path, text)
    assert contents(found) == {"file": (1, [("1", [(0, 0)])])}
    assert found["file"].words == ["cat"]


def test_an_inserted_column_does_not_shift_the_others(tmp_path: Path) -> None:
    text = (
        "# global.columns = ID FORM IDENTITY SPLIT BRIDGING\n"
        f"1 a {only(1, 'a')} _ _\n2 b {only(2, 'b')} _ (MarkableID=b|MentionAnchor=a)\n"
    )
    assert layer(corpus(tmp_path, text)).bridges == (UaBridge("b", "a"),)


def test_any_white_space_separates_columns(tmp_path: Path) -> None:
    text = document(only(1, "a"), only(1, "b"))
    assert contents(corpus(tmp_path, text.replace("\t", "  "))) == contents(corpus(tmp_path, text))


def test_empty_cells_and_blanks_between_tabs(tmp_path: Path) -> None:
    """The official scorers would read another column; the line is reported."""
    text = f"# global.columns = {COLUMNS}\n" + document(only(1, "a"), only(1, "b"))
    found = corpus(tmp_path, text.replace("w2\t_", "New York\t"))
    assert contents(found)["x"][1] == [("1", [(0, 0), (1, 1)])]
    assert found["x"].words == ["w1", "New York"]
    assert [(finding.code.id, finding.line) for finding in found.findings] == [("W115", 4)]


def test_a_file_without_tokens(tmp_path: Path) -> None:
    assert refused(tmp_path, "# newdoc id = x\n") == [("E105", None)]


def test_documents(tmp_path: Path) -> None:
    text = (
        row(only(1, "a"))
        + document(only(1, "b"), name="first one")
        + "# newdoc id = without tokens\n"
        + document(only(1, "c"), name="last")
    )
    assert contents(corpus(tmp_path, text)) == {
        "first one": (2, [("1", [(0, 0), (1, 1)])]),
        "last": (1, [("1", [(0, 0)])]),
    }


def test_of_two_documents_of_a_name_the_last_is_read(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(only(1, "a")) + document("_", only(2, "b")))
    assert contents(found) == {"x": (2, [("2", [(1, 1)])])}
    assert [finding.code.id for finding in found.findings] == ["W181"]
    assert found["x"].words == ["w1", "w2"]


def test_a_markable_opened_again_has_a_gap(tmp_path: Path) -> None:
    text = document(only(1, "b"), mark(1, "a"), ")", "_", only(1, "a"), only(1, "c"))
    found = corpus(tmp_path, text)
    assert found.mention_spans.tolist() == [[0, 0], [1, 4], [5, 5]]
    assert dict(found.mention_parts) == {1: ((1, 2), (4, 4))}
    assert markables(found)["a"].parts == ((1, 2), (4, 4))


def test_parts_in_several_sentences_are_reported(tmp_path: Path) -> None:
    """Most likely two mentions have the same id; as in the official scorer, they are one."""
    rows = ["1\tAnn\t" + only(1, "a"), "2\tran\t_", "", "1\tShe\t" + only(1, "a")]
    rows += ["2\tand\t" + only(2, "b"), "3\tso\t_", "4\ton\t" + only(2, "b"), ""]
    rows += ["1\tAnn\t" + only(1, "a")]
    head = "# global.columns = ID FORM IDENTITY\n# newdoc id = x\n"
    found = corpus(tmp_path, head + "\n".join(rows) + "\n")
    ((code, line, message),) = [(f.code.id, f.line, f.message) for f in found.findings]
    assert (code, line) == (
        "W103",
        6,
    ) and "'a' has a part in another sentence, on line 3" in message
    assert "2 such parts" in message
    assert markables(found)["a"].parts == ((0, 0), (2, 2), (6, 6))


def test_parts_that_touch_are_no_gap(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(only(1, "a"), only(1, "a")))
    assert contents(found)["x"][1] == [("1", [(0, 1)])]
    assert not found.mention_parts


def test_zeros(tmp_path: Path) -> None:
    text = (
        "# newdoc id = x\n"
        + row(only(1, "a"))
        + row(only(1, "z"), id="1.1", word="_")
        + row(only(2, "y"), id="1.2", word="_")
        + "\n"
        + row(mark(2, "b"))
        + row(")", id="2")
    )
    found = corpus(tmp_path, text)
    assert contents(found)["x"] == (5, [("1", [(0, 0), (1, 1)]), ("2", [(2, 2), (3, 4)])])
    nodes = found.empty_nodes
    assert nodes is not None
    assert (nodes.token.tolist(), nodes.words_before.tolist()) == ([1, 2], [1, 1])
    assert (nodes.order.tolist(), nodes.sentence.tolist()) == ([1, 2], [0, 0])
    assert list(nodes.ids) == ["1.1", "1.2"]
    assert [markable.is_zero for markable in layer(found).markables] == [False, True, True, False]
    assert found["x"].sentences == [range(3), range(3, 5)]


@pytest.mark.parametrize("cells", [(mark(1, "z"), ")"), (mark(1, "a"), ")")])
def test_a_zero_is_one_token(cells: Sequence[str], tmp_path: Path) -> None:
    first, last = cells
    is_first = "=z" in first
    text = (
        row(first, id="1.1") + row(last, id="2")
        if is_first
        else row(first, id="1") + row(last, id="1.1")
    )
    assert refused(tmp_path, text) == [("E135", 1 if is_first else 2)]


def test_what_is_beyond_entities(tmp_path: Path) -> None:
    text = document(
        only(1, "a", "Min=1", "ElementOf=3,4"),
        mark(2, "b", "SemType=do", "Min=2,3"),
        ")",
        only("5-Pseudo", "it"),
        only(3, "c"),
    )
    found = corpus(tmp_path, text)
    assert contents(found)["x"][1] == [("1", [(0, 0)]), ("2", [(1, 2)]), ("3", [(4, 4)])]
    known = markables(found)
    assert (known["a"].minimum, known["b"].minimum, known["c"].minimum) == ((0, 0), (1, 2), None)
    assert known["a"].element_of == ("3", "4")
    assert known["it"].entity == "5-Pseudo"


def test_bridging_may_stand_on_any_line(tmp_path: Path) -> None:
    pair = "x(MarkableID=b|Rel=part|MentionAnchor=a|EntityAnchor=1)"
    text = row(only(1, "a")) + row(bridging=pair) + row(only(2, "b"))
    assert layer(corpus(tmp_path, text)).bridges == (UaBridge("b", "a"),)


def test_the_last_anchor_of_an_anaphor_holds(tmp_path: Path) -> None:
    pairs = "(MarkableID=c|MentionAnchor=a)(MarkableID=c|MentionAnchor=b)"
    text = row(only(1, "a")) + row(only(2, "b")) + row(only(3, "c"), bridging=pairs)
    assert layer(corpus(tmp_path, text)).bridges == (UaBridge("c", "b"),)


DEIXIS = "".join(
    "\t".join([str(number), "w", *"________", identity, "_", deixis]) + "\n"
    for number, (identity, deixis) in enumerate(
        [(only(1, "a"), mark("1-DD", "p")), (only(1, "b"), ")"), ("_", only("1-DD", "q"))], 1
    )
)


def test_discourse_deixis_is_a_layer(tmp_path: Path) -> None:
    identity, deixis = corpus(tmp_path, DEIXIS), corpus(tmp_path, DEIXIS, "ua:layer=deixis")
    assert contents(identity)["file"][1] == [("1", [(0, 0), (1, 1)])]
    assert contents(deixis)["file"][1] == [("1-DD", [(0, 1), (2, 2)])]
    for both in (identity, deixis):
        assert [one.id for one in layer(both, "deixis").markables] == ["p", "q"]
        assert [one.id for one in layer(both, "identity").markables] == ["a", "b"]


def test_errors_of_the_other_layer_do_not_stop_reading(tmp_path: Path) -> None:
    text = DEIXIS.replace("\t)\n", "\t))\n")
    found = corpus(tmp_path, text)
    assert found.findings == ()
    assert [finding.code.id for finding in layer(found, "deixis").findings] == ["E101"]
    with pytest.raises(InvalidInput, match="E101"):
        corpus(tmp_path, text, "ua:layer=deixis")


@pytest.mark.parametrize("format", ["ua:layer=bridging", "ua:base=1", "ua:identity"])
def test_unknown_options_of_the_format(format: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        corpus(tmp_path, DEIXIS, format)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("_", ")"), [("E101", 3)]),
        (("_", "b)"), [("E101", 3)]),
        ((mark(1, "a"), "b)"), [("E101", 3)]),
        (("_", "(EntityID=1)"), [("E135", 3)]),
        (("_", "(MarkableID=1)"), [("E135", 3)]),
        (("_", "(EntityId=1|MarkableID=a)"), [("E135", 3)]),
        (("_", "(EntityID=|MarkableID=a)"), [("E135", 3)]),
        (("_", "(1)"), [("E135", 3)]),
        (("_", "1"), [("E135", 3)]),
        (("_", ")1(EntityID=1|MarkableID=a)"), [("E135", 3), ("E101", 3)]),
    ],
)
def test_cells_that_cannot_be_read(
    cells: Sequence[str], expected: list[tuple[str, int | None]], tmp_path: Path
) -> None:
    assert [pair for pair in refused(tmp_path, document(*cells)) if pair[0] != "W151"] == expected


def test_an_unclosed_markable_is_in_no_entity(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(mark(1, "a"), only(1, "b")))
    assert contents(found)["x"][1] == [("1", [(1, 1)])]
    assert [(finding.code.id, finding.line) for finding in found.findings] == [("W151", 2)]
    assert markables(found)["a"].parts == ()


def test_a_closing_after_an_opening_is_not_seen(tmp_path: Path) -> None:
    found = corpus(tmp_path, document(mark(1, "a"), only(2, "b") + ")"))
    assert [finding.code.id for finding in found.findings] == ["W103", "W151"]
    assert list(markables(found)) == ["a", "b)"]


def test_text_layers(tmp_path: Path) -> None:
    cells = "cats cat NOUN NNS Number=Plur 0 root _ _"
    text = f"# newdoc id = x\n1 {cells} {only(1, 'a')} _ _\n2 {'_ ' * 12}\n"
    (found,) = corpus(tmp_path, text)
    assert found.words == ["cats", "_"]
    assert found.lemmas == ["cat", "_"]
    assert found.tags == ["NOUN", "_"]
    assert found.layer("feats") == ["Number=Plur", "_"]
    assert corpus(tmp_path, document("_"))["x"].lemmas is None


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "file.conllua"
    path.write_bytes(document(only(1, "a")).encode().replace(b"w1", b"w\xff"))
    found = read(path)
    assert found["x"].words == ["w\udcff"]
    assert [(finding.code.id, finding.line) for finding in found.findings] == [("W107", 2)]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    assert refused(tmp_path, document(only(1, "a")).replace("w1", "w\0")) == [("E107", 2)]


@pytest.mark.parametrize("name", ["file", "file.txt", "file.conll", "file.conllua.gz", "F.CONLLUA"])
def test_files_are_recognised(name: str, tmp_path: Path) -> None:
    header = f"# global.columns = {COLUMNS}\n" if "CONLLUA" in name else ""
    data = (header + document("_", only(1, "a"))).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert contents(read(tmp_path / name)) == {"x": (2, [("1", [(1, 1)])])}
    if name not in ("file", "file.txt"):
        assert len(read(tmp_path)) == 1


def test_some_documents(tmp_path: Path) -> None:
    text = document(only(1, "a"), name="a") + document(only(1, "b"), only(1, "b"), name="b")
    (kept,) = corpus(tmp_path, text).restricted(["b"])
    assert [one.id for one in layer(kept.corpus).markables] == ["b"]


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=8), st.data())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, openings: list[list[int]], data: st.DataObject
) -> None:
    """Random markables, crossing or not, come back with their spans."""
    cells = [""] * len(openings)
    expected: dict[str, list[tuple[int, int]]] = {}
    closings: list[list[str]] = [[] for _ in openings]
    for first, entities in enumerate(openings):
        for number, entity in enumerate(entities):
            last = data.draw(st.integers(first, len(openings) - 1))
            id = f"m{first}_{number}"
            cells[first] += only(entity, id) if last == first else mark(entity, id)
            if last > first:
                closings[last].append(id)
            expected.setdefault(str(entity), []).append((first, last))
    whole = [
        "".join(f"{id})" for id in ids) + cell or "_"
        for ids, cell in zip(closings, cells, strict=True)
    ]
    path = written(tmp_path_factory.mktemp("ua") / "x.conllua", document(*whole))
    assert dict(contents(read(path))["x"][1]) == expected


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_places_of_zeros(tmp_path_factory: pytest.TempPathFactory, zeros: list[bool]) -> None:
    """A zero is placed by the words before it, and by the zeros since the last of them."""
    rows = [row(id="7.1" if is_zero else "7") for is_zero in zeros]
    path = tmp_path_factory.mktemp("ua") / "x.conllua"
    nodes = read(written(path, "# newdoc id = x\n" + "".join(rows))).empty_nodes
    places, words, since = [], 0, 0
    for is_zero in zeros:
        words, since = (words, since + 1) if is_zero else (words + 1, 0)
        if is_zero:
            places.append((words, since))
    found = [] if nodes is None else list(zip(nodes.words_before, nodes.order, strict=True))
    assert np.array_equal(found, places)


def test_minimum_spans_outside_their_markables(tmp_path: Path) -> None:
    text = document(mark(1, "a", "Min=3"), ")", only(1, "b", "Min=4"), only(1, "c", "Min=4"))
    found = corpus(tmp_path, text).findings
    assert [(each.code.id, each.line) for each in found] == [("W181", 2)]
    assert "2 such markables" in found[0].message
    within = document(mark(1, "a", "Min=1,2"), ")", only(1, "b", "Min=3"))
    assert corpus(tmp_path, within).findings == ()


def test_minimum_spans_may_leave_out_empty_nodes(tmp_path: Path) -> None:
    node = row("_", id="1.1")
    text = document("_") + node + row(only(1, "a", "Min={}"), id="2") + row(only(1, "b"), id="3")
    codes = {
        number: [each.code.id for each in corpus(tmp_path, text.format(number)).findings]
        for number in (1, 2, 3, 4)
    }
    assert codes == {1: ["W181"], 2: [], 3: [], 4: ["W181"]}


def test_elements_of_an_entity_that_does_not_exist(tmp_path: Path) -> None:
    text = document(only(1, "a", "ElementOf=3"), only(2, "b", "ElementOf=3,77"), only(3, "c"))
    (found,) = corpus(tmp_path, text).findings
    assert (found.code.id, found.line) == ("W181", 3) and "ElementOf=77" in found.message


def test_a_node_with_another_id_stays_in_the_native_format(tmp_path: Path) -> None:
    """Universal Anaphora counts lines, whatever the IDs of empty nodes are."""
    rows = row(only(1, "a")), row(only(1, "z"), id="2.1", word="_")
    corpus = read(written(tmp_path / "x.conllu", "# newdoc id = x\n" + "".join(rows)))
    write(corpus, tmp_path / "x.native.jsonl", format="native")
    again = read(tmp_path / "x.native.jsonl")
    assert again.empty_nodes.ids == corpus.empty_nodes.ids == ["2.1"]
    assert again.mention_spans.tolist() == corpus.mention_spans.tolist()
