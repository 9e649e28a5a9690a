"""What annotation tools write."""

from __future__ import annotations

import re
from pathlib import Path

from corefscope.corpus.offsets import CHARACTERS, Convention
from corefscope.formats.detection import XML, Head, line, start
from corefscope.formats.directories import is_there
from corefscope.formats.reading.options import OFFSETS
from corefscope.formats.registry import Format, Tier
from corefscope.formats.writing.abilities import BLANKS, NAMES, OVERLAPS, TEXT, Feature, Writing

BRAT = rb"T\d+\t[^\s\t]+ \d+ \d+|R\d+\t\S+ \S+:T\d+ \S+:T\d+|\*\tEquiv T\d+ "
WITH_PROPERTIES = rb'(?!\s*\{\s*").*\{[^\s:{}"]+:[^\s="{}]+="'
"""A mention of SACR. Objects of JSON begin with a quotation mark."""
SACR_COMMENT = rb"#(title|textid|COLOR):"
SIMPLE_MENTION = r'\{[^\s:{}"=]+:? [^{}]'
QUOTED = r'[\[{\s]*"'
"""The beginning of JSON with a string."""


def is_brat(head: Head) -> str | None:
    """Recognise annotations of a text."""
    return (
        "lines such as 'T1⇥PER 0 5⇥text'" if any(map(re.compile(BRAT).match, head.lines)) else None
    )


def is_sacr(head: Head) -> str | None:
    """Recognise braces with properties, the extension, or the first lines that SACR writes."""
    if any(map(re.compile(WITH_PROPERTIES).match, head.lines)):
        return 'text with braces such as {anna:type="x" …}'
    if b"\0" in head.data or re.match(QUOTED, head.text):
        return None
    if head.name.endswith(".sacr"):
        return "the extension .sacr"
    comments = filter(None, map(re.compile(SACR_COMMENT).match, head.lines))
    names = {comment[1].decode() for comment in comments}
    # Other files may have a title as well.
    is_one = names - {"title"} or (names and re.search(SIMPLE_MENTION, head.text))
    return f"a line with #{min(names)}:" if is_one else None


def is_label_studio(head: Head) -> str | None:
    """Recognise tasks with data and annotations, either of which may be far behind the other."""
    found = head.fields & {"annotations", "completions", "predictions"} if head.is_json else None
    is_one = found and ("data" in head.fields or '"result"' in head.text)
    return f"the field {min(found)} with results" if found and is_one else None


PROJECT = (".mmax", ".xml", ".dtd", ".xsl", ".css")
"""The extensions of files that belong to a project of MMAX2."""


def is_part_of_project(file: Path) -> bool:
    """Return whether a file belongs to the words of an MMAX2 project, which are read."""
    name = file.name.removesuffix(".gz")
    if not name.endswith(PROJECT) or name.endswith("_words.xml"):
        return False
    near = [*file.parents][:3]
    if any((folder / "common_paths.xml").is_file() for folder in near):
        return True
    if any((folder / words).is_dir() for folder in near[:2] for words in ("Basedata", "basedata")):
        return True
    stem = name.removesuffix(".mmax") if name.endswith(".mmax") else name.removesuffix("_level.xml")
    while stem and stem != name:
        if is_there(file.with_name(stem + "_words.xml")):
            return True
        stem, _, _ = stem.rpartition("_")
    return False


FORMATS = (
    Format(
        name="webanno",
        title="TSV of WebAnno and INCEpTION",
        module="corefscope.extensions.annotation_tools.webanno",
        is_linked=True,
        tier=Tier.LINES,
        test=start("its first line is #FORMAT=WebAnno TSV 3", rb"#FORMAT=WebAnno TSV 3"),
        endings=(".tsv",),
        options=("relations",),
    ),
    Format(
        name="litbank",
        title="TSV of LitBank",
        module="corefscope.extensions.annotation_tools.litbank",
        is_linked=True,
        tier=Tier.LINES,
        test=line(
            "lines with MENTION or COREF and a number such as T1", rb"(MENTION|COREF)\tT\d+\t"
        ),
        endings=(".ann", ".tsv"),
        companions=(".txt",),
        options=OFFSETS,
        convention=Convention(0, "inclusive", "sentence"),
    ),
    Format(
        name="brat",
        may_be_empty=".ann",
        title="brat annotations",
        module="corefscope.extensions.annotation_tools.brat",
        is_linked=True,
        tier=Tier.LINES,
        test=is_brat,
        endings=(".ann",),
        companions=(".txt",),
        options=("relations", "types", *OFFSETS),
        convention=CHARACTERS,
        writing=Writing(
            module="corefscope.extensions.annotation_tools.brat",
            type_test="is_type",
            is_folder=True,
            features=OVERLAPS | {Feature.GAPS, Feature.TYPES},
            layers=frozenset({TEXT, NAMES, BLANKS}),
        ),
    ),
    Format(
        name="sacr",
        may_be_empty=".sacr",
        title="SACR",
        module="corefscope.extensions.annotation_tools.sacr",
        tier=Tier.LINES,
        test=is_sacr,
        endings=(".sacr",),
    ),
    Format(
        name="mmax2",
        title="MMAX2",
        module="corefscope.extensions.annotation_tools.mmax2",
        is_linked=True,
        tier=Tier.BYTES,
        test=start("its root element", XML + rb"<(?:\w+:)?(words|markables|mmax_project)\b"),
        endings=("_words.xml", ".mmax"),
        owns=is_part_of_project,
        options=("level", "attribute", "ids"),
    ),
    Format(
        name="label-studio",
        title="JSON of Label Studio",
        module="corefscope.extensions.annotation_tools.label_studio",
        is_nameless=True,
        is_linked=True,
        several_annotators=True,
        test=is_label_studio,
        endings=(".json",),
        options=("relations", "annotator", *OFFSETS),
        convention=CHARACTERS,
    ),
)
