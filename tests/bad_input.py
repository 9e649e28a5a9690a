"""A minimal input for every finding, and the command that shows it.

The inputs of `READING` show their finding wherever they are read, whatever the command. Those of
`COMPARING` and `WRITING` need a command of their own. `KEY` is good, and stands beside all of them
as ``key.conll``.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import corefscope as cs
from corefscope import CannotExpress, InvalidInput, read
from corefscope.choices import ZerosFrom
from corefscope.corpus import Corpus
from corefscope.extending import BROKEN, GROUP, Registry, others
from corefscope.extensions.adapters import CorefEvaluator
from corefscope.extensions.adapters.documents import Reporter
from corefscope.extensions.adapters.spacy import score_examples
from corefscope.extensions.corefud_scorer.crac.codes import (
    CLEANED_AWAY,
    MOVED_ZEROS,
    NODE_AT_WORD,
    OTHER_LINE,
)
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.extensions.universal_anaphora.scoring import score_universal_anaphora
from corefscope.findings import AnyCode, Code, Finding
from corefscope.formats.registry import writings
from corefscope.inputs import as_corpus
from corefscope.options import make_options
from corefscope.scoring.measure import score_corpora
from corefud_text import corefud, corpus_of
from live_objects import FastcorefResult, SpacyDoc, coreferee_doc

KEY = b"#begin document x\nthe\t(1\ncat\t1)\nsat\t-\nit\t(1)\n#end document\n"
KEY_WORDS = (b"the", b"cat", b"sat", b"it")
RECORD = b'{"doc_key": "x", "sentences": [["the", "cat", "sat", "it"]], "clusters": [%s]}\n'


@dataclass(frozen=True, slots=True)
class BadInput:
    """Files, a command line, and what is found where."""

    code: Code
    files: Mapping[str, bytes]
    line: int | None = None
    """The line that is named, if one is."""
    command: str = ""
    """The command line, if the finding needs a certain one."""
    also: frozenset[Code] = field(default=frozenset())
    """What else is found, and cannot be avoided."""
    names_folder: bool = True
    """Of a file in a folder: whether the finding is about the folder."""

    @property
    def file(self) -> str:
        """The file that is named."""
        return next(iter(self.files))

    def write(self, directory: Path) -> None:
        """Write the files, and the good key beside them."""
        for name, data in {"key.conll": KEY, **self.files}.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def changed(old: bytes, new: bytes) -> dict[str, bytes]:
    """The key with a part of it replaced, as a response."""
    assert old in KEY
    return {"bad.conll": KEY.replace(old, new)}


def _headed(name: str, field: str, heads: str) -> bytes:
    """A line with a mention of two words, and heads of words or mentions."""
    record = {"doc_key": name, "sentences": [["the", "cat"]], "clusters": [[[0, 1]]]}
    return json.dumps({**record, field: json.loads(heads)}).encode() + b"\n"


def json_line(clusters: bytes) -> dict[str, bytes]:
    return {"bad.jsonl": RECORD % clusters}


NAMES = b"""#begin document x
x 0 0 the DT (NP* - - - - *
x 0 1 cat NN *) - - - - (PERSON)
#end document
"""
"""CoNLL-2012 columns without the last."""
NUMBERED = b"""#begin document x
1\tthe\t(1
2\tcat\t1)
3-4\tsatit\t%s
3\tsat\t-
4\tit\t(1)
#end document
"""
MULTIWORD = frozenset({Code.IRREGULAR})
EXTRA_COLUMN = re.sub(rb"(\t.*)", rb"\1\t-", KEY)
"""The key with one more column behind the coreference column."""

READING = [
    BadInput(Code.UNBALANCED, changed(b"sat\t-", b"sat\t1)"), 4),
    BadInput(Code.UNBALANCED, changed(b"sat\t-", b"sat\t(1"), 4),
    BadInput(Code.BAD_LINE, changed(b"sat\t-", b"sat\t()"), 4),
    BadInput(Code.BAD_LINE, changed(b"sat\t-", b"sat\t1"), 4),
    BadInput(Code.BAD_SHAPE, {"bad.conll": b"the\t-\n"}, 1),
    BadInput(Code.OTHER_KIND, {"bad.txt": b"\nSome text.\n"}),
    BadInput(Code.OTHER_KIND, {"bad.json": b"[1, 2]"}),
    BadInput(Code.NO_DOCUMENT, {"bad.conll": b""}, 1),
    BadInput(Code.NO_DOCUMENT, {"bad.conll": b"\n\n"}, 1),
    BadInput(Code.SAME_DOCUMENT, {"bad.conll": KEY + KEY}, 7),
    BadInput(Code.SAME_DOCUMENT, {"bad.jsonl": RECORD % b"" + RECORD % b""}, 2),
    BadInput(Code.BINARY, {"bad.conll": KEY + b"\0"}, 7),
    BadInput(Code.DAMAGED, {"bad.conll.gz": gzip.compress(KEY, mtime=0)[:-8]}),
    BadInput(Code.DAMAGED, {"bad.jsonl": RECORD % b"" + b"{"}, 2),
    BadInput(Code.DAMAGED, {"bad.json": b'{"x":\n}'}, 2),
    BadInput(Code.BAD_SHAPE, json_line(b"[0]"), 1),
    BadInput(Code.BAD_SHAPE, {"bad.json": b'{"x": [[{}]]}'}),
    BadInput(Code.BAD_SPAN, json_line(b"[[3, 4]]"), 1),
    BadInput(Code.BAD_SPAN, json_line(b"[[1, 0]]"), 1),
    BadInput(Code.TOO_LARGE, {"bad.json": b'{"x": [[' + b"[" * 60 + b"1" + b"]" * 60 + b"]]}"}),
    BadInput(Code.TOO_LARGE, {"bad.jsonl": RECORD % b"" + b'{"x": ' + b"[" * 100_000}, 2),
    BadInput(Code.BARE_RETURNS, {"bad.conll": KEY.replace(b"\n", b"\r")}, 1),
    BadInput(Code.NO_COREFERENCE, changed(b"sat\t-", b"sat"), 4),
    BadInput(Code.NO_COREFERENCE, {"bad.conll": NAMES}, 2),
    BadInput(Code.BAD_LINE, {"bad.conll": NUMBERED % b"(1)"}, 4, also=MULTIWORD),
    BadInput(Code.IRREGULAR, {"bad.conll": NUMBERED % b"-"}, 4),
    BadInput(Code.DOUBTFUL_COLUMN, changed(b"sat\t-", b"sat\tVBD\t-"), 4),
    BadInput(
        Code.DOUBTFUL_COLUMN, {"bad.conll": EXTRA_COLUMN}, 2, also=frozenset({Code.NO_MENTIONS})
    ),
    BadInput(Code.NO_MENTIONS, {"bad.conll": re.sub(rb"[(]?1[)]?", b"-", KEY)}),
    BadInput(
        Code.IRREGULAR,
        {"bad.conll": b"#end document" + KEY},
        1,
        also=frozenset({Code.IGNORED}),
    ),
    BadInput(Code.IRREGULAR, changed(b"#end document\n", b""), 1),
    BadInput(Code.IRREGULAR, changed(b"sat", b"# a comment line\nsat"), 4),
    BadInput(Code.IRREGULAR, changed(b"cat\t1)", b"cat\t1|1)"), 3),
    BadInput(Code.IRREGULAR, changed(b"sat\t-", b"sat\t(1+2)"), 4),
    BadInput(Code.IRREGULAR, changed(b"sat\t-", b"sat\t(1|1)"), 4),
    BadInput(Code.IGNORED, {"bad.conll": KEY + b"the\t-\n"}, 7),
    BadInput(Code.IGNORED, {"bad.conll": KEY + b"#end document\n"}, 7),
    BadInput(Code.NOT_UTF8, changed(b"sat", b"sa\xdf"), 4, also=frozenset({Code.WORDS_DIFFER})),
    BadInput(Code.SEVERAL_ANNOTATIONS, json_line(b'[[0, 1]]], "predicted_clusters": ['), 1),
]
"""Files that show their finding wherever they are read."""

BRAT = b"T1\tANIMAL 0 7\tthe cat\nT2\tANIMAL 12 14\tit\n*\tEquiv T1 T2\n"


def brat(more: bytes) -> dict[str, bytes]:
    """The key as brat annotations, with one more line, the fourth."""
    return {"x.ann": BRAT + more, "x.txt": b"the cat sat it"}


CROSS_DOCUMENT = b"""#begin document topic
1\t1_0\tx\t0\t1\tthe\tTrue\t(1
1\t1_0\tx\t0\t2\tcat\tTrue\t1)
1\t1_0\tx\t0\t3\tsat\tTrue\t-
1\t1_0\tx\t0\t4\tit\tTrue\t(1)
1\t1_0\ty\t0\t1\tit\tTrue\t(1)
#end document
"""
TWO_TOPICS = CROSS_DOCUMENT.replace(b"1\t1_0\ty", b"2\t2_0\ty")
CHAINS_AND_RELATIONS = b"""#FORMAT=WebAnno TSV 3.3
#T_CH=x.Link|referenceType|referenceRelation
#T_SP=x.Span|type
#T_RL=x.Relation|name|BT_x.Span

