"""One test for each kind of input that was once misread in silence, crashed or did damage.

The rows, with what has to happen:

1. Rows without their last cell, a file without its last column, a column too many: an error or a
   warning that names the line, never a score without a word.
2. Empty coreference cells between tabs: an empty cell is no mention, and the column is chosen once
   per document, not anew in each row.
3. `| ` and `_` between brackets, a tab at the end of each row: read as the reference scorer reads
   them, or one clear error for each cell and none that only follows from it.
4. `#end document#begin document`, from files without a final newline: both documents are read,
   with a warning.
5. Inclusive against exclusive ends of the same annotation: a warning that ends look exclusive.
6. Tags of another language: a warning; never the English tables without a word.
7. A mention inside a longer name: it has the type of that name.
8. Locations beside persons and organisations: a warning that they are left out, and how to map
   them.
9. Words in another column, and multiword lines: words are found by content or by `--columns`, and
   a multiword line is no token.
10. Documents that are all alike: `report` works, although their resamples are one single value.
11. Damaged baselines: `gate` ends with status 3 and a code, since a score must follow from its
    counts.
12. Very large integers as labels: the same partition scores 1.
13. One span with two types in a file of names: an error.
14. Thousands of nested mentions: linear work in every command.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefscope as cs
from commands import Command

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a text to a file and returns the path."""

    def written(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def conll(*rows: str, name: str = "(tale); part 000") -> str:
    """Write a document; cells are separated by blanks here, `~` is an empty cell."""
    cells = [row.replace("~", "").replace(" ", "\t") for row in rows]
    return "\n".join([f"#begin document {name}", *cells, "#end document", ""])


def layered(*tokens: str) -> str:
    """Write a document in the twelve columns of CoNLL-2012: word, tag, tree, name, coreference."""
    rows = []
    for number, token in enumerate(tokens):
        word, tag, tree, name, coreference = token.split(" ")
        rows.append(f"tale 0 {number} {word} {tag} {tree} - - - - {name} {coreference}")
    return conll(*rows)


def entities(path: str) -> dict[str, list[list[Any]]]:
    """Return the mentions of each entity, by document."""
    return {
        document.name: [[mention.id for mention in entity] for entity in document.entities]
        for document in cs.read(path)
    }


def refused_at(line: int, code: str, *arguments: str) -> str:
    """Check that a command stops with one error of this code at this line; return it."""
    status, message = Command(arguments[0]).refused(*arguments[1:])
    assert status == 3 and message.count(f"[{code}]") == 1, message
    assert message.count("[E") == 1, message
    assert f":{line}:" in message, message
    return message


def warned(code: str, *arguments: str) -> str:
    """Check that a command goes on with a warning of this code; return what it says."""
    result = Command(arguments[0]).run(*arguments[1:])
    assert result.exit_code == 0, result.stderr
    assert f"[{code}]" in result.stderr, result.stderr
    assert result.stdout
    return result.stderr


NAMED = ["0 Mira NNP (PERSON) (1)", "1 lost VBD * -", "2 her PRP$ * (2|(1)", "3 kite NN * 2)"]
KEY = conll(*NAMED)


# ---- rows and cells ----


def test_lost_and_extra_cells(write: Write) -> None:
    """Row 1."""
    key = write("key.conll", KEY)
    lost = write("lost.conll", conll("0 Mira NNP (PERSON)", *NAMED[1:]))
    refused_at(2, "E117", "score", key, lost)
    no_column = write("none.conll", conll(*(row.rpartition(" ")[0] for row in NAMED)))
    refused_at(2, "E117", "score", key, no_column)
    extra = write("extra.conll", conll(*(f"{row} -" for row in NAMED)))
    assert "extra.conll:2:" in warned("W115", "score", key, extra)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            layered("Mira NNP * (PERSON) ~", "ran VBD * * ~", "she PRP * * (1)", "her PRP * * (1)"),
            2,
        ),
        (conll("0 see -", "1 (5) ~", "2 below (5)", "3 there (5)"), 2),
        (conll("0 so ~", "1 then ~", "2 she (1)", "3 her (1)"), 2),
    ],
    ids=["after a name", "after a word in brackets", "at the beginning"],
)
def test_empty_cells_are_no_mentions(write: Write, text: str, first: int) -> None:
    """Row 2: neither the name nor the word in brackets before an empty cell is a mention."""
    path = write("empty.conll", text)
    assert entities(path) == {"(tale); part 000": [[(first, first), (first + 1, first + 1)]]}
    assert Command("score").run(path, path).exit_code == 0


SEPARATED = {
    "a blank behind the bar": ("(1| (2", "2)", "1)"),
    "an underscore": ("(1_(2", "2)", "1)"),
}


