"""Tables of mentions and entities: the counts of sets, and nothing wrong silently."""

from __future__ import annotations

import gzip
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import brute_force
import corefscope as cs
from commands import Command
from corefscope.engines import Processes
from corefscope.extensions.tables import tables
from corefscope.matching.overlap import overlap_of
from corefscope.metrics import METRICS
from corefscope.scoring import measure
from metric_groups import OVERLAP_METRICS

Cell = int | float | str | None
Row = tuple[Cell, Cell]

ROWS = st.lists(
    st.tuples(st.integers(0, 11), st.none() | st.integers(0, 4)), min_size=1, max_size=14
)
KEY: Sequence[Row] = [(1, 1), (2, 1), (3, 2), (4, 2), (6, 3)]
RESPONSE: Sequence[Row] = [(1, 7), (2, 7), (3, 7), (4, 8), (9, 8)]
SCORE = Command("score")


def parquet(
    path: Path, rows: Iterable[Row], types: str = "BIGINT, BIGINT", names: str = ""
) -> Path:
    """Write rows as Parquet; ``types`` are those of mention and entity."""
    mention, entity = types.split(", ")
    first, second = (names or "mention_id, cluster_id").split(", ")
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({first} {mention}, {second} {entity})")
        for row in rows:
            connection.execute("INSERT INTO t VALUES (?, ?)", row)
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return path