1-1\t0-3\tthe\t*\t*->1-1\tCAT[1]\t_\t_\t
1-2\t4-7\tcat\t*\t*->1-1\tCAT[1]\t_\t_\t
1-3\t8-11\tsat\t_\t_\t_\t_\t_\t
1-4\t12-14\tit\t*\t*->1-2\tCAT\tcoref\t1-1[1_0]\t
"""
FIVE_LETTERS = [{"id": str(n), "value": {"start": n, "end": n + 1}} for n in range(0, 9, 2)]
A_CAT = {"id": "a", "value": {"start": 0, "end": 5, "text": "a cat"}}
TASK = b"""{"data": {"text": "the cat sat it"}, "annotations": [
  {"result": [{"id": "a", "value": {"start": 0, "end": 7, "text": "the cat"}}]}, {"result": []}]}
"""
READING += [
    BadInput(Code.BAD_LINE, brat(b"T3 ANIMAL\n"), 4),
    BadInput(Code.UNREADABLE, {"x.ann": BRAT}),
    BadInput(Code.DAMAGED, {"x.xml": b"<root>\n<document>\n</root>\n"}, 3),
    BadInput(
        Code.DAMAGED,
        {"x.xml": b'<!DOCTYPE root [\n<!ENTITY a "aa">]>\n<root><document></document></root>'},
        2,
    ),
    BadInput(Code.SEVERAL_ANNOTATIONS, {"x.tsv": CHAINS_AND_RELATIONS}),
    BadInput(Code.NOT_IN_FILE, {"x.tsv": b"#FORMAT=WebAnno TSV 3.3\n\n\n1-1\t0-3\tthe\t\n"}),
    BadInput(Code.BAD_LINE, brat(b"R1\tCoref Arg1:T1 Arg2:T3\n"), 4),
    BadInput(Code.OTHER_RELATIONS, brat(b"R1\tbridging Arg1:T1 Arg2:T2\n")),
    BadInput(Code.OTHER_RELATIONS, brat(b"R1\tcoref_rank Arg1:T1 Arg2:T2\n")),
    BadInput(
        Code.SEVERAL_ANNOTATIONS,
        {
            "x_words.xml": b"<words>"
            + b"".join(b'<word id="w%d">%s</word>' % pair for pair in enumerate(KEY_WORDS))
            + b"</words>",
            "x_coref_level.xml": b'<markables><markable id="m0" span="w0..w1" entity="1"/>'
            b'<markable id="m1" span="w3" entity="1"/></markables>',
        },
    ),
    BadInput(Code.OTHER_RELATIONS, brat(b"T3\tEVENT 8 11\tsat\n")),
    BadInput(
        Code.NO_TEXT_LAYER,
        {"x.entities": b"COREF\tstart_token\tend_token\tprop\tcat\n0\t0\t1\tNOM\tANIMAL\n"},
    ),
    BadInput(
        Code.UNLINKED,
        {"x.entities": b"COREF\tstart_token\tend_token\tprop\tcat\n-1\t0\t1\tNOM\tANIMAL\n"},
        2,
        also=frozenset({Code.NO_TEXT_LAYER}),
    ),
    BadInput(Code.SEVERAL_ANNOTATIONS, {"x.json": TASK}, 1),
]
SPACY_TOKENS = [{"start": begin, "end": end} for begin, end in ((0, 3), (4, 7), (8, 11), (12, 14))]


def json_of(**fields: object) -> dict[str, bytes]:
    return {"bad.json": json.dumps({"doc_key": "x", **fields}).encode()}


DIVIDED = [
    BadInput(
        Code.INSIDE_TOKEN,
        json_of(
            text="the cat sat it",
            tokens=SPACY_TOKENS,
            spans={"coref_clusters_1": [{"start": 0, "end": 6}, {"start": 12, "end": 14}]},
        ),
        1,
        command="validate bad.json",
    ),
]
"""A file whose tokens are not those of the key, once a mention divided one."""

DIRECTORIES = [
    BadInput(
        Code.ACROSS_DOCUMENTS,
        {"x.conll": CROSS_DOCUMENT},
        command="score x.conll x.conll",
    ),
    BadInput(
        Code.NOTHING_READ,
        {
            "x.json": json.dumps(
                [
                    {"data": {"text": "the cat sat it"}, "annotations": []},
                    {"data": {"text": "a cat"}, "annotations": [{"result": [A_CAT]}]},
                ]
            ).encode()
        },
        1,
        command="stats x.json",
    ),
    BadInput(
        Code.UNLINKED,
        {
            "x.json": json.dumps(
                [{"data": {"text": "a b c d e"}, "annotations": [{"result": FIVE_LETTERS}]}]
            ).encode()
        },
        command="stats x.json",
    ),
    BadInput(Code.UNREADABLE, {}, command="score key.conll nowhere.conll"),
    BadInput(Code.NO_DOCUMENT, {"bad/notes.log": b""}, command="score key.conll bad"),
    BadInput(
        Code.OTHER_FILES, {"bad/notes.txt": b"", "bad/x.conll": KEY}, command="score key.conll bad"
    ),
    BadInput(
        Code.SKIPPED,
        {"bad/y.conll": KEY.replace(b" x", b" y").replace(b"1)", b"-", 1), "bad/x.conll": KEY},
        command="score key.conll bad --skip-broken",
        names_folder=False,
    ),
]

STRINGS = b'[[0, 2], [3, 4]], [[2, 3]]], "clusters_strings": [["the cat", "it"], ["sat"]'
WRONG_STRING = b'[[0, 1], [3, 3]], [[2, 2]]], "clusters_strings": [["the cat", "it"], ["dog"]'


READING += [
    BadInput(Code.REFUTED_CONVENTION, json_line(STRINGS)),
    BadInput(Code.DOUBTFUL_CONVENTION, json_line(WRONG_STRING)),
    BadInput(
        Code.LEFT_OUT,
        json_of(text="the cat sat it", clusters=[[[0, 7], None, [12, 14]]]),
        1,
    ),
    BadInput(
        Code.INSIDE_TOKEN,
        json_of(
            sentences=[["[CLS]", "the", "cat", "sat", "it"]],
            subtoken_map=[0, 0, 1, 2, 3],
            clusters=[[[0, 2], [4, 4]]],
        ),
        1,
    ),
    BadInput(
        Code.OTHER_RELATIONS,
        {"bad.csv": b"doc,id_a,id_b,same\nx,0-1,2-2,1\nx,2-2,3-3,1\nx,0-1,3-3,0\n"},
        4,
    ),
    BadInput(
        Code.OTHER_RELATIONS,
        {
            "bad.conllu": b"# newdoc id = x\n"
            b"1\tthe\t_\t_\t_\t_\t0\t_\t_\tcoref_chains=start-id1\n"
            b"2\tcat\t_\t_\t_\t_\t1\t_\t_\tcoref_chains=start-id1\n"
            b"3\tsat\t_\t_\t_\t_\t1\t_\t_\tcoref_chains=end-id1\n"
            b"4\tit\t_\t_\t_\t_\t1\t_\t_\tcoref_chains=end-id1\n"
        },
        1,
    ),
    BadInput(
        Code.LEFT_OUT,
        {
            "bad.json": b'{"document_id": "x", "cased_words": ["the", "cat", "sat", "it"], '
            b'"span_clusters": [[[0, 2], [3, 4]], []]}'
        },
        1,
    ),
]

RECORD_WITH_LAYER = (
    b'{"doc_key": "x", "sentences": [["the", "cat", "sat", "it"]], '
    b'"clusters": [[[0, 1], [3, 3]]], %s}\n'
)


ANAPHORA = b"""# global.columns = ID FORM SPLIT IDENTITY BRIDGING DISCOURSE_DEIXIS
# newdoc id = x
1 the _ (EntityID=1|MarkableID=a|Min=2 _ _
2 cat _ ) _ _
3 sat _ _ _ _
4 it _ (EntityID=1|MarkableID=b) _ _
"""


def anaphora(old: bytes, new: bytes) -> dict[str, bytes]:
    """A file of Universal Anaphora with a part of it replaced."""
    assert old in ANAPHORA
    return {"bad.conllua": ANAPHORA.replace(old, new)}


READING += [
    BadInput(Code.BAD_LINE, anaphora(b"EntityID=1|MarkableID=b", b"MarkableID=b"), 6),
    BadInput(Code.BAD_LINE, anaphora(b"sat _ _", b"sat _ c"), 5),
    BadInput(Code.UNBALANCED, anaphora(b"sat _ _", b"sat _ )"), 5),
    BadInput(Code.UNBALANCED, anaphora(b"sat _ _", b"sat _ a)"), 5),
    BadInput(Code.BAD_SHAPE, anaphora(b"sat _ _ _ _", b"sat"), 5),
    BadInput(Code.BAD_SHAPE, anaphora(b"IDENTITY", b"IDENTITIES"), 3),
    BadInput(
        Code.BAD_LINE,
        anaphora(b"3 sat _ _", b"2.1 _ _ (EntityID=2|MarkableID=c _ _\n3 sat _ )"),
        5,
        also=frozenset({Code.TOKEN_COUNT}),
    ),
    BadInput(Code.BAD_SHAPE, anaphora(b"newdoc id = x", b"newdoc"), 2),
    BadInput(Code.LEFT_OUT, anaphora(b"cat _ )", b"cat _ _"), 3),
    BadInput(
        Code.IRREGULAR,
        anaphora(b"sat _ _", b"sat _ (EntityID=2|MarkableID=c))"),
        5,
    ),
    BadInput(Code.IGNORED, {"bad.conllua": ANAPHORA * 2}, 8),
    BadInput(Code.IRREGULAR, anaphora(b"sat _ _", b"sat _ (EntityID=2|MarkableID=a)"), 5),
    BadInput(Code.IGNORED, anaphora(b"Min=2", b"Min=cat"), 3),
    BadInput(Code.IGNORED, anaphora(b"Min=2", b"Min=2,1"), 3),
    BadInput(Code.IGNORED, anaphora(b"Min=2", b"Min=3"), 3),
    BadInput(Code.IGNORED, anaphora(b"|Min=2", b"|ElementOf=77"), 3),
    BadInput(
        Code.IGNORED,
        anaphora(b"sat _ _ _", b"sat _ _ (MarkableID=b|MentionAnchor=c)"),
        5,
    ),
    BadInput(
        Code.IGNORED,
        anaphora(b"sat _ _ _", b"sat _ _ MarkableID=b|MentionAnchor=a"),
        5,
    ),
    BadInput(Code.DOUBTFUL_COLUMN, anaphora(b"3 sat _ _ _ _", b"3 sat _ _ _"), 5),
    BadInput(Code.IGNORED, anaphora(b"sat _", b"sat (ElementOf=1)"), 5),
    BadInput(
        Code.IRREGULAR,
        anaphora(b"3 sat", b"3-4 sat"),
        5,
    ),
]

READING += [
    BadInput(Code.BAD_LAYER, {"bad.jsonl": RECORD_WITH_LAYER % layer}, 1)
    for layer in (
        b'"pos": [["DT"]]',
        b'"ner": [[[0, 5, "PER"]]]',
        b'"heads": [["1", "-1"]]',
        b'"speakers": ["a", "b"]',
        b'"entity_types": ["PER", "ORG"]',
        b'"mention_levels": [["NAM"]]',
    )
]

CONLLU_KEY = b"""# newdoc id = x
# global.Entity = eid-etype-head
# sent_id = 1
1\tthe\t_\t_\t_\t_\t2\tdet\t_\tEntity=(e1-animal-2
2\tcat\t_\t_\t_\t_\t3\tnsubj\t_\tEntity=e1)
3\tsat\t_\t_\t_\t_\t0\troot\t_\t_