@pytest.mark.parametrize("end", ["", "\t"], ids=["", "a tab at the end"])
@pytest.mark.parametrize("separator", SEPARATED)
def test_other_separators_and_trailing_tabs(write: Write, separator: str, end: str) -> None:
    """Row 3: read as the reference scorer reads them."""
    words = ("Dr.", "Wu", "left")
    cells = zip(words, SEPARATED[separator], strict=True)
    rows = [f"tale\t0\t{n}\t{word}\t{cell}{end}\n" for n, (word, cell) in enumerate(cells)]
    path = write("separated.conll", f"#begin document t\n{''.join(rows)}#end document\n")
    assert entities(path) == {"t": [[(0, 2)], [(0, 1)]]}


@pytest.mark.parametrize("cell", ["[1|(2", "()|(1|(2"])
def test_a_cell_that_cannot_be_read_is_one_error(write: Write, cell: str) -> None:
    """Row 3: what it would have opened is not reported again where it is closed."""
    path = write("cell.conll", conll(f"0 Dr. {cell}", "1 Wu 2)", "2 left 1)"))
    refused_at(2, "E135", "score", path, path)


# ---- documents ----


def test_glued_markers_are_two_documents(write: Write) -> None:
    """Row 4."""
    one, other = conll("0 a (1)", "1 b (1)", name="one"), conll("0 a (1)", "1 b (1)", name="two")
    glued = write("glued.conll", one.rstrip("\n") + other)
    message = warned("W103", "score", glued, glued)
    assert "glued.conll:4:" in message
    both = [(0, 0), (1, 1)]
    assert entities(glued) == {"one": [both], "two": [both]}


def test_exclusive_ends_are_suspected(write: Write) -> None:
    """Row 5."""
    tokens = [f"w{number}" for number in range(12)]
    ends = [[[0, 0], [2, 2]], [[2, 3], [9, 9]], [[5, 6]]]

    def record(plus: int) -> str:
        spans = [[[first, last + plus] for first, last in entity] for entity in ends]
        return json.dumps({"doc_key": "d", "sentences": [tokens], "clusters": spans}) + "\n"

    paths = write("inclusive.jsonl", record(0)), write("exclusive.jsonl", record(1))
    assert "exclusive" in warned("W208", "score", *paths)


# ---- languages and names ----


def test_tags_of_another_language_are_noticed(write: Write) -> None:
    """Row 6."""
    tokens = ["Wir PPER (S* * (1)", "trafen VVFIN * * -", "Mira NE * (PER) (2)", "und KON * * -"]
    path = write("tags.conll", layered(*tokens, "uns PPER *) * (1)"))
    for command in ("errors", "nec"):
        warned("W408", command, path, path)


def test_mention_inside_a_longer_name(write: Write) -> None:
    """Row 7: it becomes an entity of the type of that name."""
    tokens = [
        "the DT (TOP(NP(NP* * (1",
        "Bank NNP *) (ORG* -",
        "of IN (PP* * -",
        "Norland NNP (NP*)))) *) (2)|1)",
        "it PRP (TOP(NP*)) * (1)",
        "there RB (TOP(ADVP*)) * (2)",
    ]
    path = write("inside.conll", layered(*tokens))
    assert cs.nec(path, path)["ORG"].chains == 2


def test_locations_are_left_out_with_a_warning(write: Write) -> None:
    """Row 8: the warning says how to count them, and that does it."""
    tokens = ["Mira NNP * (PER) (1)", "saw VBD * * -", "Etna NNP * (LOC) (2)", "it PRP * * (2)"]
    path = write("places.conll", layered(*tokens, "she PRP * * (1)"))
    message = warned("W409", "nec", path, path)
    assert "LOC" in message and "--map" in message
    mapped = Command("nec").run(path, path, "--map", "LOC=GPE")
    assert mapped.exit_code == 0 and "[W409]" not in mapped.stderr


def words(path: str, columns: str | None = None) -> list[list[str] | None]:
    return [document.words for document in cs.read(path, columns=columns)]


def test_words_by_contents_or_column(write: Write) -> None:
    """Row 9."""
    first = write("first.conll", conll("kelev 0 0 _ (0)", "hu 0 1 _ (0)"))
    assert words(first) == [["kelev", "hu"]]
    topic = conll("38 38_1 a.xml 1 7 storm True (9)", "38 38_1 a.xml 1 8 it True (9)")
    path = write("topic.conll", topic)
    assert words(path) == words(path, "word=6") == [["storm", "it"]]