def text(
    path: Path, rows: Iterable[Row], mark: str = ",", names: str = "mention_id,cluster_id"
) -> Path:
    """Write rows with commas or tabs."""
    lines = [names.replace(",", mark)]
    lines += [mark.join("" if cell is None else str(cell) for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def parquet_of_text(path: Path, rows: Iterable[Row]) -> Path:
    """Write rows as Parquet with columns of text."""
    return parquet(path, rows, "VARCHAR, VARCHAR")


def clusters(rows: Iterable[Row]) -> list[list[Cell]]:
    """The entities of rows in the order of their first rows; the first copy of a mention counts."""
    found: dict[Cell, list[Cell]] = {}
    for mention, entity in rows:
        if entity is not None:
            found.setdefault(entity, []).append(mention)
    return [list(entity) for entity in brute_force.first_copies(list(found.values()))]  # type: ignore[arg-type]


def codes(scores: cs.Scores) -> list[str]:
    return [finding.code.id for finding in scores.findings]


def refused(key: Path, response: Path, **options: object) -> list[str]:
    with pytest.raises(cs.InvalidInput) as error:
        cs.score(key, response, **options)  # type: ignore[arg-type]
    assert all(len(finding.message.split()) <= 30 for finding in error.value.findings)
    return [finding.code.id for finding in error.value.findings]


def scored(key: Path | cs.Corpus, response: Path | cs.Corpus) -> cs.Scores:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cs.score(key, response)


@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS, st.sampled_from(["BIGINT, BIGINT", "VARCHAR, VARCHAR", "UBIGINT, DOUBLE"]))
def test_tables_score_as_sets_do(key: Sequence[Row], response: Sequence[Row], types: str) -> None:
    """With repeated mentions, rows without an entity, and any types of columns."""
    with tempfile.TemporaryDirectory() as folder:
        gold, system = Path(folder) / "gold.parquet", Path(folder) / "system.parquet"
        scores = scored(parquet(gold, key, types), parquet(system, response, types))
    document = (clusters(key), clusters(response))
    for id, reference in brute_force.METRICS.items():
        exact, found = reference([document]), scores[id]
        figures = zip(exact, (found.recall, found.precision, found.f1), strict=True)
        assert all(abs(float(one) - other) < 1e-12 for one, other in figures), id
    repeats = any(
        len({m for m, e in t if e is not None}) < sum(e is not None for _, e in t)
        for t in (key, response)
    )
    assert ("W108" in codes(scores)) == repeats
    assert ("W151" in codes(scores)) == any(entity is None for _, entity in (*key, *response))


@pytest.mark.parametrize("rows", [[*RESPONSE, (1, 8)], [*RESPONSE, (9, 7)], [*RESPONSE, (10, 8)]])
def test_copies_in_a_response_of_text_are_found(rows: Sequence[Row], tmp_path: Path) -> None:
    """Of mentions of the key, of others, and of none."""
    types = "VARCHAR, BIGINT"
    key = parquet(tmp_path / "key.parquet", KEY, types)
    response = parquet(tmp_path / "response.parquet", rows, types)
    scores = scored(key, response)
    is_repeated = len(dict(rows)) < len(rows)
    assert ("W108" in codes(scores)) == is_repeated
    expected = cs.score(clusters(KEY), clusters(rows))
    assert {id: scores[id] for id in scores} == {id: expected[id] for id in expected}


SPELLINGS = ["7", "07", "+7", "7.0", "7e0", "0", "-0", "-7", "8", "9" * 19, "9" * 18]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(SPELLINGS), min_size=1, unique=True),
    st.lists(st.sampled_from(SPELLINGS), min_size=1, unique=True),
    st.sampled_from([parquet_of_text, text]),
)
def test_numbers_that_are_written_in_other_ways_are_other_ids(
    ours: Sequence[str], theirs: Sequence[str], write: Callable[[Path, Iterable[Row]], Path]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [
            write(Path(folder) / name, [(id, len(id)) for id in ids])
            for name, ids in (("key", ours), ("response", theirs))
        ]
        key, response = (cs.read(path, "tables") for path in paths)
        mentions = scored(key, response).mentions
    assert mentions.recall_counts == (len({*ours} & {*theirs}), len(ours))


BLANKS = ["", " ", "\u00a0", "\u3000", "\t", "\n", "\x85"]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(BLANKS), min_size=10, max_size=10))
def test_blanks_around_ids_of_parquet(blanks: Sequence[str]) -> None:
    """Blanks of all kinds do not count, as in other tables."""
    before, after = blanks[:5], blanks[5:]
    for letter in ("", "é"):
        rows = [
            (f"{one}x{mention}{letter}{other}", str(entity))
            for (mention, entity), one, other in zip(KEY, before, after, strict=True)
        ]
        plain = [(f"x{mention}{letter}", str(entity)) for mention, entity in KEY]
        with tempfile.TemporaryDirectory() as folder:
            files = [
                parquet(Path(folder) / f"{number}.parquet", given, "VARCHAR, VARCHAR")
                for number, given in enumerate((plain, rows))
            ]
            assert scored(*files).counts["mentions"][0, 0] == len(KEY)


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_options_apply(singletons: Literal["keep", "drop"], tmp_path: Path) -> None:
    key, response = (
        parquet(tmp_path / f"{n}.parquet", r) for n, r in zip("kr", (KEY, RESPONSE), strict=True)
    )
    found = cs.score(key, response, singletons=singletons, metrics="all,more")
    expected = cs.score(
        clusters(KEY), clusters(RESPONSE), singletons=singletons, metrics="all,more"
    )
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_tables_of_text(mark: str, tmp_path: Path) -> None:
    """Parquet against text; ids are compared as text, and columns may have any names."""
    key = parquet(tmp_path / "key.parquet", KEY)
    response = text(tmp_path / "system.csv", RESPONSE, mark, "unique id,group")
    format = "tables:mention=unique id,entity=group"
    result = SCORE.run(str(key), f"s={response}", "--response-format", format, "--format", "csv")
    assert result.exit_code == 0 and not result.stderr
    same = parquet(tmp_path / "system.parquet", RESPONSE)
    other = SCORE.run(str(key), f"s={same}", "--format", "csv")
    assert result.stdout == other.stdout