# sent_id = 2
1\tit\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-animal-1)

"""


def changed_conllu(old: bytes, new: bytes) -> dict[str, bytes]:
    """The key as CoNLL-U, with a part of it replaced."""
    assert CONLLU_KEY.count(old) == 1
    return {"bad.conllu": CONLLU_KEY.replace(old, new)}


def on_sat(value: bytes) -> dict[str, bytes]:
    """CoNLL-U with a value of ``Entity`` on the third token, line 6."""
    empty = b"sat\t_\t_\t_\t_\t0\troot\t_\t"
    return changed_conllu(empty + b"_", empty + b"Entity=" + value)


UNEVEN = frozenset({Code.DOUBTFUL_COLUMN})
NO_FIELDS = frozenset({Code.BAD_SHAPE})
DECLARED = b"# global.Entity = eid-etype-head\n"
READING += [
    BadInput(Code.BAD_SHAPE, changed_conllu(DECLARED, b""), 3),
    BadInput(Code.BAD_LINE, changed_conllu(b"eid-etype", b"id-etype"), 2, also=NO_FIELDS),
    BadInput(Code.BAD_LINE, changed_conllu(b"3\tsat", b"c\tsat"), 6),
    BadInput(Code.BAD_LINE, changed_conllu(b"3\tsat", b"1.0\tsat"), 6),
    BadInput(Code.BAD_LINE, changed_conllu(b"3\tsat", b"2\tsat"), 6),
    BadInput(Code.BAD_LINE, changed_conllu(b"sent_id = 2", b"sent_id = 1"), 8),
    BadInput(Code.BAD_LINE, on_sat(b"()"), 6),
    BadInput(Code.BAD_LINE, on_sat(b"(e 2)"), 6),
    BadInput(Code.BAD_LINE, on_sat(b"(e2[x])"), 6),
    BadInput(Code.BAD_LINE, changed_conllu(b"Entity=e1)", b"Entity=e1)|Bridge"), 5),
    BadInput(Code.UNBALANCED, on_sat(b"e1)"), 6),
    BadInput(Code.BAD_LINE, changed_conllu(b"(e1-animal-2", b"(e1-animal-3"), 4),
    BadInput(Code.BAD_LINE, changed_conllu(b"(e1-animal-2", b"(e1-animal-x"), 4),
    BadInput(
        Code.DOUBTFUL_COLUMN,
        changed_conllu(b"sat\t_\t_\t_\t_\t0\troot\t_\t_", b"sat\t_\t_\t_\t_\t0\troot\t_\t"),
        6,
    ),
    BadInput(Code.IRREGULAR, changed_conllu(b"etype-head", b"etype-head other"), 2),
    BadInput(Code.BAD_LINE, on_sat(b"(e2[2/2])"), 6),
    BadInput(Code.BAD_LINE, on_sat(b"(e2)|Bridge=e3<e2:part"), 6),
    BadInput(Code.BAD_LINE, on_sat(b"(e2)|SplitAnte=e2<e2"), 6),
    BadInput(
        Code.UNBALANCED,
        {
            "bad.conllu": CONLLU_KEY.replace(b"\tEntity=e1)", b"\t_")
            .replace(b"\n3\tsat", b"\n\n1\tsat")
            .replace(b"_\tEntity=(e1-animal-1", b"_\tEntity=e1")
        },
        4,
    ),
    BadInput(
        Code.IGNORED,
        changed_conllu(b"3\tsat", b"3-4\tsatx\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2)\n3\tsat"),
        6,
    ),
    BadInput(
        Code.IGNORED, changed_conllu(b"# sent_id = 2", b"# newdoc id = y\n\n# sent_id = 2"), 8
    ),
    BadInput(
        Code.IGNORED, changed_conllu(b"# sent_id = 2", b"1.1\t_\n\n# sent_id = 2"), 8, also=UNEVEN
    ),
    BadInput(Code.IRREGULAR, changed_conllu(b"3\tsat", b"4\tsat"), 6),
    BadInput(
        Code.IRREGULAR,
        changed_conllu(
            b"# sent_id = 2", DECLARED.replace(b"-head", b"-head-other") + b"# sent_id = 2"
        ),
        8,
    ),
    BadInput(Code.IGNORED, on_sat(b"e2"), 6),
    BadInput(Code.IGNORED, on_sat(b"|SplitAnte=e1<e2"), 6, also=frozenset({Code.IGNORED})),
    BadInput(Code.LEFT_OUT, on_sat(b"(e2"), 6),
    BadInput(
        Code.IRREGULAR,
        {
            "bad.conllu": CONLLU_KEY.replace(b"e1)", b"").replace(
                b"_\tEntity=(e1-animal-1", b"_\tEntity=e1"
            )
        },
        4,
        also=frozenset({Code.IGNORED}),
    ),
    BadInput(Code.IRREGULAR, on_sat(b"(e2[1/2])"), 6),
    BadInput(Code.IRREGULAR, changed_conllu(b"animal-1", b"person-1"), 9),
    BadInput(Code.IRREGULAR, on_sat(b"(e2-x-1-y)"), 6),
    BadInput(Code.IGNORED, on_sat(b"(e2)|Entity=(e3)"), 6),
    BadInput(
        Code.DOUBTFUL_COLUMN,
        changed_conllu(b"sat\t_\t_\t_\t_\t0\troot\t_\t_", b"sat\t_\t_\t_\t_\t0\troot\t_"),
        6,
    ),
]

SHIFTED = b'{"doc_key": "x", "sentences": [["the", "cat", "sat", "it", "."]], "clusters": [%s]}\n'
"""Three mentions of five tokens, which look like others if ends are read wrongly."""

NO_MINSPAN = BadInput(
    Code.NO_HEAD_FIELD,
    {"bad.conllu": CONLLU_KEY},
    2,
    command="stats bad.conllu --input-format corefud:head=minspan",
)
DIGITS = b'{"x": [["1", "2", "3"], ["4", "5"]]}'
COMPARING = [
    NO_MINSPAN,
    BadInput(
        Code.NO_COMMON_MENTION,
        {"bad.json": b'{"x": [["a", "b", "c"], ["d", "e"]]}', "good.json": DIGITS},
        command="score good.json bad.json",
    ),
    BadInput(
        Code.SHIFTED,
        {
            "bad.jsonl": SHIFTED % b"[[0, 2], [3, 4]], [[2, 3]]",
            "good.jsonl": SHIFTED % b"[[0, 1], [3, 3]], [[2, 2]]",
        },
        command="score good.jsonl bad.jsonl",
    ),
    BadInput(
        Code.PAIRED_OTHERWISE,
        changed(b"document x", b"document x_0"),
        command="score key.conll bad.conll",
    ),
    BadInput(
        Code.NOT_PAIRED,
        changed(b"document x\nthe", b"document y\na"),
        command="score key.conll bad.conll",
    ),
    BadInput(
        Code.NOT_PAIRED,
        {"bad.conll": KEY + KEY.replace(b" x", b" y")},
        command="score key.conll bad.conll --pair-by position",
    ),
    BadInput(
        Code.PAIRED_OTHERWISE,
        changed(b"document x", b"document y"),
        command="score key.conll bad.conll",
    ),
    BadInput(
        Code.PAIRED_OTHERWISE,
        changed(b"document x", b"document y"),
        command="score key.conll bad.conll --pair-by position",
    ),
    BadInput(
        Code.UNLIKE_MENTIONS,
        {"bad.conll": b'{"x": [["m1", "m2"]]}'},
        command="score key.conll bad.conll",
    ),
    *(
        BadInput(
            code,
            {
                "bad.jsonl": _headed("x", "heads", heads) + _headed("y", "mention_heads", other),
                "good.jsonl": _headed("x", "mention_heads", "[[1]]")
                + _headed("y", "mention_heads", "[[1]]"),
            },
            command="score bad.jsonl good.jsonl --match head",
        )
        for code, heads, other in (
            (Code.NO_HEADS, "[[-1, -1]]", "[[null]]"),
            (Code.OTHER_HEADS, "[[1, -1]]", "[[1]]"),
            (Code.OTHER_HEADS, "[[-1, -1]]", "[[1]]"),
        )
    ),
    BadInput(
        Code.NOT_EXACT,
        {"bad.jsonl": _headed("x", "mention_heads", "[[1]]")},
        command="errors bad.jsonl bad.jsonl --profile corefud",
        also=frozenset(
            {Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER, Code.OTHER_LANGUAGE}
        ),
    ),
    BadInput(
        Code.UNLIKE_MENTIONS,
        {"bad.json": b'{"x": [["m1", "m2"]]}'},
        command="score bad.json bad.json --metrics mor",
    ),
    BadInput(Code.TOKEN_COUNT, changed(b"sat\t-\n", b""), command="score key.conll bad.conll"),
    BadInput(
        Code.TOKENS_DIFFER,
        changed(b"sat\t-\n", b""),
        command="score key.conll bad.conll --tokens ignore",
    ),
    BadInput(
        Code.ZEROS_IN_DOUBT,
        {
            "bad.json": b'{"d": [[[0, 0], [1, 1]]]}',
            "key.conllu": corefud("1:(a--1-) 1.1:(a--1-):1:obj 2").encode(),
        },
        command="score key.conllu bad.json",
    ),
    BadInput(
        Code.ZEROS_IN_DOUBT,
        {
            "bad.conllu": corefud("1:(a--1-) 1.1:(a--1-):1:obj", "1").encode(),
            "good.conllu": corefud("1:(a--1-) 1.1:(a--1-):1:obj 2").replace("w2", "w1").encode(),
        },
        command="score good.conllu bad.conllu",
    ),
    BadInput(
        Code.CARRIED_OVER,
        changed(b"sat\t-", b"s\t-\nat\t-"),
        command="score key.conll bad.conll",
    ),
    BadInput(
        Code.INSIDE_TOKEN,
        changed(b"sat\t-", b"s\t(2)\nat\t-"),
        command="score key.conll bad.conll",
        also=frozenset({Code.CARRIED_OVER}),
    ),
    BadInput(
        Code.CARRIED_OVER,
        changed(b"sat\t-\n", b""),
        command="score key.conll bad.conll --tokens align",
    ),
    BadInput(
        Code.NO_SOURCE,
        {"x.json": b'{"x": [[[0, 1], [3, 3]]]}', "text/x.txt": b"[the cat](#1) sat [it](#1)"},
        command="score x.json text/x.txt",
    ),
    BadInput(
        Code.NO_SOURCE,
        {"x.txt": b"[the cat](#1) sat [it](#1)"},
        command="score x.txt x.txt",
    ),
    BadInput(
        Code.NO_UNIT,
        {"bad.conll": KEY + KEY.replace(b"document x", b"document y")},
        command="score bad.conll bad.conll --level corpus",
    ),
    BadInput(
        Code.OFFICIAL_FAULT,
        {"bad.conll": KEY},
        command="score bad.conll bad.conll --profile bookcoref-window:2",
    ),
    BadInput(
        Code.UNLIKE_SIDES,
        {
            "bad.conll": TWO_TOPICS.replace(b"1\tit\tTrue\t(1)", b"1\tit\tTrue\t(9)"),
            "gold.conll": TWO_TOPICS,
        },
        command="score gold.conll bad.conll --level corpus",
    ),
    BadInput(
        Code.COPY_FAILED,
        {"x.txt": b"I cannot do that"},
        command="score key.conll x.txt --response-format tagged",
        also=frozenset({Code.NO_MENTIONS}),
    ),
    BadInput(
        Code.UNTAGGED,
        {"x.txt": b"the cat sat it"},
        command="score key.conll x.txt --response-format tagged",
        also=frozenset({Code.NO_MENTIONS}),
    ),
    BadInput(
        Code.ANSWER_CHANGED,
        {"x.txt": b"[the cat](#1) sat [it"},
        command="validate x.txt",
    ),
    BadInput(
        Code.ANSWER_CHANGED,
        {"x.json": b'{"cat": ["the cat", "it", "a dog"]}'},
        command="score key.conll x.json",
    ),
    BadInput(
        Code.ANSWER_CHANGED,
        {"x.txt": b"[the cat](#1) slept [it](#1)"},
        command="score key.conll x.txt",
    ),
    BadInput(
        Code.TOKENS_DIFFER,
        {"bad.conll": b'{"x": [[[0, 999], [3, 3]]]}'},
        command="score key.conll bad.conll",
    ),
    BadInput(Code.WORDS_DIFFER, changed(b"sat", b"lay"), command="score key.conll bad.conll"),
    BadInput(Code.REPEATED, changed(b"sat\t-", b"sat\t(2)|(3)"), 4, "score key.conll bad.conll"),
    BadInput(Code.REPEATED, changed(b"it\t(1)", b"it\t(1)|(1)"), 5, "validate bad.conll"),
    BadInput(
        Code.REPEATED_REFUSED,
        changed(b"it\t(1)", b"it\t(1)|(2)"),
        5,
        "score key.conll bad.conll --duplicates error",
    ),
    BadInput(
        Code.SCORER_REFUSES,
        changed(b"it\t(1)", b"it\t" + b"(1)" * 4),
        command="score key.conll bad.conll --format reference",
        also=frozenset({Code.REPEATED}),
    ),
    BadInput(
        Code.MISSING,
        {"bad.conll": KEY, "two.conll": KEY + KEY.replace(b" x", b" y")},
        command="score two.conll bad.conll",
    ),
    BadInput(
        Code.MISSING,
        {"bad.conll": b"#begin document x\n#end document\n"},
        command="score key.conll bad.conll",
        also=frozenset({Code.NO_MENTIONS}),
    ),
    BadInput(
        Code.MISSING_REFUSED,
        {"bad.conll": KEY, "two.conll": KEY + KEY.replace(b" x", b" y")},
        command="score two.conll bad.conll --missing error",
    ),
    BadInput(
        Code.EXTRA,
        {"bad.conll": KEY + KEY.replace(b" x", b" y")},
        command="score key.conll bad.conll",
    ),
    BadInput(
        Code.UNLIKE_SIDES,
        {"bad.json": b'{"x": [["m1", 7]]}', "other.json": b'{"x": [["m1"]]}'},
        command="score other.json bad.json",
    ),
]

LAYERS = frozenset({Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER})
"""What two columns lack."""
PARSED = b"""#begin document x
x 0 0 the DT (S(NP* - - - - (ORG* (1
x 0 1 cat NN *) - - - - *) 1)
x 0 2 sat VBD (VP*)) - - - - * -

