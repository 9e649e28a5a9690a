"""Tables in parts score like one file with the same rows, however they are divided."""

from __future__ import annotations

import gzip
import random
import re
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import fsspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from commands import Command
from corefscope.formats.divided import is_divided, parts_of
from matching.test_tables import KEY, RESPONSE, ROWS, Row, parquet, refused, text

SCORE = Command("score")
SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
Write = Callable[[Path, Sequence[Row]], Path]


def spark(number: int) -> str:
    return f"part-{number:05}-7f1c.c000.snappy"


def dask(number: int) -> str:
    return f"part.{number}"


def divided(
    folder: Path,
    rows: Sequence[Row],
    cuts: Sequence[int],
    write: Write = parquet,
    name: Callable[[int], str] = spark,
    ending: str = ".parquet",
) -> Path:
    """Write rows as parts, which begin at the cuts, beside what Spark writes there."""
    folder.mkdir()
    ends = [*sorted(cuts), len(rows)]
    for number, (begin, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        write(folder / (name(number) + ending), rows[begin:end])
        (folder / f".{name(number)}{ending}.crc").write_bytes(b"crc")
    (folder / "_SUCCESS").touch()
    (folder / "_metadata").write_bytes(b"PAR1 is not read")
    return folder


def results(key: Path, response: Path) -> tuple[object, object, object]:
    """All that is known of a score, except for paths."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = cs.score(key, response, metrics="all,more")
    # The message about a table without mentions names its file.
    messages = [re.sub(r"of /\S+", "", finding.message) for finding in scores.findings]
    return scores.to_dict(), scores.document_names, messages


CUTS = st.lists(st.integers(0, 14), max_size=12)


@settings(max_examples=10, deadline=None)
@given(ROWS, ROWS, CUTS, CUTS)
def test_any_division_scores_like_one_file(
    key: Sequence[Row], response: Sequence[Row], ours: Sequence[int], theirs: Sequence[int]
) -> None:
    """With repeated mentions, of which the first counts, and more than ten parts."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        whole = results(
            parquet(place / "gold.parquet", key), parquet(place / "system.parquet", response)
        )
        (place / "parts").mkdir()
        gold = divided(place / "parts" / "gold", key, ours)
        system = divided(place / "parts" / "system", response, theirs, name=dask)
        assert results(gold, system) == whole
        assert results(place / "gold.parquet", system) == whole
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one, other = cs.read(gold), cs.read(place / "gold.parquet")
        assert [*map(list, one["gold"].entities)] == [*map(list, other["gold"].entities)]


@pytest.mark.parametrize("mark", [",", "\t"])
@pytest.mark.parametrize("parts", [1, 3, 40])
def test_parts_of_text(mark: str, parts: int, tmp_path: Path) -> None:
    """Rows repeat mentions, so that the order of the parts matters."""
    draw = random.Random(parts)
    rows = [(draw.randrange(300), draw.randrange(60)) for _ in range(900)]
    ending = ".csv" if mark == "," else ".tsv"

    def write(path: Path, rows: Sequence[Row]) -> Path:
        return text(path, rows, mark, "id,cluster")

    cuts = sorted(draw.sample(range(900), parts - 1))
    key = parquet(tmp_path / "key.parquet", KEY)
    whole = write(tmp_path / f"s{ending}", rows)
    format = ["--response-format", "tables:mention=id,entity=cluster", "--format", "json"]
    expected = SCORE.system_of(str(key), f"s={whole}", *format)
    folder = divided(tmp_path / "s", rows, cuts, write, dask, ending)
    found = SCORE.system_of(str(key), f"s={folder}", *format)
    for each in (found, expected):
        del each["response"]
        for finding in each.get("findings", []):
            del finding["file"]
    assert found == expected


def test_compressed_and_empty_parts(tmp_path: Path) -> None:
    folder = divided(tmp_path / "r", RESPONSE, [2], text, ending=".csv")
    for part in folder.glob("part*.csv"):
        part.with_name(part.name + ".gz").write_bytes(gzip.compress(part.read_bytes()))
        part.unlink()
    (folder / "part-00009.csv").touch()
    key = parquet(tmp_path / "key.parquet", RESPONSE)
    result = SCORE.run(str(key), str(folder), "--response-format", "tables", "--metrics", "b3")
    assert "100.00" in result.stdout and "part-00009.csv" in result.stderr


def test_gzip_files_are_known_by_their_content(tmp_path: Path) -> None:
    """As in all other formats, names say nothing, unless parts differ and DuckDB needs them."""
    rows = text(tmp_path / "rows.csv", KEY).read_bytes()
    files = [tmp_path / "packed.csv", tmp_path / "plain.csv.gz"]
    named = ["--key-format", "tables", "--response-format", "tables"]
    for file, data in zip(files, (gzip.compress(rows), rows), strict=True):
        file.write_bytes(data)
        result = SCORE.run(str(tmp_path / "rows.csv"), str(file), *named, "--metrics", "b3")
        assert "5/5" in result.stdout and not result.stderr
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, file in enumerate(files):
        (folder / f"part-{number}{''.join(file.suffixes)}").write_bytes(file.read_bytes())
    assert "part-0.csv: this part is a gzip file; expected" in message(folder, *named)
    (folder / "part-0.csv").rename(folder / "part-0.csv.gz")
    assert "part-1.csv.gz: this part is not a gzip file; expected" in message(folder, *named)


