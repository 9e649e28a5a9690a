"""Mentions are carried over to the tokens of the key, where a response has others."""

from __future__ import annotations

import json
import unicodedata
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope as cs
from commands import Command
from corefscope.findings import Code
from corefscope.matching.matching import MatchingOptions, match_corpora
from corefscope.transfer.letters import letters_of, with_spellings


def words_of(text: str) -> list[str]:
    return text.split()


KEY = words_of("Nora Lind 's boat , the -LRB- old -RRB- one , sank . She can not swim .")
MENTIONS = [[[0, 2], [13, 13]], [[0, 3], [5, 9]]]
OTHER = words_of("Nora Lind's boat , the ( old ) one , sank . She cannot swim .")
SAME = [[[0, 1], [12, 12]], [[0, 2], [4, 8]]]


def record(words: list[str], clusters: list[Any], name: str = "x") -> str:
    return json.dumps({"doc_key": name, "sentences": [words], "clusters": clusters}) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "key.jsonl").write_text(record(KEY, MENTIONS), encoding="utf-8")
    return tmp_path


def written(folder: Path, words: list[str], clusters: list[Any]) -> Path:
    path = folder / "response.jsonl"
    path.write_text(record(words, clusters), encoding="utf-8")
    return path


def codes(result: Any) -> list[Code]:
    return [finding.code for finding in result.findings]


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestSameLetters:
    def test_all_mentions_are_found(self, files: Path) -> None:
        scores = cs.score(files / "key.jsonl", written(files, OTHER, SAME))
        assert scores.conll == 1 and codes(scores) == [Code.CARRIED_OVER]
        (finding,) = scores.findings
        assert "16 tokens instead of 18" in finding.message and "4 mentions" in finding.message

    def test_both_directions(self, files: Path) -> None:
        assert cs.score(written(files, OTHER, SAME), files / "key.jsonl").conll == 1

    def test_the_evaluation_has_the_response_on_the_tokens_of_the_key(self, files: Path) -> None:
        path = written(files, OTHER, SAME)
        evaluation = cs.evaluate(files / "key.jsonl", {"ours": path})
        corpus = evaluation["ours"].corpus
        assert corpus["x"].words == KEY
        spans = [[[m.start, m.end] for m in entity] for entity in corpus["x"].entities]
        assert spans == MENTIONS
        assert evaluation["ours"].matching.given["x"].words == OTHER

    def test_as_many_tokens_in_other_places(self, tmp_path: Path) -> None:
        (tmp_path / "key.jsonl").write_text(
            record(words_of("can not New-York"), [[[0, 1], [2, 2]]])
        )
        path = written(tmp_path, words_of("cannot New- York"), [[[0, 0], [1, 2]]])
        scores = cs.score(tmp_path / "key.jsonl", path)
        assert scores.muc.f1 == 1 and codes(scores) == [Code.CARRIED_OVER]

    def test_the_message_says_what_differs(self, tmp_path: Path) -> None:
        """As many tokens, divided in another way."""
        (tmp_path / "key.jsonl").write_text(record(words_of("Ida 's cat ca n't"), [[[0, 0]]]))
        path = written(tmp_path, words_of("Ida's cat ca n 't"), [[[1, 1]]])
        (finding,) = cs.score(tmp_path / "key.jsonl", path).findings
        assert finding.code is Code.CARRIED_OVER
        assert (
            "'x' has as many tokens, but token 0 is \"Ida's\" instead of 'Ida'" in finding.message
        )

    @pytest.mark.parametrize(
        ("words", "span"),
        [
            ("The cat -LRB- Ida -RRB- slept .", (1, 4)),
            ("The -LSB- big -RSB- cat slept /.", (1, 3)),
            ("Is Ida -LCB- she -RCB- here /?", (2, 5)),
            ("`` Ida '' slept", (0, 2)),
            ("Zoe\u0301 saw Rene\u0301 .", (0, 2)),
        ],
    )
    def test_spellings_of_tokenisers_in_a_text(
        self, words: str, span: tuple[int, int], tmp_path: Path
    ) -> None:
        """People give a system the tokens of OntoNotes, joined by blanks."""
        composed = unicodedata.normalize("NFC", words).split()
        (tmp_path / "key.jsonl").write_text(record(composed, [[span, (0, 0)]]))
        begin = sum(len(word) + 1 for word in words.split()[: span[0]])
        end = sum(len(word) + 1 for word in words.split()[: span[1] + 1]) - 1
        first = len(words.split()[0])
        given = {"doc_key": "x", "text": words, "clusters": [[[begin, end], [0, first]]]}
        (tmp_path / "text.json").write_text(json.dumps(given))
        scores = cs.score(tmp_path / "key.jsonl", tmp_path / "text.json")
        assert scores.mentions.f1 == 1
        is_decomposed = words != unicodedata.normalize("NFC", words)
        assert codes(scores) == ([Code.WORDS_DIFFER] if is_decomposed else [Code.CARRIED_OVER])
        assert is_decomposed == ("the Unicode form NFC" in str(scores.findings))

    @pytest.mark.parametrize(
        ("words", "others"),
        [
            ("The cat -LRB- Ida -RRB- slept", "The cat - LRB - Ida - RRB - slept"),
            ("The cat ( Ida ) slept", "The cat - LRB - Ida - RRB - slept"),
            ("`` Ida '' slept", "` ` Ida ' ' slept"),
            ("Then Ida ate 1\\/2 apple /.", "Then Ida ate 1 \\ / 2 apple / ."),
        ],
    )
    @pytest.mark.parametrize("direction", [1, -1])
    def test_spellings_that_other_tokens_divide(
        self, words: str, others: str, direction: int, tmp_path: Path
    ) -> None:
        """Texts without tokens divide them, and CoNLL does not say that the parts touch."""
        files = []
        for name, each in (("a", words.split()), ("b", others.split())):
            ida = each.index("Ida")
            path = tmp_path / f"{name}.jsonl"
            path.write_text(record(each, [[(0, ida), (ida, ida)], [(ida, len(each) - 1)]]))
            files.append(path)
        scores = cs.score(*files[::direction])
        assert scores.mentions.f1 == 1 and codes(scores) == [Code.CARRIED_OVER]

    @pytest.mark.parametrize(
        ("words", "others"),
        [
            ("so and so ( Ida slept", "so and so LRB Ida slept"),
            ("so and so ( Ida slept", "so and so - LRB Ida slept"),
            ("so and so ( Ida slept", "so and so - LRB-Ida slept"),
            ("so and so . Ida slept", "so and so / . Ida slept"),
            ("so and so ( ) Ida", "so and so - LRB - RRB - Ida"),
        ],
    )
    def test_what_only_looks_like_a_spelling_differs(
        self, words: str, others: str, tmp_path: Path
    ) -> None:
        (tmp_path / "key.jsonl").write_text(record(words.split(), [[(0, 0)]]))
        path = written(tmp_path, others.split(), [[[0, 0]]])
        if len(words.split()) == len(others.split()):
            assert codes(cs.score(tmp_path / "key.jsonl", path)) == [Code.WORDS_DIFFER]
        else:
            with pytest.raises(cs.InvalidInput, match="E202"):
                cs.score(tmp_path / "key.jsonl", path)

    def test_a_bracket_is_not_divided_by_blanks(self, tmp_path: Path) -> None:
        """Where a text says that the parts stand apart, they are no bracket."""
        (tmp_path / "key.jsonl").write_text(record(words_of("so ( Ida slept"), [[(0, 0)]]))
        given = {"doc_key": "x", "text": "so - LRB - Ida slept", "clusters": [[[0, 2]]]}
        (tmp_path / "text.json").write_text(json.dumps(given))
        with pytest.raises(cs.InvalidInput, match="E202"):
            cs.score(tmp_path / "key.jsonl", tmp_path / "text.json")

    def test_other_words_in_the_same_places_are_only_reported(self, files: Path) -> None:
        words = [{"-LRB-": "(", "boat": "ship"}.get(word, word) for word in KEY]
        scores = cs.score(files / "key.jsonl", written(files, words, MENTIONS))
        assert scores.conll == 1 and codes(scores) == [Code.WORDS_DIFFER]

    def test_ignored_as_requested(self, files: Path) -> None:
        scores = cs.score(files / "key.jsonl", written(files, OTHER, SAME), tokens="ignore")
        assert scores.conll != 1 and Code.TOKENS_DIFFER in codes(scores)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestInsideTokens:
    """The response marks the name without its ending, which is no token in the key."""

    @pytest.fixture
    def pair(self, tmp_path: Path) -> tuple[Path, Path]:
        key = words_of("Nora's boat sank . She swam .")
        (tmp_path / "key.jsonl").write_text(record(key, [[[0, 0], [4, 4]], [[0, 1], [2, 2]]]))
        words = words_of("Nora 's boat sank . She swam .")
        return tmp_path / "key.jsonl", written(tmp_path, words, [[[0, 0], [5, 5]]])

    def test_it_stays_and_equals_nothing(self, pair: tuple[Path, Path]) -> None:
        scores = cs.score(*pair)
        assert scores.mentions.recall_counts == (1, 4)
        assert scores.mentions.precision_counts == (1, 2)
        found = next(f for f in scores.findings if f.code is Code.INSIDE_TOKEN)
        assert "1 mention begins or ends inside" in found.message
        assert "'Nora' in \"Nora's\"" in found.message

    @pytest.mark.parametrize(("snap", "common"), [("outward", 2), ("inward", 1)])
    def test_snap(self, pair: tuple[Path, Path], snap: Any, common: int) -> None:
        assert cs.score(*pair, snap=snap).mentions.precision_counts == (common, 2)

    def test_inward_leaves_whole_tokens(self, tmp_path: Path) -> None:
        key = words_of("the ship's old captain")
        (tmp_path / "key.jsonl").write_text(record(key, [[[2, 3], [0, 0]]]))
        words = words_of("the ship 's old captain")
        path = written(tmp_path, words, [[[2, 4], [0, 0]]])
        scores = cs.score(tmp_path / "key.jsonl", path, snap="inward")
        assert scores.muc.f1 == 1
        assert cs.score(tmp_path / "key.jsonl", path).mentions.precision_counts == (1, 2)

    @pytest.mark.parametrize(
        "clusters", [[[[0, 2], [4, 4]], [[0, 1]]], [[[0, 1]], [[0, 2], [4, 4]]]]
    )
    @pytest.mark.parametrize("snap", ["inward", "outward"])
    def test_a_mention_that_was_not_moved_stays(
        self, tmp_path: Path, clusters: list[list[list[int]]], snap: Any
    ) -> None:
        """'the old man' becomes 'the old' or 'the old manor', which is another mention."""
        key = words_of("the old manor fell")
        span = [0, 1] if snap == "inward" else [0, 2]
        (tmp_path / "key.jsonl").write_text(record(key, [[span], [[3, 3]]]))
        words = words_of("the old man or fell")
        whole = [0, 1] if snap == "inward" else [0, 3]
        given = [[whole if m == [0, 1] else m for m in entity] for entity in clusters]
        path = written(tmp_path, words, given)
        scores = cs.score(tmp_path / "key.jsonl", path, snap=snap)
        assert scores.mentions.precision_counts == (2, 2)
        assert scores.b3.f1 == 1 and Code.REPEATED not in codes(scores)
        found = next(f for f in scores.findings if f.code is Code.INSIDE_TOKEN)
        assert "1 mention then is the same as another mention of the response" in found.message
        assert "'the old man' of entity" in found.message

    def test_no_analysis_takes_it_for_the_whole_token(self, pair: tuple[Path, Path]) -> None:
        evaluation = cs.evaluate(pair[0], {"ours": pair[1]})
        errors = cs.analyze(*pair, singletons="keep")
        assert errors.errors["missing_entity"] == 1
        # The edge is wrong, so the mention is corrected before anything else.
        assert errors.errors["span_error"] == 1 and errors.operations["alter_span"] == 1
        assert cs.explain("mentions", *pair).score.precision == 0.5
        assert evaluation.report().html.startswith("<!doctype html>")

    def test_systems_are_told_apart(self, pair: tuple[Path, Path], tmp_path: Path) -> None:
        whole = tmp_path / "whole.jsonl"
        whole.write_text(record(words_of("Nora's boat sank . She swam ."), [[[0, 0], [4, 4]]]))
        evaluation = cs.evaluate(pair[0], {"cut": pair[1], "whole": whole})
        assert evaluation["cut"].scores.muc.f1 == 0 < evaluation["whole"].scores.muc.f1

    def test_copies_of_a_cut_mention_are_copies(self, pair: tuple[Path, Path]) -> None:
        words = words_of("Nora 's boat sank . She swam .")
        path = written(pair[0].parent, words, [[[0, 0], [5, 5]], [[0, 0], [6, 6]]])
        assert Code.REPEATED in codes(cs.score(pair[0], path))