x 0 0 it PRP (NP*) - - - - * (1)
#end document
"""
GERMAN = b"""#begin document x
x 0 0 die ART (S(NP* - - - - (ORG* (1
x 0 1 Katze NN *) - - - - *) 1)
x 0 2 lag VVFIN (VP*)) - - - - * -

x 0 0 sie PPER (NP*) - - - - * (1)
#end document
"""
UNIVERSAL = {b"ART": b"DET", b"NN": b"NOUN", b"VVFIN": b"VERB", b"PPER": b"PRON"}
"""The universal tags that stand for the German ones."""
UNNAMED = PARSED.replace(b"(ORG*", b"*").replace(b"*) 1)", b"* 1)")
EDGES = b"""#begin document x
the\t%s
,\t%s
cat\t%s
sat\t-
it\t(1)
#end document
"""

ANALYSING = [
    *(
        BadInput(code, {"bad.conll": KEY}, None, "errors bad.conll key.conll", LAYERS - {code})
        for code in (Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER)
    ),
    BadInput(
        Code.NO_TEXT_LAYER,
        {"bad.json": b'{"x": [[[0, 1], [3, 3]]]}'},
        None,
        "errors bad.json bad.json",
    ),
    BadInput(
        Code.BAD_LAYER,
        {"bad.conll": PARSED.replace(b"cat NN *)", b"cat NN *")},
        None,
        "errors bad.conll bad.conll",
    ),
    BadInput(
        Code.BAD_LAYER,
        {"bad.conll": PARSED.replace(b"(ORG* (1", b"* (1")},
        None,
        "errors bad.conll bad.conll",
        frozenset({Code.NO_TEXT_LAYER}),
    ),
    BadInput(
        Code.NAMES_FILE,
        {
            "bad.tsv": b"x\t0\t1\tPER\n",
            "two.conll": KEY + KEY.replace(b"document x", b"document y"),
        },
        None,
        "nec two.conll two.conll --names bad.tsv",
    ),
    BadInput(
        Code.UNMEASURED_TYPES,
        {"bad.conll": PARSED},
        None,
        "nec bad.conll bad.conll --types PER",
        frozenset({Code.UNMEASURED_TYPES}),
    ),
    BadInput(
        Code.NO_TEXT_LAYER,
        {
            "bad.conll": re.sub(rb"(x 0 \d \w+ [A-Z]+) \S+", rb"\1 -", PARSED),
            "parsed.conll": PARSED,
        },
        None,
        "errors bad.conll parsed.conll",
    ),
    BadInput(
        Code.AS_PUBLISHED,
        changed(b"sat\t-\nit\t(1)", b"sat\t(2\n\nit\t(1)|2)"),
        4,
        "errors bad.conll bad.conll --mode berkeley",
        LAYERS,
    ),
    BadInput(
        Code.AS_PUBLISHED,
        changed(b"it\t(1)", b"it\t(1)|(2)"),
        5,
        "errors bad.conll bad.conll --mode berkeley",
        LAYERS,
    ),
    BadInput(
        Code.AS_PUBLISHED,
        {
            "bad.conll": EDGES % (b"(1", b"-", b"1)"),
            "edges.conll": EDGES % (b"-", b"(1", b"(1)|1)"),
        },
        None,
        "errors bad.conll edges.conll --mode berkeley",
        LAYERS,
    ),
]

NAMING = [
    BadInput(Code.NO_LAYER, {"bad.conll": KEY}, None, "nec bad.conll key.conll"),
    BadInput(
        Code.NO_LAYER,
        {"bad.json": b'{"x": [[[0, 1], [3, 3]]]}'},
        None,
        "nec bad.json bad.json",
    ),
    BadInput(
        Code.NO_LAYER,
        {"bad.conll": PARSED},
        None,
        "nec bad.conll bad.conll --heads dependency",
    ),
    BadInput(
        Code.NO_LAYER,
        {"bad.json": b'{"x": [[[0, 1], [3, 3]]]}'},
        None,
        "score bad.json bad.json --by mention-type",
    ),
    BadInput(
        Code.IGNORED,
        {
            "bad.conllu": b"# text = Ann she it\n"
            b"1\tAnn\t_\t_\t_\t_\t0\troot\t_\tstart_char=0|end_char=3|coref_chains=unit-repr-id0\n"
            b"2\tshe\t_\t_\t_\t_\t1\tdep\t_\tstart_char=4|end_char=7|coref_chains=unit-id0\n"
            b"3\tit\t_\t_\t_\t_\t1\tdep\t_\tstart_char=8|end_char=10|coref_cains=unit-id0\n\n"
        },
        4,
        "score bad.conllu bad.conllu",
    ),
    BadInput(
        Code.BAD_LINE,
        {"bad.tsv": b"x\t0\t1\tPER\nx\tzero\t1\tPER\n"},
        2,
        "nec key.conll key.conll --names bad.tsv",
    ),
    BadInput(
        Code.BAD_LINE,
        {"bad.tsv": b"x\t0\t1\tPER\nx\t0\t1\tORG\n"},
        2,
        "nec key.conll key.conll --names bad.tsv",
    ),
    BadInput(
        Code.NAMES_FILE,
        {"bad.tsv": b"x\t0\t1\tPER\nx\t0\t1\tPER\n"},
        2,
        "nec key.conll key.conll --names bad.tsv",
    ),
    BadInput(
        Code.UNMEASURED_TYPES,
        {"bad.conll": PARSED.replace(b"(ORG*", b"(LOC*")},
        None,
        "nec bad.conll bad.conll",
    ),
    *(
        BadInput(Code.OTHER_LANGUAGE, {"bad.conll": GERMAN}, None, f"{command} bad.conll bad.conll")
        for command in (
            "errors",
            "nec",
            "score --by mention-type",
            "score --by entity-type",
            "score --metrics antecedents",
        )
    ),
    BadInput(
        Code.NO_LAYER,
        {"bad.conll": PARSED},
        None,
        "errors --language universal bad.conll bad.conll",
    ),
    BadInput(Code.NO_LAYER, {"bad.conll": PARSED}, None, "score --by upos bad.conll bad.conll"),
    BadInput(
        Code.NAMES_FILE,
        {"bad.tsv": b"x\t0\t1\tPER\ny\t0\t1\tPER\nx\t9\t9\tPER\n"},
        None,
        "nec key.conll key.conll --names bad.tsv",
    ),
    BadInput(
        Code.NO_TEXT_LAYER,
        {
            "bad.conll": PARSED.replace(b"(ORG*", b"*").replace(b"*) 1)", b"* 1)"),
            "named.conll": PARSED,
        },
        None,
        "nec bad.conll named.conll",
    ),
    BadInput(
        Code.SHIFTED,
        {
            "bad.tsv": b"x\t1\t1\tPER\nx\t3\t3\tPER\n",
            "two.jsonl": b'{"doc_key": "x", "sentences": [["Ann", "met", "Bob", "there"]], '
            b'"clusters": [[[0, 0]], [[2, 2]]]}',
        },
        None,
        "nec two.jsonl two.jsonl --names bad.tsv",
    ),
    BadInput(
        Code.BAD_LINE,
        {"bad.json": b'{"x": [[0, 1]]}'},
        None,
        "nec key.conll key.conll --names bad.json",
    ),
]

WITH_TYPE = (
    b'{"doc_key": "x", "sentences": [["a"]], "clusters": [[[0, 0]]], "entity_types": ["PER"]}\n'
)
WRITING = [
    BadInput(Code.CROSSING, json_line(b"[[0, 1], [1, 2]]"), command="convert bad.jsonl out.conll"),
    BadInput(
        Code.NOT_EXPRESSIBLE, {"bad.json": b'{"x": [["a"]]}'}, command="convert bad.json out.conll"
    ),
    BadInput(
        Code.LOST_ANNOTATIONS,
        json_line(b"[[0, 1], [1, 2]]"),
        command="errors bad.jsonl bad.jsonl --corrected out",
        also=LAYERS,
    ),
    BadInput(Code.NOT_WRITTEN, {"bad/x": b""}, command="convert key.conll bad --to jsonl"),
    BadInput(Code.OUTPUT_IS_INPUT, {"bad.conll": KEY}, command="convert bad.conll bad.conll"),
    BadInput(Code.NOT_WRITTEN, {"bad/key.conll": KEY}, command="demo -o bad", names_folder=False),
    BadInput(Code.LOST_LAYERS, changed(b"", b""), command="convert bad.conll out.json"),
    BadInput(
        Code.LOST_ANNOTATIONS,
        changed_conllu(b"3\tsat", b"2.1\t_\t_\t_\t_\t_\t_\t_\t3:obj\t_\n3\tsat"),
        command="convert bad.conllu out.conll --lossy",
        also=frozenset({Code.LOST_LAYERS, Code.LOST_ANNOTATIONS}),
    ),
    BadInput(
        Code.LOST_ANNOTATIONS,
        on_sat(b"(e2)|SplitAnte=e1<e2"),
        command="convert bad.conllu out.conllu --lossy",
    ),
    BadInput(
        Code.LOST_ANNOTATIONS,
        {"bad.jsonl": WITH_TYPE},
        command="convert bad.jsonl out.conll --lossy",
    ),
    BadInput(
        Code.OLD_FILES,
        {
            "out/old.txt": b"cat",
            "out/.corefscope-files": f"{sha256(b'cat').hexdigest()}  old.txt\n".encode(),
        },
        command="convert key.conll out --to brat",
        also=frozenset({Code.LOST_LAYERS}),
    ),
    BadInput(Code.NOT_EXPRESSIBLE, {"bad.jsonl": WITH_TYPE}, command="convert bad.jsonl out.conll"),
    BadInput(
        Code.NOT_EXPRESSIBLE,
        on_sat(b"(e2)|Bridge=e1<e2"),
        command="convert bad.conllu out.jsonl",
    ),
]


def parts(count: int, name: str = "x{}") -> bytes:
    """Many copies of the key's document."""
    return b"".join(KEY.replace(b" x\n", f" {name.format(n)}\n".encode()) for n in range(count))