def test_multiword_lines_are_no_tokens(write: Write) -> None:
    """Row 9."""
    rows = ["1-2 zum _ _", "1 zu zu _", "2 dem der (0)", "3 Haus Haus (0)"]
    path = write("multiword.conll", conll(*rows))
    assert "multiword.conll:2:" in warned("W103", "score", path, path)
    assert words(path) == [["zu", "dem", "Haus"]]
    assert entities(path) == {"(tale); part 000": [[(1, 1), (2, 2)]]}


# ---- figures ----


def test_report_of_identical_documents(write: Write, tmp_path: Path) -> None:
    """Row 10."""
    words = ["w"] * 8

    def lines(spans: Any) -> str:
        record = {"sentences": [words], "clusters": spans}
        return "".join(json.dumps({"doc_key": f"d{n}", **record}) + "\n" for n in range(5))

    key = write("key.jsonl", lines([[[0, 0], [3, 3], [5, 5]], [[1, 1], [7, 7]]]))
    response = write("response.jsonl", lines([[[0, 0], [3, 3]], [[5, 5], [7, 7]]]))
    output = tmp_path / "report.html"
    result = Command("report").run(key, response, "-o", str(output))
    assert result.exit_code == 0, result.stderr
    assert output.stat().st_size > 100_000


def _other_signature(system: Any) -> None:
    system["signature"] = "nothing that we wrote"


def _lower_score(system: Any) -> None:
    system["metrics"]["muc"]["f1"] = -5.0


def _lower_conll(system: Any) -> None:
    system["conll"] = -5.0


@pytest.mark.parametrize("damage", [_other_signature, _lower_score, _lower_conll])
def test_a_damaged_baseline_is_refused(
    write: Write, tmp_path: Path, damage: Callable[[Any], None]
) -> None:
    """Row 11."""
    key, best = write("key.conll", KEY), tmp_path / "best.json"
    assert Command("score").run(key, key, "--format", "json", "-o", str(best)).exit_code == 0
    assert Command("gate").run(key, key, "--baseline", str(best)).exit_code == 0
    stored = json.loads(best.read_text())
    damage(stored["systems"][0])
    best.write_text(json.dumps(stored))
    status, message = Command("gate").refused(key, key, "--baseline", str(best))
    assert status == 3 and ("[E502]" in message or "[E502]" in message), message


@pytest.mark.parametrize("large", [2**62 - 1, 2**63 - 1, 2**64 - 1])
def test_large_labels_are_the_same_partition(large: int) -> None:
    """Row 12."""
    documents = np.array([0, 9, 0, 9, 1, 2, 3, 1, 1])
    small = np.array([4, 4, 4, 4, 7, 1, 1, 7, 8])
    labels = np.where(small == 7, np.array(large, dtype=np.uint64), small.astype(np.uint64))
    tokens = np.arange(len(small))
    key, response = (
        cs.Corpus.from_arrays(each, tokens, tokens, documents) for each in (small, labels)
    )
    scores = cs.score(key, response)
    assert scores.conll == 1.0
    assert scores.b3.recall_counts == scores.b3.precision_counts == (9.0, 9.0)


def test_multiples_of_a_large_number() -> None:
    """Row 12: labels that agree in their lowest 46 bits."""
    chance = np.random.default_rng(7)
    documents, labels = chance.integers(0, 300, 3000), chance.integers(0, 4, 3000)
    tokens = np.arange(len(labels))
    key, response = (
        cs.Corpus.from_arrays(each, tokens, tokens, documents) for each in (labels, labels << 46)
    )
    assert cs.score(key, response).conll == 1.0


def test_one_name_of_two_types_is_refused(write: Write) -> None:
    """Row 13."""
    key = write("key.conll", KEY)
    names = write("names.tsv", "(tale); part 000\t0\t0\tPERSON\n(tale); part 000\t0\t0\tORG\n")
    message = refused_at(2, "E135", "nec", key, key, "--names", names)
    assert "names.tsv:2:" in message


@pytest.mark.parametrize("command", ["score", "errors", "nec", "stats", "validate", "explain muc"])
def test_thousands_of_nested_mentions(write: Write, command: str) -> None:
    """Row 14; `test_costs.py` measures how the cost grows, in every command and many shapes."""
    count = 3_000
    tokens = [("Mira", "of", "the")[n % 3] for n in range(2 * count)]
    nested = [[n, 2 * count - 1 - n] for n in range(count)]
    record = {"doc_key": "d", "sentences": [tokens], "ner": [[[0, 0, "PERSON"]]]}
    key, response = (
        write(name, json.dumps({**record, "clusters": side}) + "\n")
        for name, side in (("key.jsonl", [nested]), ("response.jsonl", [[each] for each in nested]))
    )
    name, *more = command.split()
    files = [key] if name == "stats" else [key, response]
    assert Command(name).run(*more, *files).exit_code == 0