def test_other_commands_read_the_parts(tmp_path: Path) -> None:
    folder = divided(tmp_path / "gold.parquet", KEY, [1, 3])
    assert cs.read(folder).document_names == ("gold",)
    assert '"mentions": 5' in Command("stats").printed(f"{folder}/", "--format", "json")
    result = SCORE.printed(f"{folder}/", f"{folder}/", "--by", "entity-size")
    assert "100.00" in result


def test_remote_parts(tmp_path: Path) -> None:
    folder = divided(tmp_path / "gold.parquet", KEY, [1, 3])
    system = fsspec.filesystem("memory")
    system.put(str(folder), "/tables/gold.parquet", recursive=True)
    key = parquet(tmp_path / "key.parquet", KEY)
    scores = cs.score(key, "memory://tables/gold.parquet")
    assert scores.b3.f1 == 1 and scores.path == "memory://tables/gold.parquet"
    system.rm("/tables", recursive=True)


def test_what_is_one_table(tmp_path: Path) -> None:
    """Other folders of tables are directories of documents."""
    assert not is_divided(SAMPLES / "tables")
    assert len(cs.read(SAMPLES / "tables")) == 2
    nested = tmp_path / "nested"
    (nested / "year=2024").mkdir(parents=True)
    (nested / "_temporary").mkdir()
    parquet(nested / "year=2024" / "data_0.parquet", KEY)
    (nested / "_temporary" / "x.parquet").touch()
    assert is_divided(nested)
    assert cs.score(nested, nested).b3.f1 == 1
    assert len(cs.read(divided(tmp_path / "d", KEY, [2]), include=["*.parquet"])) == 2
    names = [tmp_path / "d" / f"part.{number}.parquet" for number in (2, 10, 9)]
    for name in names:
        name.touch()
    assert [part.name for part in parts_of(tmp_path / "d")[0]][-3:] == [
        *("part.2.parquet", "part.9.parquet", "part.10.parquet"),
    ]


def test_other_files_are_reported(tmp_path: Path) -> None:
    folder = divided(tmp_path / "gold", KEY, [2])
    (folder / "notes.md").write_text("notes")
    with pytest.warns(UserWarning, match=r"notes\.md.*W109"):
        assert cs.score(folder, folder).b3.f1 == 1


def message(folder: Path, *arguments: str) -> str:
    """The message of a command that refuses a folder."""
    status, found = SCORE.refused(str(folder), str(folder), *arguments)
    assert status == 3 and len(found.split()) <= 30
    return found


def test_unlike_parts_are_refused(tmp_path: Path) -> None:
    folder = divided(tmp_path / "columns", KEY, [2])
    part = parquet(folder / "part-00007.parquet", KEY, names="mention_id, entity_id")
    assert refused(folder, folder) == ["E112"]
    assert f"{part}: the columns are 'mention_id', 'entity_id'" in message(folder)
    folder = divided(tmp_path / "types", KEY, [2])
    part = parquet(folder / "part-00007.parquet", KEY, "BIGINT, DOUBLE")
    assert f"{part}: the column 'cluster_id' has the type DOUBLE" in message(folder)
    folder = divided(tmp_path / "formats", KEY, [2])
    part = text(folder / "part-00007.csv", KEY)
    assert f"{part}: the part is text, but" in message(folder)
    folder = divided(tmp_path / "headers", KEY, [2], text, ending=".csv")
    part = text(folder / "part-00007.csv", KEY, names="cluster_id,mention_id")
    named = ["--key-format", "tables", "--response-format", "tables"]
    assert f"{part}: the columns are 'cluster_id', 'mention_id'" in message(folder, *named)


def test_damaged_parts_are_named(tmp_path: Path) -> None:
    folder = divided(tmp_path / "parquet", KEY, [2])
    broken = folder / f"{spark(1)}.parquet"
    broken.write_bytes(broken.read_bytes()[:60])
    assert f"] {broken}: " in message(folder)
    folder = divided(tmp_path / "text", KEY, [2], text, ending=".csv")
    broken = folder / f"{spark(1)}.csv"
    broken.write_text("mention_id,cluster_id\n1,1\n2,1,7\n")
    named = ["--key-format", "tables", "--response-format", "tables"]
    assert f"] {broken}:3: " in message(folder, *named)


def test_empty_folders_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "gold.parquet"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    assert refused(folder, folder) == ["E105"]
    assert "E105" in message(folder, "--key-format", "tables", "--response-format", "tables")
    rows = divided(tmp_path / "no rows", [], [0])
    assert refused(rows, rows) == ["E105"]


def test_a_part_keeps_its_order_among_many(tmp_path: Path) -> None:
    """Large parts are read in parallel; the first copy of a mention is still the first."""
    folder = tmp_path / "large"
    folder.mkdir()
    with duckdb.connect() as connection:
        for number in range(4):
            connection.execute(
                f"COPY (SELECT range AS mention_id, {number} * 1000000 + range // 3 AS cluster_id "
                f"FROM range(300000)) TO '{folder}/part.{number}.parquet' (FORMAT parquet)"
            )
        connection.execute(f"COPY (FROM '{folder}/part.0.parquet') TO '{tmp_path}/key.parquet'")
    with pytest.warns(UserWarning, match="W108"):
        assert cs.score(tmp_path / "key.parquet", folder, metrics="b3").b3.f1 == 1