MANY = parts(30)
UNCOMMON = b"#begin document x\nthe\t-\ncat\t-\nsat\t(1)\nit\t-\n#end document\n"
PERFECT = {
    "recall": 1.0,
    "precision": 1.0,
    "f1": 1.0,
    "recall_counts": [1, 1],
    "precision_counts": [1, 1],
}
RESULT = {
    "corefscope": "0.1.0",
    "schema": "score/1",
    "systems": [
        {
            "name": "bad",
            "response": "bad.conll",
            "signature": "corefscope:0.1|profile:conll-2012|match:exact|singletons:drop"
            "|duplicates:first|average:micro|docs:1",
            "profile": "conll-2012",
            "documents": {"scored": 1, "missing": [], "extra": []},
            "metrics": {"muc": PERFECT},
            "conll": None,
            "per_document": [{"document": "x", "metrics": {"muc": PERFECT}, "conll": None}],
        }
    ],
}
COMPARING_SYSTEMS = [
    BadInput(
        Code.NO_UNIT,
        {"bad.conll": MANY},
        None,
        "compare bad.conll a=bad.conll b=bad.conll --unit y(.)",
    ),
    BadInput(
        Code.NO_UNIT,
        {"bad.tsv": b"x\tunit\nx unit\n"},
        2,
        "compare key.conll a=key.conll b=key.conll --unit bad.tsv",
    ),
    BadInput(
        Code.BAD_RESULT,
        {"bad.json": b'{"corefscope": "0.1", "schema": "score/1", "systems": [{"name": "a"}]}'},
        None,
        "compare key.conll key.conll bad.json",
    ),
    BadInput(
        Code.BAD_RESULT,
        {"bad.json": json.dumps(RESULT).encode()},
        None,
        "compare key.conll key.conll bad.json",
    ),
    BadInput(
        Code.FEW_UNITS,
        {"bad.conll": parts(9)},
        None,
        "compare bad.conll a=bad.conll b=bad.conll",
    ),
    BadInput(
        Code.FEW_UNITS,
        {"bad.conll": parts(29)},
        None,
        "compare bad.conll a=bad.conll b=bad.conll",
    ),
    BadInput(
        Code.FEW_UNITS,
        {"bad.conll": parts(30, "(x); part 00{}")},
        None,
        "compare bad.conll a=bad.conll b=bad.conll",
    ),
    BadInput(
        Code.FEW_UNITS,
        {"bad.conll": MANY},
        None,
        "compare bad.conll a=bad.conll a=bad.conll" + " b=bad.conll" * 5,
        also=frozenset({Code.SAME_RUNS}),
    ),
    BadInput(
        Code.FEW_UNITS,
        {"bad.conll": MANY},
        None,
        "compare bad.conll a=bad.conll" + " b=bad.conll" * 5,
        also=frozenset({Code.FEW_UNITS, Code.SAME_RUNS}),
    ),
    BadInput(
        Code.SAME_RUNS,
        {"bad.conll": MANY},
        None,
        "compare bad.conll a=bad.conll a=bad.conll b=bad.conll",
        also=frozenset({Code.FEW_UNITS, Code.FEW_UNITS}),
    ),
    BadInput(
        Code.SOME_ANNOTATED,
        {"bad.conll": KEY + KEY.replace(b"document x", b"document y")},
        None,
        "agree key.conll bad.conll",
        also=frozenset({Code.SAME_RUNS}),
    ),
    BadInput(
        Code.FAULTY_METRIC,
        {"key.conll": KEY},
        None,
        "score key.conll key.conll --metrics b3_0",
    ),
    BadInput(
        Code.FAULTY_METRIC,
        {"key.conll": KEY, "other.conll": UNCOMMON},
        None,
        "score key.conll other.conll --metrics rand",
    ),
]

