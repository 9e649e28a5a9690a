"""brat: three ways to say what belongs together, and what is not a mention."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope as cs
from formats.contents import codes, entities, partition, refusal, written

TEXT = "Ann met Bob. She liked him."
MARKS = """T1\tPER 0 3\tAnn
T2\tPER 8 11\tBob
T3\tPER 13 16\tShe
T4\tPER 23 26\thim
"""
ANN, MET, BOB, SHE, LIKED, HIM = (0, 0), (1, 1), (2, 2), (4, 4), (5, 5), (6, 6)
PAIRS = {frozenset({ANN, SHE}), frozenset({BOB, HIM})}


def brat(folder: Path, annotations: str, text: str = TEXT, name: str = "x") -> str:
    written(folder / f"{name}.txt", text)
    return written(folder / f"{name}.ann", annotations)


LINKS = {
    "Equiv": "*\tEquiv T1 T3\n*\tEquiv T2 T4\n",
    "Equiv lines that share members": "*\tEquiv T3 T1\n*\tEquiv T1 T3\n*\tEquiv T4 T2\n",
    "relations": "R1\tCoreference Arg1:T3 Arg2:T1\nR2\tIDENT Anaphor:T4 Antecedent:T2\t\n",
    "types": "T5\tann-0 0 3\tAnn\nT6\tann-0 13 16\tShe\n"
    "T7\tbob-1 8 11\tBob\nT8\tbob-1 23 26\thim\n",
    "events": "*\tEquiv E1 E2\nE1\tPER:T1\nE2\tPER:T3 Theme:T2\n*\tEquiv T2 T4\n",
    "lines that are not read": "A1\tNegation T1\nN1\tReference T1 Wikidata:Q1\tAnn\n"
    "#1\tAnnotatorNotes T1\tsure?\n\n*\tEquiv T1 T3\r\n*\tEquiv T2 T4",
}


@pytest.mark.parametrize("links", LINKS.values(), ids=LINKS)
def test_entities(links: str, tmp_path: Path) -> None:
    corpus = cs.read(brat(tmp_path, MARKS + links))
    assert partition(corpus["x"]) == PAIRS
    assert not corpus.findings


def test_a_line_that_links_nothing(tmp_path: Path) -> None:
    """The rest of it may be cut off."""
    corpus = cs.read(brat(tmp_path, f"{MARKS}*\tEquiv T1\n*\tEquiv T2 T4\n"))
    assert codes(corpus) == ["W157"] and corpus.findings[0].line == 5
    assert frozenset({ANN}) in partition(corpus["x"])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_of_links_that_ends_in_a_blank(end: str, tmp_path: Path) -> None:
    corpus = cs.read(brat(tmp_path, f"{MARKS}*\tEquiv T1 T3 {end}*\tEquiv T2 T4{end}"))
    assert codes(corpus) == ["W157"] and corpus.findings[0].line == 5
    assert "is the rest missing?" in corpus.findings[0].message


def test_relations_that_are_not_identity(tmp_path: Path) -> None:
    links = (
        "R1\tcop Arg1:T3 Arg2:T1\nR2\tbridging_anaphor Arg1:T4 Arg2:T2\nR3\tcop Arg1:T1 Arg2:T2\n"
    )
    path = brat(tmp_path, MARKS + links)
    corpus = cs.read(path)
    assert codes(corpus) == ["W160", "W160", "W116"]
    assert "cop (2), bridging_anaphor (1)" in corpus.findings[0].message
    chosen = cs.read(path, "brat:relations=bridging_anaphor+cop")
    assert partition(chosen["x"]) == {frozenset({ANN, BOB, SHE, HIM})}
    assert not chosen.findings
    assert ("E138", None) in refusal(lambda: cs.read(path, "brat:relations=coref"))


READ = (
    "IDENT ident_coref IdentityRel CorefIdent sameAs SAME-AS is_same ident2 Ana cata anaphoric "
    "CoRef Co-Ref Co-reference co_reference"
)
UNUSUAL = "coref_participant pron:ident2:x SamePerson hasCorefAntecedent"
NOT_READ = (
    "President_of incident resident PresidentOf RESIDENT identifies sesame Banana bridging_ident "
    "coref_part part-of-same PartialCoref split_coref non-identity NonCoref nocoref no_coref "
    "not_ident NotSame near_identity NonCoRef taco_reference"
)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((name, None) for name in READ.split()),
        *((name, "read as identity") for name in UNUSUAL.split()),
        *((name, "not read") for name in NOT_READ.split()),
    ],
)
def test_words_of_names_mean_identity(name: str, said: str | None, tmp_path: Path) -> None:
    """The word must begin like one that means identity: a president is not identical."""
    links = f"R1\t{name} Arg1:T3 Arg2:T1\nR2\tcoref Arg1:T2 Arg2:T4\n"
    corpus = cs.read(brat(tmp_path, MARKS + links))
    apart = {frozenset({ANN}), frozenset({SHE}), frozenset({BOB, HIM})}
    assert partition(corpus["x"]) == (apart if said == "not read" else PAIRS)
    assert codes(corpus) == ([] if said is None else ["W160"])
    messages = [finding.message for finding in corpus.findings]
    assert all(f"{name} (1)" in each and str(said) in each for each in messages)
    told = cs.read(brat(tmp_path, MARKS + links), f"brat:relations={name}+coref")
    assert (partition(told["x"]), told.findings) == (PAIRS, ())


def test_annotations_without_a_link(tmp_path: Path) -> None:
    """Those whose type occurs with a link are entities, the others are counted."""
    links = "T5\tPLACE 4 7\tmet\nT6\tEVENT 17 22\tliked\n*\tEquiv T1 T3\n"
    path = brat(tmp_path, MARKS + links)
    corpus = cs.read(path)
    assert partition(corpus["x"]) == {frozenset({ANN, SHE}), frozenset({BOB}), frozenset({HIM})}
    (finding,) = corpus.findings
    assert finding.code.id == "W160"
    assert "2 annotations" in finding.message and "brat:types=EVENT+PER+PLACE" in finding.message
    one = cs.read(brat(tmp_path, MARKS + links.partition("\n")[2])).findings[0]
    assert one.message.startswith("1 annotation is not read as a mention, because nothing of its")
    path = brat(tmp_path, MARKS + links)
    chosen = cs.read(path, "brat:types=PER+EVENT")
    assert frozenset({LIKED}) in partition(chosen["x"])
    assert frozenset({MET}) not in partition(chosen["x"])


def test_what_is_left_out_is_counted_over_all_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        brat(tmp_path, MARKS + "T5\tEVENT 4 7\tmet\n" + LINKS["Equiv"], name=name)
    (finding,) = cs.read(tmp_path).findings
    assert "EVENT (2)" in finding.message
    assert finding.file == str(tmp_path)


def test_an_option_is_about_all_files(tmp_path: Path) -> None:
    """A text may have no relation of the kind that others have."""
    brat(tmp_path, MARKS + "R1\tsibling Arg1:T1 Arg2:T2\n", name="a")
    brat(tmp_path, MARKS, name="b")
    assert len(cs.read(tmp_path, "brat:relations=sibling")) == 2


def test_types_that_are_linked_do_not_name_entities(tmp_path: Path) -> None:
    marks = MARKS.replace("PER", "level-1")
    corpus = cs.read(brat(tmp_path, marks + LINKS["Equiv"]))
    assert partition(corpus["x"]) == PAIRS


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        ("*\tEquiv T1 T3\n", ["W160"]),
        ("R1\tcoref Arg1:T1 Arg2:T3\n", ["W160"]),
        ("*\tEquiv T1 T3\nR1\tcop Arg1:T1 Arg2:T2\n", ["W160", "W160"]),
        ("R1\tcop Arg1:T1 Arg2:T2\n", ["W160", "W160", "W116"]),
    ],
)
def test_a_numbered_type_beside_links_names_no_entity(
    relation: str, found: list[str], tmp_path: Path
) -> None:
    marks = MARKS + "T5\tVirus-2 4 7\tmet\nT6\tVirus-2 17 22\tliked\n"
    corpus = cs.read(brat(tmp_path, marks + relation))
    assert codes(corpus) == found
    assert any("Virus-2 (2)" in f.message for f in corpus.findings if f.code.id == "W160")
    assert frozenset({MET, LIKED}) not in partition(corpus["x"])
    assert not {frozenset({MET}), frozenset({LIKED})} & partition(corpus["x"])


def test_a_second_annotation_names_the_entity_beside_links(tmp_path: Path) -> None:
    """LitBank has relations between mentions, too."""
    corpus = cs.read(brat(tmp_path, MARKS + LINKS["types"] + "R1\tcop Arg1:T1 Arg2:T2\n"))
    assert partition(corpus["x"]) == PAIRS
    assert codes(corpus) == ["W160"]


def test_numbered_types_alone_name_entities(tmp_path: Path) -> None:
    assert partition(cs.read(brat(tmp_path, LINKS["types"]))["x"]) == PAIRS


def test_levels_and_types_of_litbank(tmp_path: Path) -> None:
    marks = (
        "T1\tPROP_PER 0 3\tAnn\nT2\tann-0 0 3\tAnn\nT3\tPRON_PER 13 16\tShe\nT4\tann-0 13 16\tShe\n"
    )
    document = cs.read(brat(tmp_path, marks))["x"]
    assert entities(document) == [("ann-0", [ANN, SHE])]
    assert document.attributes == {ANN: ("PER", "NAM"), SHE: ("PER", "PRO")}


def test_gaps(tmp_path: Path) -> None:
    marks = "T1\tPER 0 3;8 11\tAnn Bob\nT2\tPER 13 16\tShe\n*\tEquiv T1 T2\n"
    (entity,) = partition(cs.read(brat(tmp_path, marks))["x"])
    assert entity == {(ANN, BOB), SHE}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\u2028"])
def test_line_breaks_of_the_text_are_kept(newline: str, tmp_path: Path) -> None:
    text = f"Ann{newline}met{newline}her."
    begin = text.index("her")
    marks = f"T1\tPER 0 3\tAnn\nT2\tPER {begin} {begin + 3}\ther\n*\tEquiv T1 T2\n"
    document = cs.read(brat(tmp_path, marks, text))["x"]
    assert document.text == text
    assert document.words == ["Ann", "met", "her", "."]
    assert partition(document) == {frozenset({(0, 0), (2, 2)})}


def test_tokens_are_divided_at_mentions(tmp_path: Path) -> None:
    document = cs.read(
        brat(tmp_path, "T1\tPER 0 3\tAnn\nT2\tPER 3 6\tBob\n*\tEquiv T1 T2\n", "AnnBob")
    )["x"]
    assert document.words == ["Ann", "Bob"]
    assert document.characters == [(0, 3), (3, 6)]


def test_a_text_without_annotations(tmp_path: Path) -> None:
    brat(tmp_path, "", name="a")
    brat(tmp_path, MARKS + LINKS["Equiv"], name="b")
    corpus = cs.read(tmp_path)
    assert [len(document.entities) for document in corpus] == [0, 2]
    assert not corpus.findings


BROKEN = {
    "no such line": ("Q1\tPER 0 3\tAnn\n", [("E135", 5)]),
    "no numbers": ("T5\tPER a b\tAnn\n", [("E135", 5)]),
    "blanks instead of tabs": ("T5 PER 0 3 Ann\n", [("E135", 5)]),
    "huge numbers": (f"T5\tPER 0 {'9' * 5000}\tAnn\n", [("E135", 5)]),
    "a number twice": ("T1\tPER 8 11\tBob\n", [("E135", 5)]),
    "an unknown end": ("R1\tCoref Arg1:T1 Arg2:T9\n", [("E135", 5)]),
    "beyond the text": ("T5\tPER 20 40\thim\n*\tEquiv T1 T5\n", [("E113", None)]),
    "an end before the beginning": ("T5\tPER 8 4\tmet\n*\tEquiv T1 T5\n", [("E113", None)]),
}


@pytest.mark.parametrize(("more", "findings"), BROKEN.values(), ids=BROKEN)
def test_errors(more: str, findings: list[tuple[str, int | None]], tmp_path: Path) -> None:
    path = brat(tmp_path, MARKS + more)
    found = [each for each in refusal(lambda: cs.read(path)) if each[0].startswith("E")]
    assert found == findings


def test_the_text_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "x.ann", MARKS)
    assert refusal(lambda: cs.read(path)) == [("E108", None)]


@pytest.mark.parametrize(("data", "code"), [(b"Ann\0met", "E107"), (b"Ann \xffmet", "W107")])
def test_bytes_of_the_text(data: bytes, code: str, tmp_path: Path) -> None:
    brat(tmp_path, "T1\tPER 0 3\tAnn\nT2\tPER 5 8\tmet\n*\tEquiv T1 T2\n")
    (tmp_path / "x.txt").write_bytes(data)
    try:
        findings = cs.read(tmp_path).findings
    except cs.InvalidInput as error:
        findings = tuple(error.findings)
    assert [(finding.code.id, finding.file) for finding in findings] == [
        (code, str(tmp_path / "x.txt"))
    ]


words = st.text(alphabet=string.ascii_letters + "é漢", min_size=1, max_size=6) | st.just("😀")


@st.composite
def documents(draw: st.DrawFn) -> tuple[list[str], str, list[list[list[tuple[int, int]]]]]:
    """Words, the text between them, and entities of mentions that may have gaps and nest."""
    text = draw(st.lists(words, min_size=1, max_size=12))
    blank = draw(st.sampled_from([" ", "\n", "\r\n", " \n\n "]))
    last = len(text) - 1
    tokens = st.sets(st.integers(0, last), min_size=1, max_size=3)
    entity = st.lists(tokens, min_size=2, max_size=4, unique_by=frozenset)
    return (
        text,
        blank,
        [
            [[(token, token) for token in sorted(mention)] for mention in each]
            for each in draw(st.lists(entity, min_size=1, max_size=3))
        ],
    )


def as_brat(text: list[str], blank: str, clusters: list[list[list[tuple[int, int]]]]) -> str:
    """A tiny writer, which writes each token of a mention as a stretch of its own."""
    begins, end = [], 0
    for word in text:
        begins.append(end)
        end += len(word) + len(blank)
    lines, number = [], 0
    for cluster in clusters:
        ids = []
        for mention in cluster:
            number += 1
            ids.append(f"T{number}")
            stretches = [f"{begins[a]} {begins[b] + len(text[b])}" for a, b in mention]
            words_of = " ".join(text[a] for a, _ in mention)
            lines.append(f"T{number}\tPER {';'.join(stretches)}\t{words_of}")
        lines.append("*\tEquiv " + " ".join(ids))
    return "\n".join(lines) + "\n"


def tokens_of(id: object) -> frozenset[int]:
    parts = id if isinstance(id, tuple) and isinstance(id[0], tuple) else (id,)
    return frozenset(t for first, last in parts for t in range(first, last + 1))


@given(documents())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    document: tuple[list[str], str, list[list[list[tuple[int, int]]]]],
) -> None:
    text, blank, clusters = document
    folder = tmp_path_factory.getbasetemp() / "brat"
    folder.mkdir(exist_ok=True)
    read = cs.read(brat(folder, as_brat(text, blank, clusters), blank.join(text)))["x"]
    assert read.words == text
    found = [{tokens_of(mention.id) for mention in entity} for entity in read.entities]
    expected = [{frozenset(a for a, _ in mention) for mention in each} for each in clusters]
    assert sorted(map(sorted, (map(sorted, e) for e in found))) == sorted(
        map(sorted, (map(sorted, e) for e in expected))
    )


def test_an_empty_file_without_its_text(tmp_path: Path) -> None:
    path = written(tmp_path / "x.ann", "")
    with pytest.raises(cs.InvalidInput, match=r"the extension \.txt beside this one.*E108"):
        cs.read(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Zoe\u0301's dog", ["Zoe\u0301", "'", "s", "dog"]),
        ("हिन्दी है", ["हिन्दी", "है"]),
        ("❤\ufe0f Ann", ["❤", "\ufe0f", "Ann"]),
    ],
)
def test_accents_belong_to_their_letters(text: str, words: list[str], tmp_path: Path) -> None:
    written(tmp_path / "x.txt", text)
    corpus = cs.read(written(tmp_path / "x.ann", ""))
    assert corpus["x"].words == words