LONG = [f"w{number}" for number in range(200)]


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestOtherLetters:
    @pytest.fixture
    def long_key(self, tmp_path: Path) -> Path:
        path = tmp_path / "long.jsonl"
        path.write_text(record(LONG, [[[10, 11], [150, 150]]]))
        return path

    def test_few_differences_are_aligned(self, long_key: Path) -> None:
        words = [*LONG[:50], "new", *LONG[50:180], *LONG[181:], "more"]
        path = written(long_key.parent, words, [[[10, 11], [151, 151]]])
        scores = cs.score(long_key, path)
        assert scores.muc.f1 == 1
        (finding,) = scores.findings
        assert finding.code is Code.CARRIED_OVER
        assert "1 of its 200 words is missing, 2 are new" in finding.message

    def test_many_differences_are_an_error(self, long_key: Path) -> None:
        words = LONG[10:]
        path = written(long_key.parent, words, [[[0, 1], [140, 140]]])
        with pytest.raises(cs.InvalidInput, match="E202"):
            cs.score(long_key, path)
        assert cs.score(long_key, path, tokens="align").muc.f1 == 1

    def test_a_mention_that_the_key_lacks_is_counted(self, long_key: Path) -> None:
        words = [*LONG[:50], "some", "new", "words", *LONG[50:]]
        path = written(long_key.parent, words, [[[10, 11], [51, 51], [153, 153]]])
        scores = cs.score(long_key, path)
        assert "and 1 has no place there and is left out" in scores.findings[0].message
        assert scores.muc.f1 == 1

    def test_command(self, long_key: Path) -> None:
        path = written(long_key.parent, LONG[10:], [[[0, 1], [140, 140]]])
        refused = Command("score").run(str(long_key), str(path))
        assert refused.exit_code == 3 and "fix: --tokens align" in refused.stderr
        assert Command("score").run(str(long_key), str(path), "--tokens", "align").exit_code == 0


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_zeros_stand_between_their_neighbours(tmp_path: Path) -> None:
    key = "1 Nora's\n2 boat (e1)\n2.1 _ (e2)\n3 sank (e1)\n4 . (e2)\n"
    response = "1 Nora\n2 's\n3 boat (e1)\n3.1 _ (e2)\n4 sank (e1)\n5 . (e2)\n"
    paths = []
    for name, text in (("key", key), ("response", response)):
        path = tmp_path / f"{name}.conllu"
        rows = [line.split(" ") for line in text.splitlines()]
        path.write_bytes(conllu(rows))
        paths.append(path)
    scores = cs.score(*paths)
    assert scores.conll == 1 and Code.CARRIED_OVER in codes(scores)


