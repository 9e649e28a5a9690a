"""Which tag set a text has, what universal tags become, and what does not suit English tables."""

from __future__ import annotations

import re

import pytest

from corefscope.findings import Finding
from corefscope.language import LanguageCheck, MentionType, Text
from corefscope.language.english import ENGLISH
from corefscope.language.tag_sets import TagSet, tag_set

PENN = "The/DT growing/VBG firm/NN 's/POS chief/NN ,/, who/WP met/VBD Ann/NNP ,/, left/VBD it/PRP"
UNIVERSAL = (
    "The/DET growing/VERB firm/NOUN 's/PART chief/NOUN ,/PUNCT who/PRON met/VERB Ann/PROPN "
    ",/PUNCT left/VERB it/PRON"
)
STTS = "Ich/PPER sah/VVFIN Karl/NE und/KON die/ART Frau/NN ,/$, die/PRELS ihn/PPER sah/VVFIN"
ENGLISH_WORDS = re.findall(r"\w+", "When the captain had seen that it was lost she told them to go")
GERMAN_WORDS = re.findall(r"\w+", "Als der Graf das gesehen hatte, rief er nach seinem Diener")


def text(tagged: str) -> Text:
    """One sentence of tokens ``word/TAG``."""
    words, tags = zip(*(token.rsplit("/", 1) for token in tagged.split()), strict=True)
    return Text(list(words), [range(len(words))], list(tags))


def untagged(words: list[str], times: int = 1) -> Text:
    return Text(words * times, [range(len(words) * times)])


def found(*texts: Text, features: bool = False, levels: bool = False) -> list[Finding]:
    check = LanguageCheck()
    for each in texts:
        check.add(each)
    return list(check.findings("key.conll", features=features, levels=levels))


@pytest.mark.parametrize(
    ("tagged", "expected"),
    [
        (PENN, TagSet.TREEBANK),
        (UNIVERSAL, TagSet.UNIVERSAL),
        (STTS, TagSet.OTHER),
        ("(/-LRB- ``/`` -/HYPH $/$ xx/XX ./.", TagSet.TREEBANK),
        ("a/- b/_ c/XX Ann/NNP", TagSet.TREEBANK),
        ("a/- b/_ c/XX Ann/NE", TagSet.OTHER),
    ],
)
def test_the_tag_set_of_a_text(tagged: str, expected: TagSet) -> None:
    assert text(tagged).tag_set is expected


@pytest.mark.parametrize(("known", "expected"), [(9, TagSet.TREEBANK), (8, TagSet.OTHER)])
def test_one_tag_in_ten_may_be_unknown(known: int, expected: TagSet) -> None:
    assert tag_set(["NNP"] * known + ["?"] * (10 - known), ENGLISH) is expected


@pytest.mark.parametrize("tags", [None, ["XX", "VERB", "-"], ["_", "_", "*"]])
def test_placeholders_are_no_tags(tags: list[str] | None) -> None:
    """OntoNotes has XX and VERB where it has no parse; names are then told by capitals."""
    words = Text(["we", "saw", "Paris"], [range(3)], tags)
    assert words.tags is None and words.tag_set is None
    assert words.mention_type(2, 2) is MentionType.NAME


@pytest.mark.parametrize("span", [(0, 2), (0, 4), (0, 8), (6, 6), (8, 8), (11, 11), (4, 8)])
def test_universal_tags_equal_penn_tags(span: tuple[int, int]) -> None:
    penn, universal = text(PENN), text(UNIVERSAL)
    assert universal.mention_type(*span) is penn.mention_type(*span)
    assert universal.head(*span) == penn.head(*span)


def test_mention_types_from_universal_tags() -> None:
    german = text("Ich/PRON sah/VERB Karl/PROPN und/CCONJ die/DET alte/ADJ Frau/NOUN ./PUNCT")
    spans = [(0, 0), (2, 2), (4, 6)]
    assert [german.mention_type(*span) for span in spans] == ["pronoun", "name", "nominal"]


def test_universal_tags_and_words_give_penn_tags() -> None:
    tagged = "that/PRON her/PRON they/PRON someone/PRON to/PART not/PART where/ADV fast/ADV $/SYM"
    assert text(tagged).tags == ["WDT", "PRP$", "PRP", "NN", "TO", "RB", "WRB", "RB", "$"]


def test_translated_tags_are_treebank_tags() -> None:
    made = {*ENGLISH.universal_tags.values(), *ENGLISH.universal_words.values()}
    assert made <= ENGLISH.tags
    assert {tag for tag, _ in ENGLISH.universal_words} <= set(ENGLISH.universal_tags)


def test_english_tables_use_treebank_tags() -> None:
    scan = ENGLISH.scan_rules
    cues = (scan.boundary, scan.conjunction, scan.possessive, scan.participle, scan.modifier)
    used = ENGLISH.pronoun_tags | ENGLISH.name_tags | ENGLISH.candidate_tags
    assert used.union(*(cue.tags for cue in cues)) <= ENGLISH.tags


def test_other_tags_are_reported_once() -> None:
    (finding,) = found(text(PENN), text(STTS), text(STTS))
    assert finding.code.id == "W408" and finding.file == "key.conll"
    assert finding.message.startswith("2 of 3 documents")
    assert "such as 'PPER', 'VVFIN', 'NE', 'KON', 'ART';" in finding.message
    assert "not meaningful; map the tags to one of these" in finding.message
    assert "mention_levels" not in finding.message
    assert "mention_levels" in found(text(STTS), levels=True)[0].message


@pytest.mark.parametrize(
    "texts",
    [
        [text(PENN)],
        [text(UNIVERSAL)],
        [untagged(ENGLISH_WORDS, 100)],
        [untagged(["Ann", "slept"])],
        [untagged(GERMAN_WORDS)],
        [untagged(["_"], 1000)],
        [untagged(["12", ",", "3.5"], 1000)],
    ],
)
def test_no_alarm_for_english_tiny_and_masked_texts(texts: list[Text]) -> None:
    assert found(*texts, features=True) == []


def test_foreign_words_without_tags() -> None:
    assert found(untagged(ENGLISH_WORDS, 100), untagged(GERMAN_WORDS, 100)) == []
    (finding,) = found(untagged(GERMAN_WORDS, 100))
    assert finding.code.id == "W408"
    assert "the only document has no part-of-speech tags" in finding.message
    assert "(0 of 1,000 words are common English words)" in finding.message


def test_small_documents_are_judged_together() -> None:
    """A document of 11 words says little, but nineteen of them have more than 200."""
    assert found(*[untagged(GERMAN_WORDS)] * 18) == []
    (finding,) = found(*[untagged(GERMAN_WORDS)] * 19)
    assert "19 of 19 documents" in finding.message
    assert found(*[untagged(ENGLISH_WORDS)] * 100) == []


def test_known_tags_on_foreign_words() -> None:
    tags = [f"{word}/PRON" for word in GERMAN_WORDS * 20]
    german = text(" ".join(tags))
    assert found(german) == []
    (finding,) = found(german, features=True)
    assert "gender, number and person of pronouns come from an English list" in finding.message
