"""Zeros in formats without heads: a mention of one empty node is a zero."""

from __future__ import annotations

from pathlib import Path

import corefscope as cs

LINES = """# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY
# newdoc id = trip
1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a)
2 left _ _ _ _ _ _ _ _ _
2.1 _ _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=b)
3 here _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=c)
"""


def test_zeros_of_universal_anaphora_can_be_dropped(tmp_path: Path) -> None:
    path = tmp_path / "key.conllua"
    path.write_text(LINES, encoding="utf-8")
    assert cs.score(path, path).mentions.recall_counts == (3, 3)
    assert cs.score(path, path, zeros="drop").mentions.recall_counts == (2, 2)
