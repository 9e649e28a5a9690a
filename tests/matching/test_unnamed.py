"""Two single documents are paired if neither has a name of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from anaphora_text import COLUMNS, document, only
from corefscope.findings import Code
from corefud_text import corefud

COREFUD = corefud("1:(a-x-1) 2 3:(a-x-1)")
UNIVERSAL = f"# global.columns = {COLUMNS}\n" + document(only(1, "m1"), "_", only(1, "m2"))
NAMED = {
    "corefud": COREFUD,
    "conll": "#begin document x\nw1\t(1)\nw2\t-\nw3\t(1)\n#end document\n",
    "ua": UNIVERSAL,
}
UNNAMED = {
    "corefud": COREFUD.replace("# newdoc id = d\n", ""),
    "corefud without id": COREFUD.replace("newdoc id = d", "newdoc"),
    "conll": NAMED["conll"].replace("document x", "document"),
    "ua": UNIVERSAL.replace("# newdoc id = x\n", ""),
}


def written(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


@pytest.mark.parametrize("key", UNNAMED)
@pytest.mark.parametrize("response", UNNAMED)
def test_all_formats_follow_one_rule(key: str, response: str, tmp_path: Path) -> None:
    files = written(tmp_path, gold=UNNAMED[key], system=UNNAMED[response])
    if key == response == "corefud without id":
        assert not cs.score(*files).findings, "both documents are called 1"
        return
    with pytest.warns(cs.CorefscopeWarning, match="W209"):
        scores = cs.score(*files)
    (finding,) = scores.findings
    assert (scores.conll, finding.code, finding.file) == (1, Code.PAIRED_OTHERWISE, str(files[1]))
    assert "only one document, without a name" in finding.message
    with pytest.raises(cs.InvalidInput, match=r"neither side names its only document.*E201"):
        cs.score(*files, pair_by="name")


@pytest.mark.parametrize("profile", ["ua-1", "ua-2"])
def test_the_scorers_of_universal_anaphora_follow_it(profile: str, tmp_path: Path) -> None:
    files = written(tmp_path, gold=UNNAMED["ua"], system=UNNAMED["ua"])
    with pytest.warns(cs.CorefscopeWarning, match="W209"):
        scores = cs.score(*files, profile=profile)
    assert (scores.conll, [each.code for each in scores.findings]) == (1, [Code.PAIRED_OTHERWISE])


def test_clusters_without_a_name_follow_it(tmp_path: Path) -> None:
    (key,) = written(tmp_path, gold=UNNAMED["corefud"])
    with pytest.warns(cs.CorefscopeWarning, match="'document' is paired with 'gold'"):
        assert cs.score(key, [[(0, 0), (2, 2)]]).conll == 1
    with pytest.warns(cs.CorefscopeWarning, match="'0' is paired with 'gold'"):
        assert cs.score(key, cs.Corpus.from_arrays([0, -1, 0])).conll == 1
    with pytest.raises(cs.InvalidInput, match="E201"):
        cs.score(key, {"document": [[(0, 0), (2, 2)]]})


@pytest.mark.parametrize("format", NAMED)
def test_a_name_in_a_file_must_agree_unless_the_texts_do(format: str, tmp_path: Path) -> None:
    named, unnamed = written(tmp_path, gold=NAMED[format], system=UNNAMED[format])
    (other,) = written(tmp_path, other=NAMED[format].replace("id = ", "id = o").replace(" x", " o"))
    for key, response in ((named, unnamed), (unnamed, named), (named, other)):
        with pytest.warns(cs.CorefscopeWarning, match="W209"):
            assert cs.score(key, response).conll == 1
    with pytest.raises(cs.InvalidInput, match=r"the response does not name its document.*E201"):
        cs.score(named, unnamed, pair_by="name")
    with pytest.raises(cs.InvalidInput, match=r"the key does not name its document.*E201"):
        cs.score(unnamed, named, pair_by="name")
    with pytest.raises(cs.InvalidInput, match=r"expected names of the key, such as '\w' \[E201\]"):
        cs.score(named, other, pair_by="name")


def test_several_documents_are_never_paired_by_it(tmp_path: Path) -> None:
    for side, names in {"gold": "ab", "system": "cd"}.items():
        (tmp_path / side).mkdir()
        written(tmp_path / side, **{f"{name}.conllu": UNNAMED["corefud"] for name in names})
    with pytest.raises(cs.InvalidInput, match="E201"):
        cs.score(tmp_path / "gold", tmp_path / "system")


def test_other_clusters_of_an_unnamed_text_are_unnamed(tmp_path: Path) -> None:
    (key, response) = map(
        cs.read, written(tmp_path, gold=UNNAMED["corefud"], system=UNNAMED["corefud"])
    )
    changed = response.with_clusters({"system": [[(0, 0), (2, 2)]]})
    with pytest.warns(cs.CorefscopeWarning, match="W209"):
        assert cs.score(key, changed.only("system")).conll == 1
