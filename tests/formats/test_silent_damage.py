"""Damage that changes a score is noticed: each file below is wrong in a natural way."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from formats.sample_documents import SAMPLES

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "cases"
LIGHTHOUSE = "lighthouse"
RELATIONS = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Mention|kind
#T_RL=webanno.custom.Coref|relation|BT_webanno.custom.Mention


#Text=Ann met Bob .
1-1\t0-3\tAnn\tPER[1]\t_\t_\t
1-2\t4-7\tmet\t_\t_\t_\t
1-3\t8-11\tBob\tPER[2]\tcoref\t1-1[1_2]\t
1-4\t12-13\t.\t_\t_\t_\t
"""

DAMAGES: dict[str, tuple[str, str, str, str, str]] = {
    "all lines in one, LitBank": ("litbank", "lighthouse.ann", "\n", "\r", "E115"),
    "all lines in one, BookNLP": ("booknlp", "lighthouse.entities", "\n", "\r", "E115"),
    "all lines in one, pairs": ("pairs", "both.tsv", "\n", "\r", "E115"),
    "two rows of LitBank in one": (
        "litbank",
        "lighthouse.ann",
        "nora-0\nCOREF",
        "nora-0\tCOREF",
        "E135",
    ),
    "no chain": ("litbank", "lighthouse.ann", "COREF\tT4\tida-1", "COREF\tT4\t", "E135"),
    "LitBank cut off": ("litbank", "lighthouse.ann", r"COREF\tT4(?s:.*)", "", "W157"),
    "LitBank without chains": ("litbank", "lighthouse.ann", r"COREF(?s:.*)", "", "W157"),
    "an entity that is no number": (
        "booknlp",
        "lighthouse.entities",
        "\n1\t0\t4",
        "\n1.5\t0\t4",
        "E135",
    ),
    "a misspelt type of scorch": ("scorch", "bakery.json", '"type"', '"typ"', "E112"),
    "a misspelt type of Label Studio": (
        "label-studio",
        "both.json",
        '"type": "relation"',
        '"typ": "relation"',
        "E112",
    ),
    "a relation to itself": (
        "label-studio",
        "both.json",
        '"to_id": "nora0"',
        '"to_id": "nora1"',
        "W160",
    ),
    "an unknown element of a relation": ("ecb", "village/*.xml", "<source ", "<sourc ", "E135"),
    "an unknown anchor": (
        "ecb",
        "village/*.xml",
        '<token_anchor t_id="2"',
        '<token_ancor t_id="2"',
        "E135",
    ),
    "an anchor twice": (
        "ecb",
        "village/lighthouse.xml",
        '<token_anchor t_id="2"',
        '<token_anchor t_id="1"',
        "W103",
    ),
    "an unknown markable": (
        "mmax2",
        "Markables/lighthouse_coref_level.xml",
        "<markable id",
        "<markabel id",
        "E135",
    ),
    "a lost class": (
        "mmax2",
        "Markables/lighthouse_coref_level.xml",
        r' coref_class="set_0"',
        "",
        "W157",
    ),
    "a map that falls": ("subtoken", "both.jsonl", "3, 3, 4, 5", "3, 3, 5, 4", "E112"),
    "a map that skips": ("subtoken", "both.jsonl", "3, 3, 4, 5, 6", "3, 3, 5, 5, 6", "W113"),
    "fewer numbers than words": (
        "cdcr-json",
        "village_entities.json",
        r"\[1, 2, 3\]",
        "[1, 2]",
        "W120",
    ),
    "two rows of pairs in one": ("pairs", "both.tsv", "0-2\tnora\n", "0-2\tnora\t", "E112"),
    "a heading twice": ("pairs", "both.tsv", r"(document\t.*\n)", r"\1\1", "E112"),
    "an empty value": ("corefud", "both.conllu", r"Entity=\(1-PER-1\)", "Entity=", "W181"),
    "an empty column": ("stanza-conllu", "lighthouse.conllu", r"(\n1\tShe\t.*\t).*", r"\1", "W115"),
    "an empty class": (
        "mmax2",
        "Markables/lighthouse_coref_level.xml",
        r' coref_class="set_0"',
        ' coref_class=""',
        "W157",
    ),
    "a markable without its bracket": (
        "mmax2",
        "Markables/lighthouse_coref_level.xml",
        '<markable id="markable_3"',
        'markable id="markable_3"',
        "E135",
    ),
    "a relation without its bracket": ("ecb", "village/*.xml", "<source ", "source ", "E135"),
    "no relations": ("ecb", "village/*.xml", "<Relations>(?s:.*)</Relations>", "", "W157"),
    "misspelt relations": ("ecb", "village/*.xml", "Relations(>(?s:.*)</)R", r"Rel\1R", "E111"),
    "relations by another name": (
        "ecb",
        "village/*.xml",
        "Relations>((?s:.*))</Relations>",
        r"Relation>\1</Relation>",
        "W157",
    ),
    "an unknown mention": (
        "corenlp-xml",
        "lighthouse.txt.xml",
        "<mention>((?s:.*?))</mention>",
        r"<mentions>\1</mentions>",
        "E135",
    ),
    "two rows of BookNLP in one": (
        "booknlp",
        "bakery.entities",
        "the last brioche\n",
        "the last brioche\t",
        "E135",
    ),
    "a sentence for a word": (
        "litbank",
        "lighthouse.ann",
        "T7\t2\t0\t2\t1",
        "T7\t0\t2\t2\t1",
        "E135",
    ),
    "an empty result": ("label-studio", "both.json", r'"result": \[', '"result": [{}, ', "E112"),
    "an entity without mentions": (
        "native",
        "both.jsonl",
        r'"mentions": \[[^]]*\][^]]*\][^]]*\]',
        '"mentions": []',
        "W151",
    ),
    "null in one document": (
        "crac-json",
        "both.json",
        r'"clusters_token_offsets": \[.*?\]\]\]',
        '"clusters_token_offsets": null',
        "W210",
    ),
    "a misspelt group": (
        "spacy-json",
        "both.jsonl",
        "coref_clusters_1",
        "Coref_clustrs_1",
        "W110",
    ),
    "a misspelt field": ("spacy-json", "both.jsonl", '"spans"', '"span"', "E112"),
    "chains in another column": (
        "stanza-conllu",
        "lighthouse.conllu",
        r"(\n1\tNora\t.*\t)_\t(.*)",
        r"\1\2\t_",
        "W181",
    ),
    "an empty last column": ("corefud", "both.conllu", r"Entity=\(1-PER-1\)", "", "W115"),
    "misspelt chains": ("stanza-conllu", "bakery.conllu", "coref_chains", "coref_cains", "W181"),
    "an anchor without its bracket": (
        "ecb",
        "village/lighthouse.xml",
        '<token_anchor t_id="15"',
        'token_anchor t_id="15"',
        "E135",
    ),
    "a word without chains": (
        "stanza",
        "lighthouse.json",
        '"coref_chains": ',
        '"chains": ',
        "W115",
    ),
    "a negative chain": ("stanza", "lighthouse.json", '"index": 1', '"index": -1', "E112"),
    "an annotation with itself": (
        "brat",
        "lighthouse.ann",
        "Equiv T1 T2",
        "Equiv T1 T1 T2",
        "E135",
    ),
}
"""The format of a sample, its file, what is replaced once (everywhere if it is a line end), and
what is found."""


