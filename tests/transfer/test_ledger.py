"""Tagged text: its styles, its ledgers, and what becomes of damaged copies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, to_builtins

import corefscope as cs
from commands import Command
from corefscope.answers.parsing import parse, parse_words
from corefscope.answers.styles import style_of, thoughts_of
from corefscope.corpus.copies import Copy
from corefscope.findings import Code
from corefscope.matching.matching import MatchingOptions, match_corpora
from corefscope.report.contents import Contents
from corefscope.scoring.record import ledger_record
from corefscope.transfer.copies import Marks, carried
from corefscope.transfer.ledger import BEFORE_PARSING, Ledger
from corefscope.transfer.texts import Stretch, text_of
from formats.sample_documents import BAKERY, DOCUMENTS, LIGHTHOUSE, SAMPLES, SampleDocument

ROOT = Path(__file__).parents[2]
PLACES = [parent / "shared" / "cases" / "formats" for parent in Path(__file__).resolve().parents]
CASES = next((place for place in PLACES if place.exists()), Path("shared"))
"""Published cases beside the repository, if they are there."""
KEY = ROOT / SAMPLES / "conll/both.conll"
TEMPLATES = {
    "markdown": ("[", "](#{})"),
    "prefix": ("[{} ", "]"),
    "suffix": ("[", ": {}]"),
    "subscript": ("[[", "]]_{}"),
    "single subscript": ("[", "]_{}"),
    "xml": ('<m id="{}">', "</m>"),
    "xml names": ("<n{}>", "</n{}>"),
    "pipe": ("<m> ", " | {} </m>"),
}


def tagged(document: SampleDocument, style: str) -> str:
    """A document with all its mentions in tags."""
    opening, closing = TEMPLATES[style]
    edges: list[tuple[int, int, int, str]] = []
    for number, entity in enumerate(document.entities):
        for mention in entity.mentions:
            begin, end = (
                document.characters[mention.first][0],
                document.characters[mention.last][1],
            )
            edges.append((begin, 1, -end, opening.format(number)))
            edges.append((end, 0, -begin, closing.format(number)))
    text, place = [], 0
    for at, _, _, tag in sorted(edges):
        text += [document.text[place:at], tag]
        place = at
    return "".join([*text, document.text[place:]])


def ledger_of(text: str, document: SampleDocument, tmp_path: Path) -> Ledger:
    path = tmp_path / f"{document.name}.txt"
    path.write_text(text, encoding="utf-8")
    key = cs.read(KEY).only(document.name)
    matching = match_corpora(key, cs.read(path, "tagged"), MatchingOptions())
    assert matching.ledger is not None
    return matching.ledger.documents[document.name]


@pytest.mark.parametrize("style", list(TEMPLATES))
def test_every_style_is_read(style: str, tmp_path: Path) -> None:
    for document in DOCUMENTS.values():
        text = tagged(document, style)
        assert style_of(text) == style.split()[-1 if "single" in style else 0]
        (tmp_path / f"{document.name}.txt").write_text(text, encoding="utf-8")
    scores = cs.score(KEY, tmp_path)
    assert scores.conll == 1 and not scores.findings
    assert scores.ledger is not None
    assert scores.ledger.statuses == {"ok": 2, "repaired": 0, "cut off": 0, "failed": 0}
    assert scores.ledger.total.exact == scores.mentions.recall_counts[1]


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_crac_plain_text(tmp_path: Path) -> None:
    lines = []
    for document in DOCUMENTS.values():
        tags: dict[int, list[str]] = {}
        for number, entity in enumerate(document.entities):
            for mention in entity.mentions:
                if mention.first == mention.last:
                    tags.setdefault(mention.first, []).append(f"[e{number}]")
                else:
                    tags.setdefault(mention.first, []).append(f"[e{number}")
                    tags.setdefault(mention.last, []).append(f"e{number}]")
        words = [
            f"{word}|{','.join(tags[place])}" if place in tags else word
            for place, word in enumerate(document.words)
        ]
        lines.append(" ".join(words))
    path = tmp_path / "both.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores = cs.score(KEY, path)
    assert scores.conll == 1 and not scores.findings


def test_a_text_of_one_word(tmp_path: Path) -> None:
    """No neighbour confirms the word, but the copy is complete."""
    key, answer = tmp_path / "key.jsonl", tmp_path / "d.txt"
    key.write_text('{"doc_key": "d", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}\n')
    answer.write_text("[Ann](#1)\n")
    scores = cs.score(key, answer)
    assert scores.mentions.f1 == 1 and not scores.findings


def test_zero_in_crac_plain_text() -> None:
    parsed = parse_words("##|[e1] saw it|[e2 all|e2] x|e3] y|[e4")
    assert parsed.words == ["##", "saw", "it", "all", "x", "y"]
    assert parsed.mentions == [("e1", 0, 1), ("e2", 2, 4)]
    assert dict(parsed.copy.dropped) == {
        "opened but never closed": 1,
        "closed but never opened": 1,
    }


class TestParsing:
    def test_brackets_of_the_text(self, tmp_path: Path) -> None:
        parsed = parse("[Picture] [the [old] boat](#1) sank", "markdown")
        assert parsed.text == "[Picture] the [old] boat sank"
        assert parsed.mentions == [("1", 10, 24)]
        assert len(parsed.copy.nameless) == 2 and not parsed.copy.undecided

    def test_references(self) -> None:
        text = '<COREF ID="1">Ida</COREF> <COREF ID="2" REF="1">she</COREF> '
        text += '<COREF ID="3" REF="2">her</COREF>'
        assert {label for label, _, _ in parse(text, "xml").mentions} == {"1"}

    def test_empty_and_nameless(self) -> None:
        copy = parse("[](#1) [Ida](#) [she](#2)", "markdown").copy
        assert dict(copy.dropped) == {"empty": 1, "no entity name": 1}
        assert (copy.opened, copy.closed) == (3, 3)

    @pytest.mark.parametrize(
        ("text", "labels"),
        [
            ("[Ida](#cluster 0) met [Eve](# c 1).", ["cluster 0", "c 1"]),
            ("**[Ida]**(#0) met [Eve](#1 ).", ["0", "1"]),
            ("[Ida: Ida Lind] met [Eve: 1]. [She: Ida Lind] left.", ["Ida Lind", "1", "Ida Lind"]),
            (
                "[[Ida: Ida (L)] 's aunt: her aunt] met [her: Ida (L)].",
                ["her aunt", *["Ida (L)"] * 2],
            ),
            ("<m> Ida | Ida Lind </m> met <m> Eve | 1 </m>.", ["Ida Lind", "1"]),
            ("[[Ida]]_{Ida Lind} met [[Eve]]_1 and so on.", ["Ida Lind", "1"]),
            ("[Ida]_{Ida Lind} met [Eve]_{1} and so on.", ["Ida Lind", "1"]),
            ('<m id="Ida Lind">Ida</m> met <m id="1">Eve</m>.', ["Ida Lind", "1"]),
        ],
    )
    def test_names_with_blanks(self, text: str, labels: list[str]) -> None:
        parsed = parse(text, style_of(text))
        assert [label for label, _, _ in parsed.mentions] == labels
        assert parsed.copy.closed == len(labels) and not parsed.copy.dropped

    def test_a_name_that_no_mention_has_a_word_of_is_text(self) -> None:
        text = "[Ida: 0] slept. [Note: see below] [She: 0] woke. [Note: see below]"
        parsed = parse(text, style_of(text))
        assert parsed.text == "Ida slept. [Note: see below] She woke. [Note: see below]"
        assert len(parsed.mentions) == 2 and len(parsed.copy.nameless) == 2

    @pytest.mark.parametrize(
        "text", ["[Ida](#cluster_) [she](#1)", "[Ida](#) [she](#1)", '<m id="c-">Ida</m>']
    )
    def test_a_name_without_a_number_is_none(self, text: str) -> None:
        parsed = parse(text, style_of(text))
        assert dict(parsed.copy.dropped) == {"no entity name": 1}
        assert all(label == "1" for label, _, _ in parsed.mentions)

    @pytest.mark.parametrize("text", ["No tags.", "[1] a note", "<b>bold</b>", ""])
    def test_no_style(self, text: str) -> None:
        assert style_of(text) == "none"


class TestDamage:
    TEXT = tagged(LIGHTHOUSE, "markdown")

    def test_cut_off(self, tmp_path: Path) -> None:
        ledger = ledger_of(self.TEXT[: self.TEXT.index("needs") - 6], LIGHTHOUSE, tmp_path)
        assert ledger.status == "cut off" and ledger.missing_tail > 2

    @pytest.mark.parametrize("fence", ["```\n{}", "```\n{}\n```", "```text\n{}\n```\n"])
    def test_cut_off_in_a_fence(self, fence: str, tmp_path: Path) -> None:
        """The end of a fence is no end of the text."""
        text = fence.format(self.TEXT[: self.TEXT.index("needs") - 6])
        assert ledger_of(text, LIGHTHOUSE, tmp_path).status == "cut off"

    def test_an_open_tag_at_the_end(self, tmp_path: Path) -> None:
        ledger = ledger_of(self.TEXT[: self.TEXT.index("Nora](#")], LIGHTHOUSE, tmp_path)
        assert ledger.dropped == {"opened but never closed": 1}
        assert ledger.opened == ledger.closed + 1

    @pytest.mark.parametrize(
        ("style", "end"),
        [
            *(("markdown", end) for end in ("](#1", "](#", "](")),
            *(("xml", end) for end in ("</m", '<m id="1')),
            *(("pipe", end) for end in (" | 1 </m", " |")),
            ("subscript", "]]_"),
        ],
    )
    def test_cut_off_inside_a_tag(self, style: str, end: str, tmp_path: Path) -> None:
        text = tagged(LIGHTHOUSE, style)
        ledger = ledger_of(text[: text.index(" needs")] + end, LIGHTHOUSE, tmp_path)
        assert ledger.status == "cut off" and ledger.outside == 0 and ledger.foreign == 1

    @pytest.mark.parametrize("style", list(TEMPLATES))
    def test_brackets_of_the_text_are_exact(self, style: str, tmp_path: Path) -> None:
        opening, closing = (each.format(0) for each in TEMPLATES[style])
        text = f"{opening}Nora [sic]{closing} slept [1]. [Note] {opening}She [Nora]{closing} woke."
        words = re.findall(r"\w+|\S", "Nora [sic] slept [1]. [Note] She [Nora] woke.")
        record = {"doc_key": "x", "sentences": [words], "clusters": [[[0, 3], [12, 15]]]}
        (tmp_path / "key.jsonl").write_text(json.dumps(record), encoding="utf-8")
        (tmp_path / "x.txt").write_text(text, encoding="utf-8")
        scores = cs.score(tmp_path / "key.jsonl", tmp_path / "x.txt")
        assert scores.muc.f1 == 1 and scores.ledger is not None
        assert scores.ledger.statuses["ok"] == 1 and not scores.findings

    def test_a_repetition_in_the_middle_is_outside(self, tmp_path: Path) -> None:
        sentence = self.TEXT[: self.TEXT.index(".") + 1]
        ledger = ledger_of(f"{sentence} {self.TEXT}", LIGHTHOUSE, tmp_path)
        assert set(ledger.dropped) == {"outside the copied text"} and ledger.exact == 8

    @pytest.mark.parametrize("style", list(TEMPLATES))
    @pytest.mark.parametrize("order", ["{plain}\n\n{copy}", "{copy}\n\n{plain}"])
    def test_of_two_copies_the_one_with_tags_counts(
        self, style: str, order: str, tmp_path: Path
    ) -> None:
        copy = tagged(LIGHTHOUSE, style).replace("keeps", "tends")
        text = order.format(plain=LIGHTHOUSE.text, copy=copy)
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert ledger.exact == 8 and not ledger.dropped
        words = ledger.words
        assert (words.replaced, words.inserted, words.deleted) == (1, 0, 0)
        assert ledger.outside == words.source and words.output == 2 * words.source

    @pytest.mark.parametrize(
        "mark", ["**[{}]({})**", "*[{}]({})*", "_[{}]({})_", "`[{}]({})`", "\u200b[{}]({})\u200b"]
    )
    def test_signs_around_mentions_do_not_hide_their_neighbours(
        self, mark: str, tmp_path: Path
    ) -> None:
        text = re.sub(r"\[(\w+)\]\((#\w+)\)", lambda tag: mark.format(*tag.groups()), self.TEXT)
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert ledger.exact == 8 and not ledger.dropped and ledger.words.inserted >= 4

    @pytest.mark.parametrize("mark", [("[**", "**]("), ("[*", "*]("), ("\\[", "\\](")])
    def test_signs_inside_mentions_are_left_out(
        self, mark: tuple[str, str], tmp_path: Path
    ) -> None:
        text = self.TEXT.replace("[", mark[0]).replace("](", mark[1])
        path = tmp_path / "lighthouse.txt"
        path.write_text(text, encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning, match="8 of 8 tagged mentions"):
            assert cs.score(cs.read(KEY).only("lighthouse"), path).conll == 1

    def test_a_sign_of_the_text_that_is_left_out_hides_no_neighbour(self, tmp_path: Path) -> None:
        words = ["Eve", "met", "Ida", ",", "Nora", ",", "and", "Otto", "."]
        record = {"doc_key": "x", "sentences": [words], "clusters": [[[4, 4], [7, 7]]]}
        (tmp_path / "key.jsonl").write_text(json.dumps(record), encoding="utf-8")
        path = tmp_path / "x.txt"
        for tag, fate in (("Ida [Nora](#1) and", "exact"), ("us [Nora](#1) plus", "uncertain")):
            path.write_text(f"Eve met {tag} [Otto](#1).", encoding="utf-8")
            with pytest.warns(cs.CorefscopeWarning):
                scores = cs.score(tmp_path / "key.jsonl", path)
            assert scores.ledger is not None
            ledger = scores.ledger.documents["x"]
            assert (ledger.exact == 2) == (fate == "exact")
            assert ledger.dropped == ({} if fate == "exact" else {fate: 1})

    def test_a_sign_of_a_mention_that_is_replaced(self, tmp_path: Path) -> None:
        words = ["So", "Otto", ",", "Jr", ".", "slept", ".", "¡", "He", "woke", "."]
        record = {"doc_key": "x", "sentences": [words], "clusters": [[[1, 4], [7, 8]]]}
        (tmp_path / "key.jsonl").write_text(json.dumps(record), encoding="utf-8")
        path = tmp_path / "x.txt"
        path.write_text("So [Otto, Jr!](#1) slept. [¿He](#1) woke.", encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning):
            assert cs.score(tmp_path / "key.jsonl", path).conll == 1

    def test_a_tag_that_is_never_closed_is_no_remark(self, tmp_path: Path) -> None:
        text = tagged(LIGHTHOUSE, "xml")
        end = text.index("The lighthouse") + len("The")
        ledger = ledger_of(text[:end], LIGHTHOUSE, tmp_path)
        assert (ledger.outside, ledger.missing_tail, ledger.status) == (0, 4, "cut off")

    def test_of_two_answers_the_one_with_more_tags_counts(self, tmp_path: Path) -> None:
        draft = self.TEXT.replace("[She](#1)", "She").replace("told", "asked")
        ledger = ledger_of(f"{draft}\n\n{self.TEXT}", LIGHTHOUSE, tmp_path)
        assert ledger.exact == 8 and ledger.dropped == {"outside the copied text": 7}
        assert ledger.words.replaced == 0

    def test_brackets_that_name_no_entity(self, tmp_path: Path) -> None:
        text = self.TEXT.replace("[She](#1)", "[She]").replace("keeps", "[keeps")
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert ledger.dropped == {"opened but never closed": 1, "no entity name": 1}
        assert (ledger.opened, ledger.closed, ledger.exact) == (9, 8, 7)

    def test_changed_words(self, tmp_path: Path) -> None:
        text = self.TEXT.replace("Gull Rock", "Gull Cliff").replace("keeps", "tends")
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert (ledger.edited, ledger.exact) == (2, 6) and ledger.words.replaced == 2

    def test_chatter(self, tmp_path: Path) -> None:
        text = f"Sure, here it is.\n\n```\n{self.TEXT}\n```\nI hope [she](#ida) is right."
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert ledger.dropped == {"outside the copied text": 1} and ledger.exact == 8

    @pytest.mark.parametrize("style", list(TEMPLATES))
    @pytest.mark.parametrize("opening", ["<think>", "<Thinking>", "<reasoning>", ""])
    def test_thoughts_are_outside(self, style: str, opening: str, tmp_path: Path) -> None:
        begin, end = (each.format(1) for each in TEMPLATES[style])
        thought = f"Nora Lind's sister is {begin}Ida{end}, who keeps {begin}the lighthouse{end} ."
        closing = "</think>" if not opening else f"</{opening[1:]}"
        text = f"{opening}{thought}{closing}\n\nSo: {tagged(LIGHTHOUSE, style)}"
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert ledger.exact == 8 and ledger.dropped == {"outside the copied text": 2}
        words = ledger.words
        assert words.equal == words.source and words.inserted == 0
        assert ledger.outside == words.output - words.source

    def test_a_draft_in_thoughts_is_not_the_answer(self, tmp_path: Path) -> None:
        answer = self.TEXT.replace("[She](#1)", "She")
        ledger = ledger_of(f"<think>{self.TEXT}</think>{answer}", LIGHTHOUSE, tmp_path)
        assert ledger.exact == 7 and ledger.dropped == {"outside the copied text": 8}

    def test_where_thoughts_are(self) -> None:
        assert list(thoughts_of("So.</think>Yes <think>no</think>.")) == [(0, 11), (15, 32)]
        assert list(thoughts_of("<think>So.")) == []

    def test_an_answer_in_thoughts_that_never_end_is_read(self, tmp_path: Path) -> None:
        ledger = ledger_of(f"<think>So: {self.TEXT}", LIGHTHOUSE, tmp_path)
        assert ledger.exact == 8 and not ledger.dropped

    def test_changes_at_both_ends_are_inside(self, tmp_path: Path) -> None:
        """A few changed words at an end are no remark."""
        text = self.TEXT.replace("sister Ida", "sibling Ida").replace("is old", "was ancient")
        ledger = ledger_of(text.replace("Nora Lind", "Norah Lind", 1), LIGHTHOUSE, tmp_path)
        assert ledger.words.replaced == 3 and ledger.missing_tail == 0
        assert ledger.outside == 1 and (ledger.exact, ledger.shrunk) == (6, 2)

    def test_nothing_is_placed_by_position_alone(self, tmp_path: Path) -> None:
        """A pronoun among words that the text does not have stays without a place."""
        text = self.TEXT.replace("[She](#1) told", "Later [it](#1) heard from")
        ledger = ledger_of(text, LIGHTHOUSE, tmp_path)
        assert sum(ledger.dropped.values()) == 1

    def test_refusal_in_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "lighthouse.txt").write_text(self.TEXT, encoding="utf-8")
        (tmp_path / "bakery.txt").write_text("I cannot help with that.", encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning, match="bakery.*W255"):
            scores = cs.score(KEY, tmp_path)
        assert scores.ledger is not None and scores.ledger.failed == ["bakery"]
        assert not scores.missing and scores.mentions.recall < 1
        assert scores.without_failed.conll == 1
        assert scores.without_failed.document_names == ("lighthouse",)

    def test_empty_file_in_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "lighthouse.txt").write_text(self.TEXT, encoding="utf-8")
        (tmp_path / "bakery.txt").write_text("", encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning):
            scores = cs.score(KEY, tmp_path)
        assert scores.ledger is not None and scores.ledger.failed == ["bakery"]

    @pytest.mark.parametrize("answer", ["", "\n \n", "I cannot help with that."])
    @pytest.mark.parametrize("name", ["a_b_0", "z_b_0"])
    def test_an_answer_without_tags_keeps_its_name(
        self, answer: str, name: str, tmp_path: Path
    ) -> None:
        (tmp_path / "lighthouse.txt").write_text(self.TEXT, encoding="utf-8")
        (tmp_path / f"{name}.txt").write_text(answer, encoding="utf-8")
        response = cs.read(tmp_path)
        assert set(response.document_names) == {"lighthouse", name} and response.copies is not None
        styles = {copy.style for copy in response.copies}
        assert styles == {"markdown", "none"}
        key = tmp_path / "key.jsonl"
        record = {"doc_key": name, "sentences": [["Ida", "slept", "."]], "clusters": [[[0, 0]]]}
        key.write_text(json.dumps(record), encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning):
            scores = cs.score(key, response)
        assert scores.ledger is not None and scores.ledger.failed == [name]
        assert not scores.missing

    @pytest.mark.parametrize("answer", ["", "\n \n"])
    def test_an_empty_answer_alone(self, answer: str, tmp_path: Path) -> None:
        path = tmp_path / "lighthouse.txt"
        path.write_text(answer, encoding="utf-8")
        with pytest.raises(cs.InvalidInput, match=r"empty answer of a language model.*E105"):
            cs.read(path)
        ledger = ledger_of(answer, LIGHTHOUSE, tmp_path)
        assert ledger.status == "failed" and ledger.words.source == 27

    def test_output(self, tmp_path: Path) -> None:
        (tmp_path / "lighthouse.txt").write_text(self.TEXT, encoding="utf-8")
        (tmp_path / "bakery.txt").write_text("I cannot help with that.", encoding="utf-8")
        shown = Command("score").run(str(KEY), str(tmp_path)).stdout
        assert "without 1 failed document" in shown and "cut off" in shown
        ledger = Command("score").system_of(str(KEY), str(tmp_path))["ledger"]
        assert ledger["statuses"] == {"ok": 1, "repaired": 0, "cut off": 0, "failed": 1}
        assert ledger["documents"]["bakery"]["status"] == "failed"
        assert ledger["without_failed"]["conll"] == 1

    def test_sums_have_no_status(self, tmp_path: Path) -> None:
        (tmp_path / "lighthouse.txt").write_text(f"{self.TEXT} [", encoding="utf-8")
        (tmp_path / "bakery.txt").write_text("I cannot help with that.", encoding="utf-8")
        ledger = Command("score").system_of(str(KEY), str(tmp_path))["ledger"]
        assert ledger["total"]["status"] is None
        assert ledger["total"]["style"] == "markdown"
        shown = Command("score").run(str(KEY), str(tmp_path)).stdout.splitlines()
        rows = {line.rsplit(None, 1)[0]: line.split()[-1] for line in shown if line.split()}
        assert rows["  dropped tags"] == rows["    opened but never closed"] == "1"
        assert rows["  dropped mentions"] == "0"
        names = list(rows)
        assert names.index("    opened but never closed") < names.index("mentions")

    def test_foreign_tags_are_named(self, tmp_path: Path) -> None:
        text = tagged(LIGHTHOUSE, "xml").replace("told", "<b>told</b>")
        path = tmp_path / "lighthouse.txt"
        path.write_text(text, encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning, match="0 shrunk; 2 tags mark no mention: .*W256"):
            cs.score(cs.read(KEY).only("lighthouse"), path)
        path.write_text(text.replace("</b>", ""), encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning, match="0 shrunk; 1 tag marks no mention: .*W256"):
            cs.score(cs.read(KEY).only("lighthouse"), path)

    @pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
    def test_report(self, tmp_path: Path) -> None:
        (tmp_path / "lighthouse.txt").write_text(self.TEXT, encoding="utf-8")
        evaluation = cs.evaluate(KEY, {"tagged": tmp_path, "other": KEY})
        summary = Contents(evaluation=evaluation, title="").summary()
        ledger, other = summary.ledgers
        assert ledger is not None and ledger.total.exact == 8 and other is None
        assert all(system.ledger is UNSET for system in summary.scores.systems)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestStrings:
    def test_the_sample(self) -> None:
        scores = cs.score(KEY, ROOT / SAMPLES / "strings/both.jsonl")
        assert scores.conll == 1 and scores.ledger is not None
        assert scores.ledger.total.style == "strings"
        (finding,) = scores.findings
        assert (
            finding.code is Code.ANSWER_CHANGED
            and "'Nora' in document 'lighthouse'" in finding.message
        )

    def test_strings_are_taken_in_order(self, tmp_path: Path) -> None:
        words = ["Ida", "met", "Eve", ".", "She", "left", ".", "She", "stayed", "."]
        clusters = [[[0, 0], [4, 4]], [[2, 2], [7, 7]]]
        record = {"doc_key": "x", "sentences": [words], "clusters": clusters}
        (tmp_path / "key.jsonl").write_text(json.dumps(record), encoding="utf-8")
        (tmp_path / "x.json").write_text('{"a": ["Ida", "She"], "b": ["Eve", "She"]}')
        scores = cs.score(tmp_path / "key.jsonl", tmp_path / "x.json")
        assert scores.conll == 1 and not scores.findings
        (tmp_path / "x.json").write_text('{"a": ["Ida", "she", "nobody"], "b": ["Eve"]}')
        scores = cs.score(tmp_path / "key.jsonl", tmp_path / "x.json", singletons="drop")
        assert scores.muc.recall_counts == (1, 2)
        assert scores.ledger is not None
        assert scores.ledger.total.dropped == {"no counterpart in the source": 1}

    @pytest.mark.parametrize(
        ("clusters", "spans", "dropped"),
        [
            # Two spellings of a word that the text has once are one mention.
            (
                {"a": ["Ida", "She"], "b": ["Eve", "she"]},
                [[0, 4], [2]],
                {"listed more often than it occurs": 1},
            ),
            ({"a": ["Ida", "She", "she", "SHE"]}, [[0, 4]], {"repeated": 2}),
            ({"a": ["Ida"], "b": ["Ida"]}, [[0]], {"listed more often than it occurs": 1}),
            ({"a": ["her", "Her"]}, [[6, 9]], {}),
            ({"a": ["Her"], "b": ["her"]}, [[9], [6]], {}),
            ({"a": ["HER"], "b": ["HER"]}, [[6], [9]], {}),
        ],
    )
    def test_an_occurrence_is_one_mention(
        self,
        clusters: dict[str, list[str]],
        spans: list[list[int]],
        dropped: dict[str, int],
        tmp_path: Path,
    ) -> None:
        words = ["Ida", "met", "Eve", ".", "She", "hugged", "her", ".", ".", "Her", "hat", "fell"]
        record = {"doc_key": "x", "sentences": [words], "clusters": [[[0, 0], [4, 4]]]}
        (tmp_path / "key.jsonl").write_text(json.dumps(record), encoding="utf-8")
        (tmp_path / "x.json").write_text(json.dumps(clusters), encoding="utf-8")
        key, response = (cs.read(tmp_path / name) for name in ("key.jsonl", "x.json"))
        matching = match_corpora(key, response, MatchingOptions())
        (found,) = matching.response
        assert [[mention.start for mention in entity] for entity in found.entities] == spans
        assert matching.ledger is not None
        assert matching.ledger.total.dropped == dropped

    def test_ids_are_no_strings(self, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text('{"lighthouse": [["m1", "m2"]]}')
        with pytest.raises(cs.InvalidInput, match=r"use the format 'strings' \[E206\]"):
            cs.score(KEY, tmp_path / "x.json")
        scores = cs.score(KEY, cs.read(tmp_path / "x.json", "strings"))
        assert scores.ledger is not None and scores.conll == 0
        assert scores.ledger.total.dropped == {"no counterpart in the source": 2}


FOUND = {"Ida": ["Ida", "She"], "Eve": ["Eve", "her"]}
RECORDS = [{"name": name, "mentions": strings} for name, strings in FOUND.items()]
CUT_ANSWERS = (
    json.dumps(list(FOUND.values()), indent=1),
    json.dumps({"clusters": RECORDS}, indent=2),
    "\n".join(map(json.dumps, RECORDS)),
    f"```json\n{json.dumps(FOUND, indent=1)}\n```",
    f"Here they are:\n{json.dumps({'clusters': RECORDS}, indent=1)}",
)
NULLS = {"Ida": ["Ida", None, "", "She"], "Nobody": [], "Eve": ["Eve", "her"]}


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestShapesOfStrings:
    """What language models answer when they are asked for clusters as JSON."""

    @pytest.fixture
    def key(self, tmp_path: Path) -> Path:
        words = ["Ida", "met", "Eve", ".", "She", "saw", "her", "."]
        clusters = [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]
        others = ["Otto", "slept", ".", "He", "snored", "."]
        records = [
            {"doc_key": "x", "sentences": [words], "clusters": clusters},
            {"doc_key": "y", "sentences": [others], "clusters": [[[0, 0], [3, 3]]]},
        ]
        path = tmp_path / "key.jsonl"
        path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        return path

    @pytest.mark.parametrize(
        ("answer", "codes"),
        [
            (json.dumps(FOUND), []),
            (json.dumps(list(FOUND.values())), []),
            (json.dumps(RECORDS), []),
            ("\n".join(map(json.dumps, RECORDS)), []),
            (json.dumps({"clusters": RECORDS}), []),
            (json.dumps({"clusters": FOUND, "remark": "I am sure."}), []),
            (json.dumps({"entities": [{"id": 1, "mentions": FOUND["Ida"]}, RECORDS[1]]}), []),
            (f"```json\n{json.dumps(FOUND, indent=1)}\n```", []),
            (f"Here:\n```\n{json.dumps({'x': list(FOUND.values())})}\n```\nDone.", ["W181"]),
            (json.dumps({"x": RECORDS}), []),
            (f"Here they are:\n{json.dumps(FOUND)}\nAnything else?", ["W181"]),
            (f"{json.dumps(FOUND)}\n\nAnything else?", ["W181"]),
            (json.dumps(NULLS), ["W151", "W151"]),
            (json.dumps([FOUND["Ida"], None, FOUND["Eve"]]), ["W151"]),
        ],
    )
    def test_one_document(self, key: Path, tmp_path: Path, answer: str, codes: list[str]) -> None:
        path = tmp_path / "x.txt"
        path.write_text(answer, encoding="utf-8")
        response = cs.read(path)
        assert [finding.code.id for finding in response.findings] == codes
        scores = cs.score(cs.read(key).only("x"), response)
        assert scores.conll == 1 and scores.ledger is not None
        assert scores.ledger.total.style == "strings" and scores.ledger.total.exact == 4

    @pytest.mark.parametrize(
        "answer",
        [
            {"x": FOUND, "y": {"Otto": ["Otto", "He"]}},
            {"x": {"clusters": RECORDS}, "y": [["Otto", "He"]]},
            {"x": list(FOUND.values()), "y": [["Otto", "He"]]},
        ],
    )
    def test_documents_by_name(self, key: Path, tmp_path: Path, answer: object) -> None:
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(answer), encoding="utf-8")
        scores = cs.score(key, path)
        assert scores.conll == 1 and not scores.findings

    def test_null_among_what_may_be_ids(self, key: Path, tmp_path: Path) -> None:
        path = tmp_path / "answers.json"
        path.write_text('{"x": [["Ida", null, "She"], ["Eve", "her"]], "y": [["Otto", "He"]]}')
        with pytest.raises(cs.InvalidInput, match=r"null.*the format 'strings'.*E112"):
            cs.read(path)
        scores = cs.score(key, cs.read(path, "strings"))
        assert scores.conll == 1 and [f.code.id for f in scores.findings] == ["W151"]

    def test_ids_of_plain_json_stay_ids(self, tmp_path: Path) -> None:
        path = tmp_path / "ids.json"
        path.write_text(json.dumps({"x": [["Ida", "She"]], "y": []}), encoding="utf-8")
        assert cs.read(path).offsets.format == "json"
        assert cs.score(path, path).conll == 1

    @pytest.mark.parametrize("extension", ["json", "txt"])
    @pytest.mark.parametrize(
        ("answer", "status"),
        [
            *((each, "failed") for each in ("{}", "[]", '{"clusters": []}', "```json\n{}\n```")),
            *((each, "failed") for each in ("", "I cannot help.", "null")),
        ],
    )
    def test_no_document_disappears(
        self, key: Path, tmp_path: Path, answer: str, status: str, extension: str
    ) -> None:
        folder = tmp_path / "answers"
        folder.mkdir()
        (folder / f"a.{extension}").write_text(answer, encoding="utf-8")
        (folder / f"x.{extension}").write_text(json.dumps(FOUND), encoding="utf-8")
        (folder / f"y.{extension}").write_text(answer, encoding="utf-8")
        scores = cs.score(key, folder)
        assert scores.ledger is not None and not scores.missing
        assert {name: each.status for name, each in scores.ledger.documents.items()} == {
            "x": "ok",
            "y": status,
        }
        assert scores.mentions.recall_counts == (4, 6)
        codes = [finding.code.id for finding in scores.findings]
        assert ("W255" in codes) == (status == "failed")

    @pytest.mark.parametrize("whole", [json.dumps(FOUND), *CUT_ANSWERS], ids=range(6))
    def test_an_answer_that_is_cut_off_anywhere_is_read_as_far_as_it_goes(
        self, key: Path, tmp_path: Path, whole: str
    ) -> None:
        folder = tmp_path / "answers"
        folder.mkdir()
        (folder / "x.json").write_text(json.dumps(FOUND), encoding="utf-8")
        for end in range(1, len(whole.rstrip("`\n"))):
            if whole[:end].strip() == json.dumps(RECORDS[0]):
                continue  # One entity is a whole answer.
            for name in ("a.json", "y.json"):  # The first file, and the last one.
                (folder / name).write_text(whole[:end], encoding="utf-8")
            response = cs.read(folder, role="response")
            assert response.copies is not None
            listed = re.findall(r'(?:(?<=\[)|(?<=",))"(\w+)"', re.sub(r"\s", "", whole[:end]))
            complete = [each for each in listed if each != "mentions"]
            style = "strings" if complete else "none"
            styles = [copy.style for copy in response.copies]
            assert styles == [style, "strings", style], whole[:end]
            expected = ["W256" if complete else "W255"] * 2
            assert [each.code.id for each in response.findings] == expected
            found = response.only("y")
            assert list(map(str, found.mention_ids)) == complete, whole[:end]
        scores = cs.score(key, response)
        assert scores.ledger is not None and not scores.missing
        assert scores.ledger.documents["y"].status == "cut off"

    def test_a_damaged_answer_keeps_its_name(self, key: Path, tmp_path: Path) -> None:
        folder = tmp_path / "answers"
        folder.mkdir()
        for number, (name, found) in enumerate([("x", FOUND), ("y", {"Otto": ["Otto", "He"]})]):
            text = json.dumps({"doc_key": name, "clusters": found})
            (folder / f"{number}.json").write_text(text[: len(text) - 9 * number])
        scores = cs.score(key, folder)
        assert scores.ledger is not None and not scores.missing
        assert scores.ledger.documents["y"].status == "cut off"
        assert scores.ledger.documents["y"].exact == 1

    def test_damaged_json_may_be_an_answer_or_not(self, key: Path, tmp_path: Path) -> None:
        path = tmp_path / "y.json"
        path.write_text('{\n"Otto": ["Otto", "He', encoding="utf-8")
        for role in (None, "key", "response"):
            with pytest.raises(cs.InvalidInput, match=r"y.json:2: not JSON.*E111"):
                cs.read(path, role=role)
        with pytest.raises(cs.InvalidInput, match="E111"):
            cs.read(path, "strings", role="key")
        response = cs.read(path, "strings", role="response")
        first = response.findings[0]
        assert (first.code.id, first.line) == ("W256", 2)
        assert "is cut off (not JSON: it ends too early)" in first.message
        scores = cs.score(cs.read(key).only("y"), response)
        assert scores.ledger is not None and scores.ledger.documents["y"].status == "cut off"
        path.write_text('{\n"Otto": ["Otto" "He"]}', encoding="utf-8")
        response = cs.read(path, "strings", role="response")
        first = response.findings[0]
        assert (first.code.id, first.line) == ("W255", 2)
        assert "damaged or cut off (not JSON: Expecting" in first.message
        scores = cs.score(cs.read(key).only("y"), response)
        assert scores.ledger is not None and scores.ledger.documents["y"].status == "failed"

    def test_a_cut_off_file_of_several_documents_is_refused(
        self, key: Path, tmp_path: Path
    ) -> None:
        path = tmp_path / "answers.jsonl"
        lines = [json.dumps({"doc_key": name, "clusters": [["Ida"]]}) for name in "xy"]
        path.write_text("\n".join(lines)[:-3], encoding="utf-8")
        for format in (None, "strings"):
            with pytest.raises(cs.InvalidInput, match=r"answers.jsonl:2: not JSON.*E111"):
                cs.read(path, format)

    def test_a_folder_of_damaged_files_alone_is_refused(self, tmp_path: Path) -> None:
        for name in "xy":
            (tmp_path / f"{name}.json").write_text('{"Otto": ["Otto", "He', encoding="utf-8")
        with pytest.raises(cs.InvalidInput, match="E111"):
            cs.read(tmp_path)

    def test_strings_that_are_not_in_the_text_are_dropped(self, key: Path, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text('{"Zoe": ["Zoe", "nobody"]}', encoding="utf-8")
        scores = cs.score(cs.read(key).only("x"), tmp_path / "x.json")
        assert scores.ledger is not None and scores.conll == 0
        assert scores.ledger.total.dropped == {"no counterpart in the source": 2}
        assert "0 of 2" in scores.findings[0].message

    @pytest.mark.parametrize("name", ["x.txt", "x.json"])
    def test_json_around_tagged_text(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_text('{"text": "[Ida](#0) met [Eve](#1)."}', encoding="utf-8")
        with pytest.raises(cs.InvalidInput, match=r"JSON around tagged text.*E118"):
            cs.read(tmp_path / name)

    def test_two_files_of_strings_are_compared_by_their_strings(self, tmp_path: Path) -> None:
        path = tmp_path / "x.json"
        path.write_text(json.dumps(FOUND), encoding="utf-8")
        assert cs.score(path, path).conll == 1


def check_identities(ledger: Ledger) -> None:
    """What must add up in every ledger."""
    after = sum(n for reason, n in ledger.dropped.items() if reason not in BEFORE_PARSING)
    assert ledger.parsed == ledger.exact + ledger.edited + ledger.shrunk + after
    dropped = ledger.dropped.get
    no_name = dropped("no entity name", 0)
    assert ledger.opened == ledger.parsed + no_name + dropped("opened but never closed", 0)
    assert ledger.closed == ledger.parsed + no_name + dropped("closed but never opened", 0)
    words = ledger.words
    if ledger.status != "failed":
        kept = words.equal + words.respelt + words.replaced
        assert words.source == kept + words.deleted + ledger.missing_tail
        assert words.output == kept + words.inserted + ledger.outside


ADDED = ["[", "]", "new ", "</m>", "<b>", "](#7)", "](#a b)", "<think>", "</think>", "Rock. She "]


@given(
    style=st.sampled_from(sorted(set(TEMPLATES))),
    document=st.sampled_from([LIGHTHOUSE, BAKERY]),
    cuts=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 30)), max_size=4),
    added=st.lists(
        st.tuples(st.integers(0, 400), st.sampled_from(ADDED)),
        max_size=4,
    ),
    again=st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400)),
)
def test_ledgers_add_up_after_any_damage(
    style: str,
    document: SampleDocument,
    cuts: list[tuple[int, int]],
    added: list[tuple[int, str]],
    again: tuple[int, int, int],
) -> None:
    text = tagged(document, style)
    begin, end, place = again
    text = text[:place] + text[begin:end] + text[place:]
    for place, size in cuts:
        text = text[:place] + text[place + size :]
    for place, more in added:
        text = text[:place] + more + text[place:]
    parsed = parse(text, style_of(text))
    copy = text_of([parsed.text])
    entity_of: dict[str, int] = {}
    mentions = []
    for label, begin, end in parsed.mentions:
        letters = Stretch(*(len("".join(parsed.text[:edge].split())) for edge in (begin, end)))
        mentions.append((entity_of.setdefault(label, len(entity_of)), letters))
    unclosed, nameless, thoughts = (
        [
            Stretch(*(len("".join(parsed.text[:edge].split())) for edge in each))
            for each in stretches
        ]
        for stretches in (parsed.copy.undecided, parsed.copy.nameless, parsed.copy.asides)
    )
    marks = Marks(unclosed=unclosed, nameless=nameless, thoughts=thoughts)
    check_identities(carried(text_of(document.words), copy, parsed.copy, marks, mentions).ledger)


def test_copy_without_words() -> None:
    empty = Copy(style="none", opened=0, closed=0)
    ledger = carried(text_of(["Ida"]), text_of([]), empty, Marks(), []).ledger
    assert ledger.status == "failed" and ledger.words.source == 1


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestSharedCases:
    @pytest.mark.parametrize(
        "style",
        ["markdown", "prefix", "seq2seq", "subscript", "suffix", "xml-id", "xml-name"],
    )
    def test_clean(self, style: str) -> None:
        scores = cs.score(
            CASES / "conll2012/both.conll", CASES / "llm-clean" / style, singletons="drop"
        )
        assert scores.conll == 1

    def test_crac(self) -> None:
        path = CASES / "llm-clean/crac-plaintext/both.txt"
        assert cs.score(CASES / "conll2012/both.conll", path, singletons="drop").conll == 1

    def test_strings(self) -> None:
        path = CASES / "llm-clean/json-strings/both.jsonl"
        assert cs.score(CASES / "conll2012/both.conll", path, singletons="drop").conll == 1

    def test_damaged(self) -> None:
        key = cs.read(CASES / "conll2012/both.conll")
        folder = CASES / "llm-damaged"
        cases: dict[str, Any] = json.loads((folder / "expected_ledgers.json").read_text())
        for name, expected in cases.items():
            document = next(each for each in key.document_names if expected["source"] in each)
            options = MatchingOptions(pair_by="position")
            matching = match_corpora(key.only(document), cs.read(folder / name, "tagged"), options)
            assert matching.ledger is not None
            record = to_builtins(ledger_record(matching.ledger.documents[document]))
            assert record == expected["ledger"], name
            check_identities(matching.ledger.documents[document])
            (found,) = matching.response
            entities = {e.label: [(m.start, m.end) for m in e] for e in found.entities}
            assert entities == {
                label: [(m["first"], m["last"]) for m in mentions]
                for label, mentions in expected["entities"].items()
            }
