"""Options that the library and the command line share: their values, defaults and meanings.

Every option is declared here once. Functions take them as keywords (``Unpack``), the command line
makes its options of them, and both show what they mean. Nothing else is loaded here, and
annotations are not postponed, so that they can be read.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, TypeVar, get_args

LanguageChoice: TypeAlias = Literal["auto", "english", "universal"]
"""The rules for heads, mention types and features: English tables, or Universal Dependencies."""
SliceKind: TypeAlias = Literal[
    "mention-type",
    "entity-type",
    "entity-size",
    "distance",
    "spread",
    "nesting",
    "zero",
    "genre",
    "upos",
    "relation",
]
"""What scores can be broken down by."""
OtherTokens: TypeAlias = Literal["carry", "ignore", "align"]
"""How to treat documents with other tokens than the key: carry mentions over if the letters are the
same or nearly so, and raise an error otherwise; compare the numbers of tokens; or carry mentions
over in any case."""
Snap: TypeAlias = Literal["outward", "inward"]
"""How to move the edge of a mention that lies inside a token of the key: to the token's outer edge,
or to the inner one."""
Singletons: TypeAlias = Literal["keep", "drop"]
"""Whether entities of one mention count."""
Duplicates: TypeAlias = Literal["first", "error", "reference"]
"""How to treat a mention that is annotated twice on one side: keep the first, raise an error, or
do what the reference scorer does."""
Match: TypeAlias = Literal["exact", "head", "partial", "min"]
"""Which mentions are the same: equal ones, those with the same head, those in part, or those with
the same minimum span."""
UaMatch: TypeAlias = Literal["exact", "head", "partial", "min", "craft"]
"""Which markables are the same: equal ones; also those that cover the minimum span (``min`` in
version 1, ``partial`` in version 2); or as CRAFT does, within the first part (``craft``). Version 2
takes ``head``, but fails on markables that are not equal."""
Zeros: TypeAlias = Literal["dependent", "linear", "drop"]
"""How zeros are matched: by what they depend on, by position, or not at all."""
SplitAntecedents: TypeAlias = Literal["keep", "drop", "only"]
"""Whether split antecedents count as mentions, or are all that is scored."""
Layer: TypeAlias = Literal["identity", "deixis"]
"""Which annotations are the entities: those of identity, or those of discourse deixis."""
Missing: TypeAlias = Literal["empty", "error"]
"""How to treat documents missing from the response."""
PairBy: TypeAlias = Literal["auto", "name", "text", "position"]
"""How documents are paired: by name, then by variants of its spelling, then two single documents
without a name, then by their text; or only by name, by text, or by their order."""
ZerosFrom: TypeAlias = Literal["answer", "skeleton"]
"""Whether the empty nodes of an answer to CRAC are its own, or those of the file it was given."""
Level: TypeAlias = Literal["file", "document", "topic", "corpus"]
"""What is scored as one: what the file calls a document, a document, a topic, or everything."""
AnalysisLevel: TypeAlias = Literal["file", "document"]
"""The levels of analyses, which look at the order of mentions in one text."""
HeadSource: TypeAlias = Literal["file", "minspan"]
"""Where the heads of CorefUD files come from: their field for heads, or minimal spans."""
NecPreset: TypeAlias = Literal["default", "paper"]
"""Which names head a mention."""
HeadsChoice: TypeAlias = Literal["auto", "dependency", "constituency", "heuristic"]
"""Which annotation says what heads a mention, in named entity coreference."""
Unmarked: TypeAlias = Literal["missing", "singleton"]
"""What an annotator says about a mention that only others marked: nothing, or that it is an entity
of its own."""
Test: TypeAlias = Literal["randomization", "bootstrap"]
"""The tests that can be chosen."""


class Option(NamedTuple):
    """What is declared of an option beside its values."""

    default: str | bool | None
    """What it is unless it is given; None if that depends on other options."""
    meaning: str
    group: str = "common"
    """The group in which the help of a command shows it; the short help shows ``common``."""
    metavar: str = ""
    """What stands for its value in the help of the command line, if it can have any."""


class WorkOptions(TypedDict, total=False):
    """Where the work is done."""

    jobs: Annotated[
        int | None,
        Option(
            None,
            "How many processes work at the same time; results are the same for any number "
            "(default: by the size of the work; 1 in Python).",
            "input",
        ),
    ]


class TokenOptions(TypedDict, total=False):
    """How documents are paired, and what happens where their tokens differ."""

    tokens: Annotated[
        OtherTokens | None,
        Option(
            None,
            "How to treat documents with other tokens than the key: carry carries mentions over to "
            "the tokens of the key, and refuses texts that differ in more than 2 % of their words; "
            "align carries over whatever differs; ignore compares token numbers (default: carry; "
            "ignore under the profiles corefud, crac-* and ua-1, as their scorers do).",
            "matching",
        ),
    ]
    snap: Annotated[
        Snap | None,
        Option(
            None,
            "Extend mentions that begin or end inside a token of the key to whole tokens "
            "(outward), or cut them down (inward) (default: they stay as they are, and match "
            "nothing).",
            "matching",
        ),
    ]
    pair_by: Annotated[
        PairBy,
        Option(
            "auto",
            "How to pair documents: auto pairs equal names, then different spellings of a name, "
            "such as '(x); part 000' and 'x_0', then equal texts; name, text and position use only "
            "that.",
            "matching",
        ),
    ]


class WordOptions(TypedDict, total=False):
    """How the words of documents are read."""

    language: Annotated[
        LanguageChoice,
        Option(
            "auto",
            "How to find heads, mention types and gender of mentions: from English tables, from "
            "Universal Dependencies (for all languages), or as each document suggests.",
            "matching",
        ),
    ]


class PairingOptions(TokenOptions, WordOptions, WorkOptions, total=False):
    """How documents are paired, and how their words are read."""

    missing: Annotated[
        Missing,
        Option(
            "empty",
            "How to treat documents missing from the response: as empty, or as an error.",
            "matching",
        ),
    ]


_MATCH = (
    "Mention matching criterion: same words (exact), same head, words of the response within those "
    "of the key with its head (partial), or same minimum span in the parse trees of the key (min)"
)
_ZEROS = Option(
    None,
    "How to match zeros, the empty nodes of CorefUD files: by what they depend on, by position, or "
    "leave them out (default: as the profile; dependent if mentions are not matched exactly).",
    "matching",
)


class AnalysisOptions(PairingOptions, total=False):
    """What analyses share with scores: how documents are paired, and mentions matched."""

    match: Annotated[Match | None, Option(None, f"{_MATCH} (default: as the profile; exact).")]
    zeros: Annotated[Zeros | None, _ZEROS]
    level: Annotated[
        AnalysisLevel,
        Option(
            "file",
            "What a document is in cross-document files: what the file calls one, or what its "
            "column names. Documents are not joined to topics, because the analysis depends on the "
            "order of mentions in one text.",
            "scope",
        ),
    ]


class LevelOptions(TypedDict, total=False):
    """Which documents are scored as one."""

    level: Annotated[
        Level,
        Option(
            "file",
            "What to score as one: what a file calls a document (file), the documents of "
            "cross-document files (document), all documents of a topic, or the whole corpus; an "
            "entity has its mentions in all of it.",
            "scope",
        ),
    ]
    topics: Annotated[
        Mapping[str, str] | None,
        Option(None, "The topic of each document, if the key does not have them.", "scope"),
    ]


class UnitOptions(LevelOptions, total=False):
    """What is scored as one."""

    window: Annotated[
        int | str | Sequence[int] | None,
        Option(
            None,
            "Cut documents into windows of this many tokens, and score each as a document is; "
            "several sizes, such as 500,1500,5000, show what long distances cost.",
            "scope",
            "N,...",
        ),
    ]


class RuleOptions(TypedDict, total=False):
    """The rules of a score: a profile, and what overrides it."""

    profile: Annotated[
        str | None,
        Option(
            "conll-2012",
            "Scoring rules; `corefscope profiles` lists all profiles.",
            metavar="NAME",
        ),
    ]
    singletons: Annotated[
        Singletons | None,
        Option(
            None,
            "Whether to keep entities with one mention, in key and response (default: as in the "
            "profile).",
        ),
    ]
    match: Annotated[
        UaMatch | None,
        Option(
            None,
            f"{_MATCH}; under ua-1, min reads the minimum span from the file, under ua-2, craft "
            "matches as the CRAFT shared task does (default: as the profile; exact).",
        ),
    ]
    zeros: Annotated[Zeros | None, _ZEROS]
    split_antecedents: Annotated[
        SplitAntecedents | None,
        Option(
            None,
            "Split antecedents, under the profiles ua-1 and ua-2: count them as mentions, drop "
            "them, or score nothing else (default: as the profile).",
            "Universal Anaphora",
        ),
    ]
    layer: Annotated[
        Layer | None,
        Option(
            None,
            "What to score under the profiles ua-1 and ua-2 (default: identity).",
            "Universal Anaphora",
        ),
    ]


class ExplanationOptions(RuleOptions, LevelOptions, TokenOptions, total=False):
    """The options of an explanation."""


class MetricOptions(TypedDict, total=False):
    """Which scores to compute, and what counts as one mention."""

    metrics: Annotated[
        str | Iterable[str] | None,
        Option(
            None,
            "Metrics: mentions, muc, b3 (bcub), ceafm, ceafe, blanc, lea, conll, all (default); or "
            "the groups more, corefud, antecedents, anaphora, legacy, v4, or their members.",
            metavar="LIST",
        ),
    ]
    duplicates: Annotated[
        Duplicates | None,
        Option(
            None,
            "How to treat a mention that is annotated twice: keep the first (default), report an "
            "error, or do what the reference scorer does.",
            "matching",
        ),
    ]


class AgreementOptions(RuleOptions, TokenOptions, WordOptions, MetricOptions, total=False):
    """The options of the agreement of annotators."""

    unmarked: Annotated[
        Unmarked,
        Option(
            "missing",
            "In alpha, what an annotator says about a mention that only others marked: nothing "
            "(missing), or that it is a singleton (singleton).",
        ),
    ]


class ScoringOptions(RuleOptions, UnitOptions, PairingOptions, MetricOptions, total=False):
    """The options of a score."""

    major: Annotated[
        int | str | PathLike[str] | None,
        Option(
            None,
            "Also score the major entities of the key one by one: those with at least this many "
            "mentions, or those that a file names (a line each: document, tab, entity). Prints the "
            "macro and the weighted mean of their F1.",
            "scope",
            "K|FILE",
        ),
    ]
    skeleton: Annotated[
        str | None,
        Option(
            None,
            "Under the profiles crac-2025 and crac-2026: the CoNLL-U file that the model was "
            "given, into which text and JSON answers are put (default: the key).",
            "CRAC",
            "FILE",
        ),
    ]
    zeros_from: Annotated[
        ZerosFrom,
        Option(
            "answer",
            "Whether the empty nodes of such an answer are those that it has (##), or those of the "
            "file that the model was given.",
            "CRAC",
        ),
    ]


ORDER = (
    *("metrics", "profile", "singletons", "duplicates", "match", "zeros", "split_antecedents"),
    *(
        "layer",
        "level",
        "window",
        "topics",
        "major",
        "missing",
        "tokens",
        "snap",
        "pair_by",
    ),
    *("language", "skeleton", "zeros_from", "unmarked", "jobs"),
)
"""The order in which options are shown."""
F = TypeVar("F", bound=Callable[..., object])


def declared(options: type, name: str) -> Option:
    """Return what is declared of an option of a group."""
    (option,) = options.__annotations__[name].__metadata__
    assert isinstance(option, Option)
    return option


def values(options: type, name: str) -> tuple[str, ...]:
    """Return the values that an option can have; none if it can have any."""
    found: dict[str, None] = {}
    kinds: list[Any] = [options.__annotations__[name].__origin__]
    for kind in kinds:
        arguments = get_args(kind)
        kinds += [each for each in arguments if not isinstance(each, str)]
        found.update(dict.fromkeys(each for each in arguments if isinstance(each, str)))
    return tuple(found)


def takes(options: type) -> Callable[[F], F]:
    """Return a decorator that lists the options of a group in the docstring of a function.

    They take the place of the line ``OPTIONS``.
    """

    def listed(function: F) -> F:
        if function.__doc__:
            names = [name for name in ORDER if name in options.__annotations__]
            items = (_wrapped(f"* ``{name}``: {_described(options, name)}") for name in names)
            function.__doc__ = function.__doc__.replace("OPTIONS", "\n        ".join(items))
        return function

    return listed


def _wrapped(text: str, width: int = 88) -> str:
    """Return an item of a list in lines, without loading anything for it at each start."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append(" ")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n        ".join(lines)


def _described(options: type, name: str) -> str:
    """Return the meaning of an option, its values and its default."""
    option, known = declared(options, name), values(options, name)
    choices = f" One of {', '.join(map(repr, known))}." if known else ""
    default = f" Default: {option.default!r}." if option.default is not None else ""
    return f"{option.meaning}{choices}{default}"