SPLIT = b"""# newdoc id = x
1 a _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a|ElementOf=3) _ _
2 b _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=b) _ _
3 c _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=c|ElementOf=3) _ _
4 d _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=d) _ _
5 e _ _ _ _ _ _ _ _ (EntityID=3|MarkableID=e) _ _
"""


ZERO = b"5.1 _ _ _ _ _ _ _ _ _ (EntityID=%d|MarkableID=z) _ _\n"


def anaphora_findings(rules: UaRules, response: bytes, key: bytes = SPLIT) -> Sequence[Finding]:
    """What scoring a response finds."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / "key.conllua", Path(folder) / "response.conllua"]
        for path, data in zip(paths, (key, response), strict=True):
            path.write_bytes(data)
        corpora = [read(path) for path in paths]
        try:
            return score_universal_anaphora(corpora[0], corpora[1], rules).findings
        except InvalidInput as error:
            return error.findings


def split(old: bytes, new: bytes) -> bytes:
    assert old in SPLIT
    return SPLIT.replace(old, new)


def _under_ua(response: bytes | Corpus) -> Sequence[Finding]:
    """What is found in a response under the profile ua-1."""
    with TemporaryDirectory() as folder:
        corpora = []
        for place, side in enumerate((SPLIT, response)):
            path = Path(folder) / f"{place}.conllua"
            if isinstance(side, bytes):
                path.write_bytes(side)
                side = read(path)
            corpora.append(side)
        return score_corpora(corpora[0], corpora[1], make_options(profile="ua-1")).findings


PLAIN = UaRules(version=2, split_antecedents="drop", zeros="drop")


def _of_two_layers(text: bytes) -> Sequence[Finding]:
    """What is found if the key is read as discourse deixis, and the response is not."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "both.conllua"
        path.write_bytes(text)
        key, response = read(path, "ua:layer=deixis"), read(path)
        return score_corpora(key, response, make_options()).findings