def test_a_compressed_table_and_a_path_with_signs(tmp_path: Path) -> None:
    path = tmp_path / "it's [1] *.csv.gz"
    path.write_bytes(gzip.compress(text(tmp_path / "x.csv", KEY).read_bytes()))
    key = parquet(tmp_path / "k[1].parquet", KEY)
    result = SCORE.run(str(key), str(path), "--response-format", "tables", "--metrics", "b3")
    assert "100.00" in result.stdout and not result.stderr


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_metrics_in_several_processes(
    singletons: Literal["keep", "drop"], monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = [cs.Corpus.from_arrays(labels) for labels in ([0, 0, 1, 1, 2], [0, 1, 1, 1, 3])]
    alone = cs.score(*pair, metrics="all,more", singletons=singletons)
    given = list[str]()
    mapped = Processes.map

    def noted(
        engine: Processes,
        one: Callable[[object], object],
        tasks: Sequence[object],
    ) -> Iterator[object]:
        given.extend(map(str, tasks))
        return mapped(engine, one, tasks)

    monkeypatch.setattr(Processes, "map", noted)
    few = cs.score(*pair, metrics="all,more", singletons=singletons, jobs=2)
    assert not any(given) and few.to_dict() == alone.to_dict()
    given.clear()
    monkeypatch.setattr(measure, "GIANT", 0)
    together = cs.score(*pair, metrics="all,more", singletons=singletons, jobs=2)
    assert list(filter(None, given)) == [METRICS[id].name for id in list(alone.counts)[::-1]]
    assert together.to_dict() == alone.to_dict()


def test_a_perfect_response_is_exactly_one(tmp_path: Path) -> None:
    rows = [(number, number**2 % 911) for number in range(3_000)]
    key, response = (parquet(tmp_path / f"{n}.parquet", rows) for n in "kr")
    scores = cs.score(key, response)
    assert all(scores[metric].f1 == 1.0 for metric in scores)


@pytest.mark.parametrize("least", [0, -5, 2**31 - 3, 2**40])
def test_numbers_of_any_size(least: int, tmp_path: Path) -> None:
    key, response = (
        parquet(tmp_path / f"{name}.parquet", [(m + least, e) for m, e in rows])  # type: ignore[operator]
        for name, rows in (("key", KEY), ("response", RESPONSE))
    )
    assert scored(key, response).to_dict() == scored_clusters().to_dict()


def scored_clusters() -> cs.Scores:
    return cs.score(clusters(KEY), clusters(RESPONSE))


def test_numbers_against_text_are_compared_as_text(tmp_path: Path) -> None:
    """Whichever side has ids that are no numbers."""
    key = parquet(tmp_path / "key.parquet", KEY)
    response = parquet(tmp_path / "r.parquet", RESPONSE, "VARCHAR, BIGINT")
    more = parquet(tmp_path / "more.parquet", [*RESPONSE, ("x", 8)], "VARCHAR, BIGINT")
    assert scored(key, response).mentions.recall == 0.8
    assert scored(key, more).mentions.recall_counts == (4, 5)
    assert scored(more, key).mentions.precision_counts == (4, 5)


def test_numbers_of_a_table_are_no_tokens(tmp_path: Path) -> None:
    key, spans = parquet(tmp_path / "key.parquet", KEY), tmp_path / "key.json"
    spans.write_text('{"key": [[[1, 1], [2, 2]], [[3, 3]]]}')
    for pair in ((key, spans), (spans, key)):
        with pytest.raises(cs.InvalidInput, match="E206"):
            cs.score(*pair)


@pytest.mark.parametrize("label", ["-1", "nan", "NaN", "NULL", "None", "", " "])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_labels_that_mean_no_entity(label: str, ending: str, tmp_path: Path) -> None:
    rows: list[Row] = [*((f"m{m}", f"e{e}") for m, e in KEY), ("m8", label), ("m9", label)]
    write = text if ending == "csv" else parquet_of_text
    corpus = cs.read(write(tmp_path / f"key.{ending}", rows), "tables")
    assert len(corpus.mention_entity) == len(KEY)
    (finding,) = corpus.findings
    assert finding.code.id == "W151" and "2 rows of 7" in finding.message


def test_a_number_that_means_no_entity(tmp_path: Path) -> None:
    corpus = cs.read(parquet(tmp_path / "key.parquet", [*KEY, (8, -1), (9, -2)]))
    assert len(corpus.mention_entity) == len(KEY) + 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("mention_id,cluster_id\n1,a\nmention_id,cluster_id\n2,a\n", "E112"),
        ("mention_id,cluster_id\n1,a\n2\0,a\n", "E107"),
        ("mention_id,cluster_id\n1,a\n2,a\0\n", "E107"),
    ],
)
def test_damaged_rows_are_refused(content: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match=code):
        cs.read(path, "tables")


def test_many_ids_of_text_are_refused(tmp_path: Path) -> None:
    small = parquet(tmp_path / "small.parquet", KEY)
    large = parquet(tmp_path / "large.parquet", [(m + 2**40, e) for m, e in KEY])  # type: ignore[operator]
    named = parquet_of_text(tmp_path / "text.parquet", [(f"m{m}", e) for m, e in KEY])
    with patch.object(tables, "MOST_ROWS", 4):
        assert cs.score(small, small).b3.f1 == 1
        for path in (large, named):
            with pytest.raises(cs.InvalidInput, match="E119"):
                cs.read(path)


