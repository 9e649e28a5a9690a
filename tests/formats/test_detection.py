"""A file of a format that is not read is named, and the message says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corefscope import InvalidInput, read
from formats.contents import codes, refusal, written

CONLLU = "1\tAnn\tAnn\tPROPN\tNNP\t_\t0\troot\t_\t{}\n"
RECORD = {"doc_key": "x", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}

UNREAD: dict[str, bytes | str] = {
    "a parquet file": b"PAR1\x15\x04\x00",
    "a Word or Excel file, or another zip archive": b"PK\x03\x04\x14\x00",
    "a PDF file": b"%PDF-1.7\n",
    "WebAnno or INCEpTION TSV": "#FORMAT=WebAnno TSV 3.3\n\n#Text=Ann\n1-1\t0-3\tAnn\t*[1]\n",
    "CoNLL-U with coreference from Stanza": "# text = Ann\n"
    + CONLLU.format("coref_chains=unit-id0"),
    "BookNLP entities": "COREF\tstart_token\tend_token\tprop\tcat\ttext\n0\t0\t0\tPROP\tPER\tAnn\n",
    "BookNLP tokens, which have no entities": "paragraph_ID\tsentence_ID\n0\t0\n",
    "GAP, which has a pronoun and two names per row": "ID\tText\tPronoun\nt-1\tAnn\tshe\n",
    "a table of mentions and clusters": "mention_id\tcluster_id\nx:0-0\te1\n",
    "LitBank TSV": "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\nCOREF\tT1\tAnn-0\n",
    "brat annotations": "T1\tPER 0 3\tAnn\nR1\tCoref Arg1:T1 Arg2:T2\n",
    "SACR": '#title: x\n\n{ann:EN="PER" Ann} slept.\n',
    "a web page (HTML)": "<!DOCTYPE html>\n<html><body>Not found</body></html>\n",
    "XML of CoreNLP": '<?xml version="1.0"?>\n<root>\n <document>\n </document></root>\n',
    "XML of ECB+": '<?xml version="1.0"?>\n<Document doc_name="1_1.xml"><token/></Document>\n',
    "MMAX2": '<?xml version="1.0"?>\n<!DOCTYPE words>\n<words><word>Ann</word></words>\n',
    "XMI of UIMA": '<?xml version="1.0"?>\n<xmi:XMI xmlns:xmi="x"/>\n',
    "XML": "<text>Ann slept.</text>\n",
    "JSON of CoreNLP": json.dumps({"sentences": [], "corefs": {}}, indent=1),
    "JSON of Maverick": json.dumps({"tokens": ["Ann"], "clusters_token_offsets": [[[0, 0]]]}),
    "JSON of wl-coref": json.dumps(
        {"document_id": "x", "cased_words": ["Ann"], "span_clusters": []}
    ),
    "JSON of PreCo": json.dumps({"id": "x", "sentences": [["Ann"]], "mention_clusters": []}),
    "JSON of coref-data": json.dumps(
        {"id": "x", "sentences": [{"tokens": []}], "coref_chains": []}
    ),
    "JSON of ELIT": json.dumps({"sens": [], "coref": []}),
    "JSON of spaCy": json.dumps({"text": "Ann", "tokens": [], "spans": {}}),
    "JSON of fastcoref": json.dumps(
        {"text": "Ann", "clusters": [[[0, 3]]], "clusters_strings": []}
    ),
    "JSON of scorch": json.dumps({"type": "clusters", "clusters": {"e": ["m"]}}),
    "JSON of Stanza": json.dumps([[{"id": 1, "text": "Ann"}]], indent=1),
    "a JSON array": json.dumps([{"m_id": 1}, {"m_id": 2}]),
    "a table of tab-separated values": "name\tage\nAnn\t7\nBob\t8\n",
    "plain text": "Ann slept (well).\nShe dreamt.\n",
}


@pytest.mark.parametrize(("name", "data"), UNREAD.items(), ids=UNREAD)
def test_a_format_that_is_not_read_is_named(name: str, data: bytes | str, tmp_path: Path) -> None:
    path = written(tmp_path / "file", data)
    with pytest.raises(InvalidInput) as raised:
        read(path)
    (finding,) = raised.value.findings
    assert finding.code.id == "E118"
    assert f"this looks like {name} (" in finding.message
    assert "does not read; expected" in finding.message


READ = {
    "a.conll": "#begin document x\nAnn\t(1)\n#end document\n",
    "comments.conll": "# sent_id = 1\n# newdoc\n#begin document x\nAnn\t(1)\n#end document\n",
    "a.jsonl": json.dumps(RECORD) + "\n",
    "text.jsonl": json.dumps({**RECORD, "text": "Ann", "document": ["Ann"]}) + "\n",
    "a.json": '{"text": [["m1"]], "y": [[[0, 0]]]}',
    "lines.json": json.dumps({"x": [[[0, 0]]]}, indent=1),
}


@pytest.mark.parametrize("name", READ)
def test_own_formats_are_not_taken_for_others(name: str, tmp_path: Path) -> None:
    assert not codes(read(written(tmp_path / name, READ[name])))


def test_columns_without_begin_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conll", "Ann\t(1)\nslept\t-\n")
    with pytest.raises(ValueError, match=r"CoNLL columns without any '#begin document' line"):
        read(path)


def test_requested_reader_says_what_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", UNREAD["plain text"])
    with pytest.raises(ValueError, match=r"text without columns or a '#begin document' line"):
        read(path, "conll")
    path = written(tmp_path / "b.jsonl", UNREAD["JSON of fastcoref"])
    assert refusal(lambda: read(path, "jsonl")) == [("E112", 1)]


def test_every_unread_file_of_directory_is_named(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.json"):
        written(tmp_path / name, UNREAD["JSON of PreCo"])
    written(tmp_path / "c.conll", READ["a.conll"])
    assert refusal(lambda: read(str(tmp_path))) == [("E118", None), ("E118", None)]