def copied(sample: str, folder: Path) -> Path:
    return Path(shutil.copytree(ROOT / SAMPLES / sample, folder / sample))


def codes(path: Path) -> Counter[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            findings: Any = cs.read(path).findings
        except cs.InvalidInput as error:
            findings = error.findings
    return Counter(finding.code.id for finding in findings)


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_noticed(name: str, tmp_path: Path) -> None:
    sample, pattern, old, new, code = DAMAGES[name]
    folder = copied(sample, tmp_path)
    assert not codes(folder)
    path = next(folder.glob(pattern))
    text = path.read_text("utf-8")
    damaged = text.replace(old, new) if old == "\n" else re.sub(old, new, text, count=1)
    assert damaged != text
    path.write_bytes(damaged.encode())
    assert code in codes(folder)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("\t1-1[1_2]\t\n", "\t\n", "E135"),
        ("BT_webanno.custom.Mention", "BT_webanno.custom.Mentoin", "E138"),
        ("PER[2]", "PER[2|PER[3]", "E135"),
        ("PER[2]", "PER[]", "E135"),
        ("PER[2]\tcoref\t1-1[1_2]", "_\tPER[2]\t_", "E135"),
    ],
)
def test_damaged_tables_of_webanno(old: str, new: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(RELATIONS, encoding="utf-8")
    assert not codes(path)
    path.write_text(RELATIONS.replace(old, new), encoding="utf-8")
    assert code in codes(path)


def test_two_lines_of_brat_in_one(tmp_path: Path) -> None:
    """The second line is lost with the type of the first, which is not read."""
    (tmp_path / "x.txt").write_text("Ann met Bob in Oslo .", encoding="utf-8")
    lines = "T1\tPER 0 3\tAnn\nT2\tPER 8 11\tBob\nT3\tLOC 15 19\tOslo\n*\tEquiv T1 T2\n"
    path = tmp_path / "x.ann"
    path.write_text(lines, encoding="utf-8")
    assert codes(path) == {"W160": 1}
    path.write_text(lines.replace("Oslo\n*", "Oslo*"), encoding="utf-8")
    assert codes(path)["E135"]


@pytest.mark.parametrize("value", ["", ', "clusters": null', ', "clusters": []'])
def test_an_answer_without_clusters_is_failed(value: str, tmp_path: Path) -> None:
    key, answers = tmp_path / "key.jsonl", tmp_path / "answers.jsonl"
    record = {"tokens": ["Ann", "saw", "her", "cat"], "clusters": [[[0, 0], [2, 2]]]}
    key.write_text("".join(json.dumps({"doc_key": n, **record}) + "\n" for n in "ab"), "utf-8")
    good = '{"doc_key": "a", "clusters": [["Ann", "her"]]}\n'
    answers.write_text(f'{good}{{"doc_key": "b"{value}}}\n', encoding="utf-8")
    with pytest.warns(cs.CorefscopeWarning, match="counts as failed"):
        scores = cs.score(key, answers)
    assert scores.ledger is not None and scores.ledger.failed == ["b"]
    assert scores.without_failed.muc.f1 == 1


# ---- What cannot be read back is not written ----

WRITTEN = ("brat", "spacy", "crac-text", "corefud")


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize(
    "words",
    [
        [" ", "Ann", "saw", "her"],
        ["Ann", " ", "saw", "her"],
        ["Ann", "\xa0", "saw", "her"],
        ["Ann\0", "b", "saw", "her"],
    ],
)
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_a_conversion_scores_100_or_is_refused(
    words: list[str], format: str, tmp_path: Path
) -> None:
    if format == "spacy":
        pytest.importorskip("spacy")
    key = tmp_path / "key.jsonl"
    record = {"doc_key": "d", "sentences": [words], "clusters": [[[0, 1], [3, 3]]]}
    key.write_text(json.dumps(record), encoding="utf-8")
    try:
        cs.write(cs.read(key), tmp_path / "out", format, lossy=True)
    except cs.CannotExpress:
        return
    again = cs.read(tmp_path / "out", format)
    assert cs.score(key, again).conll == 1


def test_an_empty_cell_of_a_cross_document_file(tmp_path: Path) -> None:
    path = copied("cdcr", tmp_path) / "village_entities.conll"
    text, format = path.read_text("utf-8"), "cdcr:documents=column:3"
    path.write_text(re.sub(r"\(2001\)\n", "\n", text, count=1), encoding="utf-8")
    (finding,) = cs.read(path, format).findings
    assert finding.code.id == "W115" and "such rows" not in finding.message
    path.write_text(text.replace("(2001)\n", "\n"), encoding="utf-8")
    (finding,) = cs.read(path, format).findings
    assert "(2 such rows, this is the first)" in finding.message


@pytest.mark.parametrize("format", ["crac-text", "crac-json"])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_rows_with_fewer_columns_are_exported_as_they_are_read(format: str, tmp_path: Path) -> None:
    path = tmp_path / "short.conllu"
    rows = "1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(1)\n2\tsleeps\t_\t_\n"
    path.write_text(f"# newdoc id = d\n# global.Entity = eid\n{rows}\n", encoding="utf-8")
    cs.write(cs.read(path), tmp_path / "out", format)
    assert cs.score(path, tmp_path / "out").mentions.f1 == 1


def test_bytes_that_are_not_utf8_are_not_given_to_spacy(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    path = tmp_path / "key.conllu"
    row = b"1\tsummer\t\xe9t\xe9\t_\t_\t_\t0\t_\t_\tEntity=(1)\n"
    path.write_bytes(b"# newdoc id = d\n# global.Entity = eid\n" + row + b"\n")
    with pytest.raises(cs.CannotExpress, match="cannot be written as UTF-8"):
        cs.write(cs.read(path), tmp_path / "out", "spacy")


# ---- The smallest examples that were collected ----


def shared_cases() -> list[dict[str, str]]:
    path = SHARED / "hostile" / "silent" / "manifest.json"
    cases = json.loads(path.read_text("utf-8")) if path.exists() else []
    return [case for case in cases if case["kind"] == "silent"]


@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: case["class"])
def test_collected_damage_is_noticed(case: dict[str, str]) -> None:
    folder = SHARED / "hostile" / "silent"
    samples = [folder / case["sample"], SHARED / "formats" / case["sample"]]
    sample = next(path for path in samples if path.exists())
    assert codes(folder / case["path"]) - codes(sample)