def test_nothing_in_common_is_reported(tmp_path: Path) -> None:
    key, response = (
        parquet(tmp_path / f"{n}.parquet", [(f"{n}{m}", 1) for m in range(5)], "VARCHAR, BIGINT")
        for n in "kr"
    )
    assert codes(scored(key, response)) == ["W215"]
    empty = parquet(tmp_path / "empty.parquet", [(1, None)])
    assert {"W151", "W116"} <= set(codes(scored(empty, key)))


REFUSED = {
    "no row": ([], "BIGINT, BIGINT", "mention_id, cluster_id", "E105"),
    "no mention": ([(None, 1)], "BIGINT, BIGINT", "mention_id, cluster_id", "E112"),
    "no column": ([(1, 1)], "BIGINT, BIGINT", "record, cluster_id", "E138"),
    "two columns": ([(1, 1)], "BIGINT, BIGINT", "mention_id, id", "E112"),
    "mentions of floats": ([(1.5, 1)], "DOUBLE, BIGINT", "mention_id, cluster_id", "E112"),
    "lists of entities": ([(1, None)], "BIGINT, BIGINT[]", "mention_id, cluster_id", "E112"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_tables_are_refused(name: str, tmp_path: Path) -> None:
    rows, types, names, code = REFUSED[name]
    key = parquet(tmp_path / "key.parquet", rows, types, names)  # type: ignore[arg-type]
    good = parquet(tmp_path / "r.parquet", RESPONSE)
    assert refused(key, good) == [code]
    with pytest.raises(cs.InvalidInput):
        cs.read(key)


def test_repeated_mentions_are_refused_if_asked(tmp_path: Path) -> None:
    key = parquet(tmp_path / "key.parquet", [*KEY, (1, 9)])
    assert refused(key, parquet(tmp_path / "r.parquet", RESPONSE), duplicates="error") == ["E203"]


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    key = parquet(tmp_path / "key.parquet", KEY)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(key.read_bytes()[:60])
    assert refused(key, broken) == ["E112"]
    uneven = tmp_path / "uneven.csv"
    uneven.write_text("mention_id,cluster_id\n1,1\n2,1,7\n")
    result = SCORE.run(str(key), str(uneven), "--response-format", "tables")
    assert result.exit_code == 3 and f"{uneven}:3:" in result.stderr and "E112" in result.stderr
    twice = text(tmp_path / "twice.csv", KEY, names="id,ID")
    assert "E112" in SCORE.run(str(key), str(twice), "--response-format", "tables").stderr


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 4000), st.binary(min_size=1, max_size=8))
def test_damaged_pages_are_read_or_refused(place: int, piece: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = [(f"record {number}", f"entity {number % 7}") for number in range(90)]
        key = parquet(Path(folder) / "key.parquet", rows, "VARCHAR, VARCHAR")
        data = key.read_bytes()
        broken = Path(folder) / "broken.parquet"
        begin = place % len(data)
        broken.write_bytes(data[:begin] + piece + data[begin + len(piece) :])
        if not broken.read_bytes().startswith(b"PAR1"):
            return
        try:
            cs.score(key, broken)
        except cs.InvalidInput as error:
            assert all(finding.is_error for finding in error.findings)


def test_a_table_is_not_read_from_standard_input(tmp_path: Path) -> None:
    key = parquet(tmp_path / "key.parquet", KEY)
    result = SCORE.run(
        str(key), "-", "--response-format", "tables", input="mention_id,cluster_id\n1,1\n"
    )
    assert result.exit_code == 3 and "expected a file" in result.stderr


def test_duckdb_is_needed(tmp_path: Path) -> None:
    key = parquet(tmp_path / "key.parquet", KEY)
    with patch.dict(sys.modules, {"duckdb": None}):
        assert refused(key, key) == ["E305"]
        assert "E305" in Command("stats").run(str(key)).stderr


def test_no_temporary_files_stay(tmp_path: Path) -> None:
    key = parquet(tmp_path / "key.parquet", KEY)
    (tmp_path / "own").mkdir()
    with patch.object(tempfile, "tempdir", str(tmp_path / "own")):
        cs.score(key, key)
    assert not list((tmp_path / "own").iterdir())


def test_links_above_two_to_the_53_are_exact() -> None:
    """C(N, 2) of 3 · 2**27 mentions; differences of floats would be wrong in the last digits."""
    sizes, cells = [2**28, 2**27 + 1], {(0, 0): 2**28 - 1, (0, 1): 1, (1, 1): 2**27 + 1}
    overlap = overlap_of(sizes, [2**28 - 1, 2**27 + 2], cells)
    both = sum(n * (n - 1) // 2 for n in cells.values())
    key = sum(n * (n - 1) // 2 for n in sizes)
    response = sum(n * (n - 1) // 2 for n in (2**28 - 1, 2**27 + 2))
    every = sum(sizes) * (sum(sizes) - 1) // 2
    row, links = (OVERLAP_METRICS[id].counts(overlap)[0] for id in ("blanc", "pairwise"))
    neither = every - key - response + both
    expected = [both, key, both, response, neither, every - key, neither, every - response]
    assert row.tolist() == [float(each) for each in expected]
    assert links.tolist() == row[:4].tolist()


def test_fractions_with_large_denominators() -> None:
    """Document and denominator do not fit into one integer here."""
    overlap = replace(overlap_of([1], [1], {}), documents=3)
    document, below = np.array([0, 2, 2]), np.array([2**62, 3, 2**62])
    found = overlap.fractions_by_document(document, np.array([1, 1, 2]), below)
    assert found.tolist() == [2.0**-62, 0, 1 / 3]


@pytest.mark.parametrize("width", [10**9 - 1, 10**9, 2**30, 2**40])
def test_numbers_far_apart(width: int, tmp_path: Path) -> None:
    key = parquet(tmp_path / "key.parquet", [(0, 1), (width, 1), (width // 2, 2)])
    assert cs.score(key, key)["b3"].f1 == 1


def test_parts_that_are_divided_by_other_signs(tmp_path: Path) -> None:
    folder = tmp_path / "key.csv"
    folder.mkdir()
    (folder / "part-0.csv").write_text("id,cluster\n1,a\n", encoding="utf-8")
    (folder / "part-1.csv").write_text("id;cluster\nx,5;a\n", encoding="utf-8")
    result = SCORE.run(str(folder), str(folder), "--key-format", "tables", *OTHER)
    assert result.exit_code == 3 and "cells are divided by ';', but by ','" in result.stderr


OTHER = ("--response-format", "tables")


@pytest.mark.parametrize(
    ("text", "code"),
    [("id,cluster\r1,a\r2,a\r", None), ("id,cluster\n1,a\n", None), ("id,cluster", "E105")],
)
def test_lines_may_end_in_any_way(text: str, code: str | None, tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_bytes(text.encode())
    result = SCORE.run(str(path), str(path), "--key-format", "tables", *OTHER)
    assert "E701" not in result.stderr
    assert (result.exit_code == 0) if code is None else (f"[{code}]" in result.stderr)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    missing = str(tmp_path / "key.csv")
    result = SCORE.run(missing, missing, "--key-format", "tables", *OTHER)
    assert "[E108]" in result.stderr


@pytest.mark.parametrize("name", ["~x.parquet", "it's [1].parquet"])
def test_odd_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parquet(tmp_path / "key.parquet", KEY).rename(tmp_path / name)
    assert cs.score(name, name)["b3"].f1 == 1


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    bad = tmp_path / b"\xff.parquet".decode(errors="surrogateescape")
    parquet(tmp_path / "key.parquet", KEY).rename(bad)
    assert refused(bad, bad) == ["E112"]


def test_zero_has_no_sign(tmp_path: Path) -> None:
    rows = [(1, 0.0), (2, -0.0)]
    key = parquet(tmp_path / "key.parquet", rows, "BIGINT, DOUBLE")
    assert len(cs.read(key).entity_document) == 1 and cs.score(key, key)["muc"].f1 == 1


def test_a_folder_without_mentions(tmp_path: Path) -> None:
    folder = tmp_path / "key.csv"
    folder.mkdir()
    (folder / "part-0.csv").write_text("id,cluster\n1,\n", encoding="utf-8")
    full = text(tmp_path / "full.csv", KEY)
    formats = ("--key-format", "tables", *OTHER)
    assert SCORE.run(str(folder), str(full), *formats, "--level", "corpus").exit_code == 0