def conllu(rows: list[list[str]]) -> bytes:
    """One sentence; each row has an ID, a word, and perhaps the brackets of entities."""
    lines = ["# newdoc id = x", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    for id, word, *cell in rows:
        entity = f"Entity={cell[0].replace(')', '-x-1)')}" if cell else "_"
        head, relation = ("_", "_") if "." in id else ("0" if id == "1" else "1", "dep")
        links = "1:dep" if "." in id else "_"
        lines.append("\t".join([id, word, "_", "X", "_", "_", head, relation, links, entity]))
    return ("\n".join(lines) + "\n\n").encode()


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("sign", ["##", "_"])
class TestSignsOfZeros:
    """The signs that stand for zeros may also be text."""

    def test_text(self, sign: str, tmp_path: Path) -> None:
        words = words_of(f"Nora's key {sign} fell . It {sign} broke")
        others = words_of(f"Nora 's key {' '.join(sign)} fell . It {' '.join(sign)} broke")
        first, second = 2 + len(sign), 5 + 2 * len(sign)
        (tmp_path / "key.jsonl").write_text(record(words, [[[1, 2], [5, 6]]]))
        path = written(tmp_path, others, [[[2, first], [5 + len(sign), second]]])
        scores = cs.score(tmp_path / "key.jsonl", path)
        assert scores.conll == 1 and Code.CARRIED_OVER in codes(scores)

    def test_zeros_that_only_one_text_has(self, sign: str, tmp_path: Path) -> None:
        words = words_of(f"Nora's key {sign} fell . It broke")
        others = words_of("Nora 's key fell . It broke")
        (tmp_path / "key.jsonl").write_text(record(words, [[[1, 1], [5, 5]]]))
        path = written(tmp_path, others, [[[2, 2], [5, 5]]])
        scores = cs.score(tmp_path / "key.jsonl", path)
        assert scores.conll == 1 and Code.CARRIED_OVER in codes(scores)

    def test_zeros_that_the_key_marks(self, sign: str, tmp_path: Path) -> None:
        rows = "1 Nora's\n2 boat (e1)\n2.1 _ (e2)\n3 sank (e1)\n4 . (e2)"
        (tmp_path / "key.conllu").write_bytes(conllu([r.split(" ") for r in rows.splitlines()]))
        words = words_of(f"Nora 's boat {sign} sank .")
        clusters = [[[2, 2], [4, 4]], [[3, 3], [5, 5]]]
        (tmp_path / "response.jsonl").write_text(record(words, clusters))
        assert cs.score(tmp_path / "key.conllu", tmp_path / "response.jsonl").conll == 1

    def test_tagged_text(self, sign: str, tmp_path: Path) -> None:
        words = words_of(f"Nora's key {sign} fell . It {sign} broke")
        (tmp_path / "key.jsonl").write_text(record(words, [[[1, 2], [5, 6]]]))
        text = f"Nora's [key {sign}](#0) fell. [It {sign}](#0) broke"
        (tmp_path / "x.txt").write_text(text)
        scores = cs.score(tmp_path / "key.jsonl", tmp_path / "x.txt")
        assert scores.conll == 1 and scores.ledger is not None
        assert scores.ledger.statuses["ok"] == 1


@given(st.data())
def test_any_division_into_tokens(data: st.DataObject) -> None:
    """Two divisions of one text: what both can express is the same in both."""
    letters = data.draw(st.text("abc", min_size=1, max_size=12))
    edges = [
        sorted({0, len(letters), *data.draw(st.sets(st.integers(0, len(letters))))})
        for _ in range(2)
    ]
    span = data.draw(st.tuples(*[st.integers(0, len(edges[1]) - 2)] * 2).map(sorted))
    stretch = edges[1][span[0]], edges[1][span[1] + 1]
    words = [[letters[a:b] for a, b in pairwise(e)] for e in edges]
    key = of_words(words[0], [(0, 0)])
    response = of_words(words[1], [tuple(span)])
    matching = match_corpora(key, response, MatchingOptions())
    corpus = matching.response
    first, last = corpus.mention_spans[0].tolist()
    cut = corpus.mention_cuts.get(0, (0, 0))
    assert (edges[0][first] + cut[0], edges[0][last + 1] - cut[1]) == stretch


def of_words(words: list[str], mentions: list[tuple[int, ...]]) -> cs.Corpus:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        path.write_text(record(words, [list(map(list, mentions))]))
        corpus = cs.read(path)
        assert corpus.layers is not None
        corpus.layers.text(0)
        return corpus


def test_spellings_of_tokenisers() -> None:
    for one, other in [
        (words_of("-LRB- x -RRB-"), ["(x)"]),
        (words_of("`` No ''"), ['"No"']),
        (["“No”"], words_of("`` No ''")),
        (["sang", "/."], ["sang."]),
        (["1\\/2"], ["1/2"]),
    ]:
        assert "".join(letters_of(one)) == "".join(letters_of(other))
    assert letters_of(words_of("a ## b _"), has_zeros=True) == ["a", "", "b", ""]
    assert letters_of(words_of("a ## b _")) == ["a", "##", "b", "_"]
    assert "".join(letters_of(["a/b"])) == "a/b"


def test_spellings_are_put_together() -> None:
    words = words_of("- LRB - a - RRB - / .")
    assert with_spellings(words, None) == ["-LRB-", "", "", "a", "-RRB-", "", "", "/", "."]
    apart = [(2 * place, 2 * place + 1) for place in range(len(words))]
    assert with_spellings(words, apart) == words
    # A sign belongs to one spelling only.
    assert with_spellings(words_of("- LRB - RRB -"), None) == ["-LRB-", "", "", "RRB", "-"]
    assert with_spellings(words_of("LRB - RRB"), None) == words_of("LRB - RRB")


PIECES = ["Mary", "paint", "##ed", "h", "##is", "light", "##house", "and", "he", "slept"]


def test_word_pieces_are_put_together_and_named(tmp_path: Path) -> None:
    words = ["Mary", "painted", "his", "lighthouse", "and", "he", "slept"]
    key = {"doc_key": "d", "sentences": [words], "clusters": [[[2, 2], [5, 5]], [[2, 3]]]}
    response = {"doc_key": "d", "sentences": [PIECES], "clusters": [[[3, 4], [8, 8]], [[3, 6]]]}
    for name, record in (("key", key), ("response", response)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    with pytest.warns(cs.CorefscopeWarning, match=r"word pieces such as '##ed'.*W252"):
        scores = cs.score(tmp_path / "key.jsonl", tmp_path / "response.jsonl")
    assert scores.conll == 1
    (tmp_path / "other.jsonl").write_text(json.dumps(response).replace("slept", "woke"), "utf-8")
    with pytest.raises(cs.InvalidInput, match=r"10 word pieces.*aligning the words.*E202"):
        cs.score(tmp_path / "key.jsonl", tmp_path / "other.jsonl")
    with pytest.warns(cs.CorefscopeWarning, match="W252"):
        aligned = cs.score(tmp_path / "key.jsonl", tmp_path / "other.jsonl", tokens="align")
    assert aligned.conll == 1
