"""The columns of a corpus, and the choice of rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import corefscope as cs
from corefscope.corpus import Corpus
from corefscope.corpus.corpus import COLUMNS

ABOUT_THE_WHOLE = {"offsets", "imported", "findings", "skipped_files", "_index"}
"""The fields that are no columns: they say how a corpus was read."""
TEXT = """# newdoc id = {0}
# global.Entity = eid-etype-head-other
# sent_id = {0}-1
1\tAnn\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1[1/2]-person-1)
1.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tBridge=e1<e2:part|Entity=(e2--1)
2\tsaw\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e3--1)|SplitAnte=e1<e3,e2<e3
3\tBob\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e1[2/2]-person-1)(e2-thing-1)

"""


def test_every_field_of_a_corpus_is_declared() -> None:
    """A field that is not would keep all rows when some are chosen."""
    assert set(Corpus.__struct_fields__) - ABOUT_THE_WHOLE == set(COLUMNS)


def read(folder: Path, *names: str) -> Corpus:
    path = folder / f"{'-'.join(names)}.conllu"
    path.write_text("".join(map(TEXT.format, names)), encoding="utf-8")
    return cs.read(path)


def facts(corpus: Corpus) -> list[object]:
    """What a corpus says, apart from the file that it was read from."""
    return [
        *(corpus.document_names, corpus.document_tokens.tolist(), list(corpus.entity_labels)),
        *(corpus.entity_document.tolist(), corpus.mention_entity.tolist()),
        *([corpus.mention_id(row) for row in range(len(corpus.mention_entity))],),
        *(corpus.mention_parts, corpus.split_antecedents, corpus.bridges, corpus.word_digests),
        *(None if corpus.mention_heads is None else corpus.mention_heads.tolist(),),
        *(corpus.openings and (list(corpus.openings.texts), list(corpus.openings.types)),),
        *(corpus.empty_nodes and (corpus.empty_nodes.document.tolist(), corpus.empty_nodes.ids),),
        [document.words for document in corpus],
    ]


def test_a_chosen_document_is_as_if_it_were_alone(tmp_path: Path) -> None:
    corpus = read(tmp_path, "a", "b", "c")
    assert facts(corpus.only("b")) == facts(read(tmp_path, "b"))
    assert facts(corpus.restricted(["c", "a"])) == facts(read(tmp_path, "a", "c"))
    assert facts(corpus.restricted(["c", "a"]).only("c")) == facts(read(tmp_path, "c"))


def test_chosen_mentions_keep_what_is_known_of_them(tmp_path: Path) -> None:
    corpus = read(tmp_path, "a", "b")
    keep = np.array([corpus.mention_id(r) != (2, 2) for r in range(len(corpus.mention_entity))])
    rows = np.flatnonzero(keep).tolist()
    assert len(rows) == len(keep) - 2
    kept = corpus.with_mentions(keep)
    assert [kept.mention_id(new) for new in range(len(rows))] == [
        corpus.mention_id(old) for old in rows
    ]
    assert kept.mention_entity.tolist() == [int(corpus.mention_entity[old]) for old in rows]
    assert [rows[link.mention] for link in kept.bridges] == [
        link.mention for link in corpus.bridges
    ]
    assert kept.openings is not None and corpus.openings is not None
    assert list(kept.openings.texts) == [corpus.openings.texts[old] for old in rows]
    assert list(kept.openings.types) == list(corpus.openings.types)


def test_files_together_are_as_one_file(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name in "abc":
        read(folder, name)
    assert facts(cs.read(folder)) == facts(read(tmp_path, "a", "b", "c"))


def test_what_a_file_does_not_say_is_empty(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    read(folder, "b")
    for name in "ac":
        line = '{"doc_key": "%s", "sentences": [["Ann", "saw"]], "clusters": [[[0, 0], [1, 1]]]}\n'
        (folder / f"{name}.jsonl").write_text(line % name, encoding="utf-8")
    corpus, alone = cs.read(folder), read(tmp_path, "b")
    assert corpus.document_names == ("a", "b", "c")
    assert facts(corpus.only("b")) == facts(alone)
    assert alone.mention_heads is not None and corpus.mention_heads is not None
    assert corpus.mention_heads.tolist() == [-1, -1, *alone.mention_heads.tolist(), -1, -1]
    assert corpus.openings is not None
    assert [bool(each) for each in corpus.openings.fields] == [False, True, False]
    assert list(corpus.openings.texts[:2]) == ["", ""] == list(corpus.openings.texts[-2:])
    assert corpus.comments is not None
    assert [comments is None for comments in corpus.comments] == [True, False, True]