def _of_files(key: str, response: str) -> Sequence[Finding]:
    """What is found in CorefUD files under the profile of its scorer."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / "key.conllu", Path(folder) / "response.conllu"]
        for path, text in zip(paths, (key, response), strict=True):
            path.write_text(text)
        key_corpus, response_corpus = map(read, paths)
        options = make_options(profile="corefud", singletons="keep")
        return score_corpora(key_corpus, response_corpus, options).findings


def _tree(name: str, *words: str) -> str:
    """A document of one sentence: each word is its ID, its parent, and what Entity has."""
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"]
    for word in words:
        id, parent, *entity = word.split(":")
        misc = f"Entity={entity[0]}" if entity else "_"
        own = ["_", "_"] if "." in id else [parent, "dep"]
        form = "_" if "." in id else f"{name}{id}"
        lines.append("\t".join([id, form, *"____", *own, f"{parent}:dep", misc]))
    return "\n".join([*lines, "", ""])


def _answered(key: str, answer: str, zeros_from: ZerosFrom = "answer") -> Sequence[Finding]:
    """What is found in an answer to CRAC."""
    with TemporaryDirectory() as folder:
        paths = Path(folder) / "key.conllu", Path(folder) / "answer.txt"
        for path, text in zip(paths, (key, answer), strict=True):
            path.write_text(text)
        options = make_options(profile="crac-2026", zeros_from=zeros_from)
        corpus = read(paths[0])
        response = options.profile.scorer.response(str(paths[1]), None, corpus, options)
        assert response is not None
        codes = (CLEANED_AWAY, MOVED_ZEROS, NODE_AT_WORD, OTHER_LINE)
        found = score_corpora(corpus, response, options).findings
        return [finding for finding in found if finding.code in codes]


def _official(key: str, response: str, profile: str = "corefud") -> Sequence[Finding]:
    """What is found in CorefUD texts under a profile of its scorer."""
    options = make_options(profile=profile, singletons="keep", metrics="corefud")
    return score_corpora(corpus_of(key), corpus_of(response), options).findings


def without_spacy() -> Sequence[Finding]:
    """What is found if a DocBin is written and spaCy is not installed."""
    with patch.dict(sys.modules, {"spacy": None, "spacy.tokens": None}):
        try:
            list(writings()["spacy"].write(Corpus.from_clusters({"x": [[(0, 0)]]})))
        except CannotExpress as error:
            return error.findings
    raise AssertionError


def examples_without_groups() -> Sequence[Finding]:
    """What the scorer for spaCy finds if groups of spans have another name."""
    doc = SpacyDoc("Ann")
    doc.spans["entity_1"] = [doc.span(0, 1)]
    try:
        score_examples([SimpleNamespace(predicted=doc, reference=doc)])
    except InvalidInput as error:
        return error.findings
    raise AssertionError


def heads_only() -> Sequence[Finding]:
    """What is found in a document of coreferee."""
    try:
        cs.score([coreferee_doc([0])], [coreferee_doc([0])])
    except InvalidInput as error:
        return error.findings
    raise AssertionError


def evaluator_findings(*arguments: Any) -> Sequence[Finding]:
    """What the evaluator of pasted files warns of, for one document."""
    evaluator, found = CorefEvaluator(), list[Finding]()
    with patch.object(Reporter, "report", lambda _, findings, **__: found.extend(findings)):
        evaluator.update(*arguments)
        evaluator.get_f1()
    return found


def broken_extension() -> Sequence[Finding]:
    """Read a file that nothing recognises, with an extension whose module is missing."""
    point = EntryPoint("theirs", "missing_package.extension", GROUP)
    others.cache_clear()
    try:
        with (
            patch("importlib.metadata.entry_points", lambda group: [point]),
            TemporaryDirectory() as folder,
        ):
            path = Path(folder) / "a.json"
            path.write_text('{"a": [[[0, 1]]]}', encoding="utf-8")
            Registry("NOTHING", str, [], str).with_others()
            return cs.read(path).findings
    finally:
        others.cache_clear()
        BROKEN.clear()


IN_PYTHON: list[tuple[AnyCode, Callable[[], Sequence[Finding]]]] = [
    (Code.NEEDS_PACKAGE, without_spacy),
    (Code.BROKEN_EXTENSION, broken_extension),
    (Code.UNLIKE_MENTIONS, heads_only),
    (Code.NOT_IN_FILE, examples_without_groups),
    (
        Code.LEFT_OUT,
        lambda: cs.heads_as_spans([coreferee_doc([0], [2, 4])]).findings,
    ),
    (
        Code.LEFT_OUT,
        lambda: as_corpus([FastcorefResult("Ann", [[(0, 3), None]])], "x").findings,
    ),
    (Code.SEVERAL_ANNOTATIONS, lambda: evaluator_findings([[(0, 0)]], [[(0, 0)]], None, {})),
    (
        Code.REPEATED,
        lambda: evaluator_findings([[(0, 0)]], [[(0, 0), (1, 1)], [(0, 0)]]),
    ),
    (Code.SCORER_REFUSES, lambda: anaphora_findings(PLAIN, split(b"5 e", b"5 f"))),
    (Code.SCORER_REFUSES, lambda: anaphora_findings(UaRules(singletons="drop"), SPLIT)),
    (
        Code.BAD_LINE,
        lambda: anaphora_findings(UaRules(), split(b"=e)", b"=e|ElementOf=1)")),
    ),
    (Code.UNBALANCED, lambda: anaphora_findings(UaRules(), split(b"=e)", b"=e"))),
    (
        Code.OFFICIAL_FAULT,
        lambda: anaphora_findings(UaRules(version=2), split(b"2|MarkableID=d", b"1|MarkableID=d")),
    ),
    (Code.SCORER_FAILS, lambda: anaphora_findings(PLAIN, SPLIT + ZERO % 4)),
    (
        Code.REPEATED,
        lambda: anaphora_findings(PLAIN, split(b"=e)", b"=e)(EntityID=1|MarkableID=f)")),
    ),
    (
        Code.OFFICIAL_FAULT,
        lambda: _under_ua(split(b"5 e", b"4.1 _ _ _ _ _ _ _ _ _ _ _ _\n5 e")),
    ),
    (Code.UNLIKE_SIDES, lambda: _under_ua(Corpus.from_clusters({"x": [[(0, 0), (1, 1)]]}))),
    (Code.OFFICIAL_FAULT, lambda: anaphora_findings(PLAIN, SPLIT + ZERO % 3)),
    (
        Code.OFFICIAL_FAULT,
        lambda: anaphora_findings(
            UaRules(match="min"),
            SPLIT,
            # The markable of entity 3 has two words; the response has the necessary one.
            key=split(b"=d)", b"=d)(EntityID=3|MarkableID=e|Min=5").replace(
                b"(EntityID=3|MarkableID=e)", b")"
            ),
        ),
    ),
    (
        Code.NOTHING_READ,
        lambda: (
            Corpus.from_clusters({"x": [[(0, 1)]], "y": []})
            .with_clusters({"x": [[(3, 3)]]})
            .findings
        ),
    ),
    (Code.DOUBTFUL_CLUSTERS, lambda: Corpus.from_clusters({"x": [[0, 1], [4, 5]]}).findings),
    (Code.NOTHING_READ, lambda: Corpus.from_clusters({"x": [[(0, 1)]], "y": iter(())}).findings),
    (
        Code.OFFICIAL_FAULT,
        lambda: _official(
            corefud("1:(a--1-) 2:(b--1-) 2.1:(a--1-):1:nsubj 3 3.1:(b--1-):2:nsubj"),
            corefud("1:(a--1-) 2:(b--1-) 2.1:(b--1-):2:nsubj 3 3.1:(a--1-):1:nsubj"),
        ),
    ),
    (
        Code.OFFICIAL_FAULT,
        lambda: [
            finding
            for finding in _official(*[corefud("1:(a--1-)(b--1-) 2:(a--1-) 3:(b--1-)")] * 2)
            if finding.code is not Code.REPEATED
        ],
    ),
    (
        Code.OFFICIAL_FAULT,
        lambda: _official(
            corefud("1:(a--1-) 2 2.1:(b--1-):2:obj 2.2:(b--1-):1:obj"),
            corefud("1 1.1:(b--1-):1:obj 2:(b--1-) 2.1:(b--1-):1:obj"),
        ),
    ),
    (
        Code.FIRST_WORD_HEADS,
        lambda: _official(
            corefud("1:(a--2- 2:a) 3:(a--2- 4:a) 5:(a--2- 6:a)"),
            corefud("1:(a--1- 2:a) 3:(a--1- 4:a) 5:(a--1- 6:a)"),
        ),
    ),
    (
        Code.UNLIKE_SIDES,
        lambda: _of_two_layers(
            ANAPHORA.replace(b"sat _ _ _ _", b"sat _ _ _ (EntityID=5|MarkableID=c)")
        ),
    ),
    (
        Code.NO_HEAD_FIELD,
        lambda: _of_files(
            corefud("1:(a--2- 2:a) 3:(a--1-)").replace("-head-", "-minspan-"),
            corefud("1:(a--2- 2:a) 3:(a--1-)"),
        ),
    ),
    (
        Code.ZEROS_IN_DOUBT,
        lambda: _official(corefud("1:(a--1-) 1.1:(a--1-)"), corefud("1:(a--1-) 1.1:(a--1-):1:obj")),
    ),
    (
        CLEANED_AWAY,
        lambda: _answered(_tree("a", "1:0:(a--1)", "2:1:(a--1)"), "a1|[ann] a2|[ann]\n"),
    ),
    (
        MOVED_ZEROS,
        lambda: _answered(
            _tree("a", "1:0", "1.1:3", "2:1:(a--1)(b--1", "2.1:1:b)", "2.2:3", "3:1:(a--1)(b--1)"),
            "a1 ##|[e1 a2|[e2],e1] a3|[e1],[e2] ## ##\n",
        ),
    ),
    (
        NODE_AT_WORD,
        lambda: _answered(
            _tree("a", "1:0:(a--1)", "1.1:1:(b--1)", "1.2:2", "2:1:(b--1", "3:1:b)(a--1)"),
            "a1|[e1] ##|[e2] a2|[e2] ## a3|[e1]\n",
            zeros_from="skeleton",
        ),
    ),
    (
        OTHER_LINE,
        lambda: _answered(
            "".join(_tree(name, "1:0:(a--1)", "2:1:(a--1)") for name in "ab"),
            "b1|[e1] b2|[e1]\n" * 2,
        ),
    ),
    (
        Code.NOT_EXACT,
        lambda: _official(corefud("1:(a--1-)"), corefud("1:(a--1-)"), profile="crac-2023"),
    ),
]
"""Findings that no command shows, and what shows them."""

WITH_COMMAND = [
    *DIRECTORIES,
    *DIVIDED,
    *COMPARING,
    *ANALYSING,
    *NAMING,
    *WRITING,
    *COMPARING_SYSTEMS,
]
ALL = [*READING, *WITH_COMMAND]
