"""Findings: problems in an input, each with a stable code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, replace
from enum import Enum
from typing import Literal

from corefscope.escaping import visible
from corefscope.records import dataclass


class Remedy(Enum):
    """What users can do about a finding; the command line names the options for it."""

    CHOOSE_FILES = "choose the files of a directory that are read"
    CHOOSE_LEVEL = "choose what is scored as one: files, documents, topics or the corpus"
    RESAMPLE_DOCUMENTS = "resample whole documents"
    NAME_COLUMNS = "name the columns"
    NAME_FORMAT = "name another format, or other options of the format"
    NAME_TAGGED_TEXT = "name the format of tagged text"
    READ_MINIMAL_SPANS = "read heads from minimal spans"
    PAIR_OTHERWISE = "pair documents in another way"
    PAIR_BY_TEXT = "pair documents by their texts"
    TREAT_OTHER_TOKENS = "choose how to treat other tokens"
    KEEP_FIRST_COPY = "keep the first copy of a mention"
    ACCEPT_LOSSES = "leave out what the format cannot express"
    GIVE_NAMES = "give a file of names"
    FIND_HEADS = "let the best layer decide where heads come from"
    MAP_TYPES = "map types of named entities"
    CHOOSE_TYPES = "choose the types that are measured, or map them"
    RESAMPLE_PARTS = "resample parts of documents"
    WRITE_SCORES = "write scores as JSON"
    WRITE_DOCUMENT_SCORES = "write the scores of each document as JSON"


class Code(Enum):
    """All findings, each with a stable code and a general description.

    ``E`` codes are errors, which stop the command; ``W`` codes are warnings, which do not.
    """

    UNOPENED = ("E101", "a mention is closed but was never opened")
    UNCLOSED = ("E102", "a mention is still open at the end of its document")
    BAD_CELL = ("E103", "the coreference cell is not a sequence of (ID), (ID and ID)")
    NO_BEGIN = ("E104", "the file has lines but no '#begin document' line")
    NO_DOCUMENT = ("E105", "the file contains no document")
    SAME_DOCUMENT = ("E106", "two documents have the same name", Remedy.CHOOSE_FILES)
    BINARY = ("E107", "the file contains a NUL byte, so it is not a text file")
    UNREADABLE = ("E108", "the file cannot be opened or read")
    BROKEN_GZIP = ("E109", "the gzip file is truncated or damaged")
    EMPTY_DIRECTORY = (
        "E110",
        "the directory contains no file of a known format",
        Remedy.CHOOSE_FILES,
    )
    BAD_JSON = ("E111", "the text is not JSON")
    BAD_SHAPE = ("E112", "the JSON or the table does not have the expected fields")
    BAD_SPAN = ("E113", "a mention lies outside its document or ends before it begins")
    MULTIWORD_MENTION = ("E114", "a multiword line such as 1-2 carries a mention")
    BARE_RETURNS = ("E115", "lines end in a carriage return alone")
    MISSING_CELL = (
        "E116",
        "a row has lost its coreference cell, or may have lost it",
        Remedy.NAME_COLUMNS,
    )
    NO_COREFERENCE = (
        "E117",
        "the coreference column is not where it is expected",
        Remedy.NAME_COLUMNS,
    )
    OTHER_KIND = ("E118", "the file has a format that is not supported")
    TOO_LARGE = ("E119", "the input exceeds a limit on size or nesting")
    REFUTED_CONVENTION = (
        "E120",
        "strings of mentions, or words of the text, refute how positions are read",
    )
    BAD_DECLARATION = ("E121", "the declaration of the fields of entities has no id")
    BAD_ID = ("E122", "the first column is not an ID of CoNLL-U")
    SAME_ID = ("E123", "two lines of a sentence have the same ID")
    SAME_SENTENCE = ("E124", "two neighbouring sentences have the same sent_id")
    BAD_ENTITY = ("E125", "an annotation of entities cannot be read")
    BAD_HEAD = ("E126", "the head of a mention is not one of its tokens")
    BAD_PART = ("E127", "a part of a mention with gaps does not fit the others")
    BAD_LINK = ("E128", "a bridge or a split antecedent cannot be read")
    FAR_CLOSING = ("E129", "a mention is closed several sentences after it was opened")
    NO_DECLARATION = ("E130", "entities are annotated, but their fields are not declared")
    BAD_LINE = ("E135", "a line or an element of an annotation file cannot be read")
    NO_COMPANION = ("E136", "a file that belongs to another one is missing")
    BAD_XML = ("E137", "the XML is damaged, or declares what is not read")
    NOT_IN_FILE = ("E138", "what an option names, or what the format needs, is not in the file")
    UNKNOWN_REFERENCE = ("E139", "an annotation refers to another one that is not in the file")
    BAD_MARKABLE = ("E140", "a cell of markables cannot be read")
    UNOPENED_MARKABLE = ("E141", "a closing bracket has no open markable")
    NO_MARKABLE_COLUMN = ("E142", "a line has no column IDENTITY, which contains the markables")
    LONG_ZERO = ("E143", "a markable begins or ends on an empty node but has other tokens")
    UNNAMED_DOCUMENT = ("E144", "a document of Universal Anaphora has no name")
    NO_COMMON_DOCUMENT = (
        "E201",
        "key and response, or annotators, have no document name in common",
        Remedy.PAIR_OTHERWISE,
    )
    TOKEN_COUNT = (
        "E202",
        "key and response, or two annotators, have different tokens in a document",
        Remedy.TREAT_OTHER_TOKENS,
    )
    REPEATED_REFUSED = ("E203", "a mention is annotated twice, which the options do not allow")
    REFERENCE_REFUSES = (
        "E204",
        "more mentions are repeated than the reference scorer accepts",
        Remedy.KEEP_FIRST_COPY,
    )
    MISSING_REFUSED = ("E205", "a document is missing, which the options do not allow")
    UNLIKE_MENTIONS = ("E206", "one side has token spans, the other has ids of another kind")
    OTHER_NUMBER = ("E207", "documents cannot be paired by position: their numbers differ")
    NO_SOURCE = ("E208", "the response is tagged text, and the key has no words")
    TAGGED_KEY = ("E209", "the key is tagged text")
    NOT_JOINED = ("E210", "documents cannot be joined at this level: topics or names are missing")
    NO_HEADS = ("E220", "mentions have no heads, which head and partial matching need")
    NO_WORD_SETS = ("E221", "mentions are ids, and a metric needs their words")
    UNALIGNED = (
        "E230",
        "version 2 of the scorer refuses documents or words that differ from the key",
    )
    SPLIT_WITHOUT_SINGLETONS = (
        "E231",
        "split antecedents cannot be scored if singletons are dropped",
    )
    CYCLIC_ELEMENTS = ("E232", "an entity is an element of itself")
    UNCLOSED_REFUSED = ("E233", "version 1 of the scorer refuses a markable that is never closed")
    NO_UNIVERSAL_TAGS = ("E240", "Universal Dependencies are to be used, but tags are missing")
    NO_SLICE_LAYER = ("E241", "scores are asked for by something that the corpus does not have")
    CROSSING = ("E301", "brackets cannot express these mentions of one entity")
    NOT_EXPRESSIBLE = ("E302", "the format cannot represent this corpus")
    NO_ATTRIBUTES = ("E303", "the format has no place for attributes of mentions")
    NO_LINKS = ("E304", "the format has no place for links beside coreference")
    NEEDS_PACKAGE = ("E305", "the format or the address needs a package that is not installed")
    HEADS_ONLY = ("E306", "documents have heads of mentions instead of mentions")
    BAD_EXAMPLES = ("E307", "examples of spaCy lack the chosen groups of spans, or have two texts")

    NO_NAME_LAYER = ("E401", "there are no named entities, which NEC needs")
    NO_HEAD_LAYER = ("E402", "a text layer that the requested analysis needs is missing")
    BAD_NAME = ("E403", "a name in the names file cannot be read")
    NO_UNIT = ("E501", "texts cannot be divided into units: windows, or units of resampling")
    BAD_RESULT = ("E502", "the file of scores cannot be read")
    UNLIKE_RESULTS = ("E503", "results that were computed differently cannot be compared or merged")
    NOT_WRITTEN = ("E601", "the output cannot be written")
    OUTPUT_IS_INPUT = ("E602", "the output is an input, or would be read as one")
    NOT_OURS = ("E603", "a file that corefscope did not write would be overwritten")
    INTERNAL_ERROR = ("E701", "internal error: a bug in corefscope")
    NO_MEMORY = ("E702", "there is not enough memory, or the input is nested too deeply")
    WORKER_LOST = ("E703", "a worker ended before its work was done, or cannot be reached")

    NO_END = ("W101", "a document has no '#end document' line")
    COMMENT = ("W102", "a comment line inside a document is skipped")
    BARE_ID = ("W103", "a bare entity number inside its own mention is ignored")
    DOUBLE_ANTECEDENT = ("W104", "a double antecedent such as (1+2) is ignored")
    CLOSE_AND_OPEN = ("W105", "one token closes and opens the same entity")
    OUTSIDE = ("W106", "lines outside any document are ignored")
    NOT_UTF8 = ("W107", "the text is not UTF-8; its bytes are kept as they are")
    REPEATED = ("W108", "a mention is annotated twice; the first is kept")
    OTHER_FILES = ("W109", "files of no known format in the directory are ignored")
    TWO_CLUSTERINGS = (
        "W110",
        "a line has a second field that looks like clusters",
        Remedy.NAME_FORMAT,
    )
    LOST_LAYERS = ("W111", "text layers are not written in the output format")
    OTHER_FORMAT = ("W112", "a corrected response is written in a format other than CoNLL")
    BAD_LAYER = ("W113", "a text layer does not fit the words or clusters and is left out")
    UNEVEN_ROWS = ("W114", "a row has a different number of columns from the rest of its document")
    DOUBTFUL_COLUMN = ("W115", "the coreference column may be a different one", Remedy.NAME_COLUMNS)
    NO_MENTIONS = ("W116", "a file, directory or corpus has no mention at all")
    MULTIWORD = ("W117", "a multiword line such as 1-2 is not a token")
    GLUED_MARKERS = ("W118", "'#end document' and '#begin document' are on one line")
    EMPTY_CELLS = (
        "W119",
        "coreference cells are empty or missing although others are marked as no mention",
    )
    DOUBTFUL_CONVENTION = ("W120", "positions of mentions may be counted in another way")
    SKIPPED = ("W121", "a broken response file was skipped, as requested")
    MULTIWORD_ENTITY = ("W123", "an annotation on a multiword token is ignored")
    WORDLESS = ("W124", "lines without a word between blank lines are skipped")
    WORD_NUMBERS = ("W125", "the words of a sentence are not numbered 1, 2, 3")
    TWO_DECLARATIONS = ("W126", "the fields of entities are declared differently in one file")
    NO_BRACKET = ("W127", "text without a bracket in an annotation of entities is ignored")
    NEVER_CLOSED = ("W128", "a mention is never closed and is left out")
    ACROSS_SENTENCES = ("W129", "a mention reaches into another sentence")
    DOUBTFUL_PARTS = ("W130", "the part numbers of a mention do not agree with its parts")
    TWO_TYPES = ("W131", "the mentions of an entity have different types")
    SURPLUS_FIELDS = ("W132", "a bracket has more fields than are declared")
    REPEATED_KEY = ("W133", "a key occurs twice in MISC, and the last one is read")
    NEAR_COMMENT = ("W134", "a comment looks like '# newdoc' or '# global.Entity' but is not")
    NO_MINSPAN = ("W135", "heads were to be read from minspan, which is not declared")
    PLAIN_NODES = ("W136", "the format written cannot mark empty nodes")
    ONE_ANTECEDENT = ("W137", "fewer than two split antecedents are not written")
    LONE_LINK = ("W138", "a bridge or split antecedent is on a word without an entity")
    UNCLOSED_MARKABLE = ("W140", "a markable is still open at the end of its document")
    STRAY_BRACKET = ("W141", "a closing bracket stands after a markable of one token")
    REPLACED_DOCUMENT = ("W142", "a document is replaced by a later one of the same name")
    MOVED_MARKABLE = ("W143", "the parts of a markable are in different entities")
    BAD_MINIMUM = ("W144", "a minimum span cannot be read, or is not within its markable")
    SKIPPED_BRIDGE = (
        "W145",
        "a bridging cell cannot be read, or names markables that do not exist",
    )
    UNEVEN_COLUMNS = ("W147", "a line does not have as many columns as the file declares")
    SPLIT_COLUMN = ("W148", "split antecedents in the column SPLIT are not read")
    MULTIWORD_TOKEN = ("W149", "a multiword line such as 1-2 counts as a token")
    INSIDE_TOKEN = ("W150", "a mention begins or ends inside a token or word, which is divided")
    NULL_MENTION = ("W151", "a mention or its entity is null and is left out")
    SPECIAL_PIECE = ("W152", "a mention begins or ends at a special piece such as [CLS]")
    CONTRADICTION = ("W153", "links and clusters of mentions contradict each other")
    DOUBTFUL_FLAGS = ("W154", "the flags of a chain do not tell its mentions apart")
    EMPTY_ENTITY = ("W155", "an entity has no mention")
    BLANK_EDGE = ("W156", "a mention begins or ends with a blank, which is left out")
    UNRESOLVED = ("W157", "mentions that were not resolved are entities of one mention each")
    OTHER_RELATIONS = ("W160", "relations that do not mean identity are not read")
    UNLINKED = ("W161", "annotations of types that are never linked are not mentions")
    NO_TOKENS = ("W162", "there are entities without tokens, so only positions are known")
    ACROSS_DOCUMENTS = (
        "W163",
        "entities of several documents are scored as one or one by one",
        Remedy.CHOOSE_LEVEL,
    )
    SEVERAL_ANNOTATIONS = ("W164", "a text is annotated several times, and one annotation is read")
    UNUSUAL_RELATIONS = ("W165", "relations are read as identity because of a part of their names")
    CHAINS_AND_RELATIONS = ("W166", "a file has chains and relations, and only chains are read")
    NOT_ANNOTATED = ("W167", "a document has nothing to read and counts as one without entities")
    GUESSED_ATTRIBUTE = ("W168", "the attribute that names the entities was guessed")
    ALL_UNLINKED = ("W169", "no mention is linked, so every mention is an entity of its own")
    LEFT_OUT = ("W170", "annotations that the output format cannot express are left out")
    COORDINATION = ("W171", "a mention with several heads is left out")
    NO_PLACE = ("W172", "a mention without a place in the text is left out")
    OTHER_CLUSTERS = ("W173", "mention_to_predicted or mention_to_gold differs from the clusters")
    COUNTED_AGAIN = ("W174", "a mention is in two clusters and counts in both, as in pasted code")
    LISTED_PARTS = ("W177", "other programs cannot read how mentions with gaps are written")
    STRAY_ENTITY = ("W181", "what looks like an annotation of entities is not where it is read")
    BLANK_IN_BRACKET = ("W182", "an annotation of entities has a blank in it")
    UNKNOWN_WHOLE = ("W184", "an entity is an element of an entity that has no markable")
    CUT_DECLARATION = ("W185", "the declaration of the fields of entities has a blank in it")
    MISSING = ("W201", "a document is missing from the response and counts as empty")
    EXTRA = ("W202", "a document of the response is not in the key and is ignored")
    WORDS_DIFFER = ("W203", "key and response have different words")
    TOKENS_IGNORED = ("W204", "token counts differ, which is ignored as requested")
    BEYOND_TEXT = ("W205", "a mention lies beyond the text of the other side")
    DROPPED_AS_PUBLISHED = (
        "W206",
        "the published tool, whose counts were requested, skips or refuses this",
    )
    AMBIGUOUS_SPANS = ("W207", "the published tool's counts depend on chance here")
    SHIFTED = ("W208", "mentions of the response match far better with other offsets")
    SPELLED = ("W209", "documents are paired although their names differ", Remedy.PAIR_OTHERWISE)
    SOME_CLUSTERS = ("W210", "clusters were given for some documents only; the others have none")
    UNLIKE_SOME = ("W212", "some mentions have a kind of id that the other side does not have")
    DOUBTFUL_CLUSTERS = ("W213", "the clusters may be a list of spans, of documents or of links")
    SPENT_ITERATOR = ("W214", "an iterator of clusters was empty")
    NO_COMMON_MENTION = ("W215", "key and response have no mention in common")
    ZERO_COLLISION = (
        "W220",
        "the CorefUD scorer looks up zeros by their position, which changes its figures here",
    )
    MENTION_OF_TWO = (
        "W221",
        "the CorefUD scorer counts a mention of two entities twice, which changes its figures here",
    )
    TIED_PAIRS = ("W222", "the CorefUD scorer's figures depend on which of equal pairs it takes")
    FIRST_WORD_HEADS = (
        "W223",
        "mentions have their first word as head: heads are not known",
    )
    NO_DEPENDENCIES = ("W224", "zeros have no dependencies, by which they should be paired")
    OLD_SCORER = ("W225", "the figures of an older scorer cannot be reproduced exactly")
    TREE_HEADS = ("W226", "heads of mentions come from dependency trees, because the file has none")
    SOME_HEADS = ("W227", "some mentions have no head, and match only the same words")
    OWN_RULES = ("W228", "an analysis follows the rules of an official scorer without its faults")
    SENTENCES_DIFFER = ("W229", "key and response divide a text with zeros into other sentences")
    HASH_ORDER = ("W230", "the official score depends on the order of a hash set")
    SCORER_FAILS = ("W231", "the official scorer fails here, so there is no official score")
    COPIES_COUNT = ("W232", "all copies of a repeated markable count, as in the official scorer")
    LATE_SINGLETONS = (
        "W233",
        "entities have one mention left after zeros are dropped, and still count",
    )
    MINIMUM_IN_PART = ("W234", "only some metrics accept minimum spans")
    SHIFTED_BY_NODES = (
        "W235",
        "empty nodes of one side shift its tokens, which changes the figures of version 1 here",
    )
    NOT_IN_FORMAT = ("W236", "the format of one side cannot express what the other side has")
    NO_HEAD_FIELD = ("W237", "the declaration of a file has no heads, so first words are taken")
    UNLIKE_LAYERS = ("W238", "key and response have entities of different layers of anaphora")
    NODES_COUNT = ("W239", "positions without words count the empty nodes of the other side")
    NO_FEATURES = ("W240", "there are no morphological features: gender and number are unknown")
    CLEANED_AWAY = ("W241", "the official cleaner of CRAC takes tags away from right words")
    MOVED_ZEROS = ("W242", "the text format of CRAC moves empty nodes, which costs points")
    NODE_AT_WORD = ("W243", "the official importer of CRAC gives an empty node a word's number")
    OTHER_LINE = ("W244", "a line of a CRAC answer has the words of another document")
    SAME_TEXT = (
        "W250",
        "documents are paired by their text, because their names differ",
        Remedy.PAIR_OTHERWISE,
    )
    SAME_POSITION = ("W251", "documents are paired by their position")
    OTHER_TOKENS = ("W252", "tokens differ, and mentions are carried over by their letters")
    INSIDE_KEY_TOKEN = ("W253", "mentions of the response begin or end inside a token of the key")
    OTHER_WORDS = ("W254", "words differ, and mentions are carried over by aligning the words")
    COPY_FAILED = ("W255", "tagged text has next to nothing of its text, and counts as failed")
    COPY_CHANGED = ("W256", "tagged text is not an exact copy of its text")
    STRINGS = ("W257", "mentions are strings, and some are ambiguous or not in the key's words")
    UNTAGGED = ("W258", "a document of tagged text has no tags, or tags of an unknown style")
    TAGS_WITHOUT_MENTION = ("W259", "an answer is cut off, or some of its tags give no mention")
    PUBLISHED_WINDOWS = ("W261", "the published windows lose mentions, or count them twice")
    WITHIN_TOPICS = ("W262", "entities of the key cross topics, but none of the response does")
    NO_PARSE = ("W401", "there are no parse trees: heads come from tags or words")
    NO_TAGS = ("W402", "there are no part-of-speech tags: mention types come from words")
    NO_NAMES = ("W403", "there are no named entities, so their properties are unknown")
    NO_WORDS = ("W404", "there are no words: types of mentions are unknown")
    BAD_TREE = ("W405", "a parse tree or a named entity cannot be read")
    BORROWED = ("W406", "a text layer that the key lacks is taken from the response")
    UNUSED_NAMES = ("W407", "names in the names file lie outside the key and are left out")
    OTHER_LANGUAGE = ("W408", "the tags or words do not suit the English tables that are applied")
    UNMEASURED_TYPES = (
        "W409",
        "entities of the key have types that are not measured",
        Remedy.MAP_TYPES,
    )
    REPEATED_NAME = ("W410", "a name in the names file is repeated and counts once")
    FEW_NAMED = ("W411", "the names file covers only some of the documents")
    ABSENT_TYPES = (
        "W412",
        "a requested type or tag does not occur in the names",
        Remedy.CHOOSE_TYPES,
    )
    SHIFTED_NAMES = ("W413", "names match the key far better with other offsets")
    NO_P_VALUE = ("W501", "there are too few units for a p-value")
    FEW_UNITS = ("W502", "there are few units: intervals and p-values are rough")
    PARTS_AS_UNITS = (
        "W503",
        "parts of one text are resampled as if they were independent",
    )
    FEW_RUNS = ("W504", "a system has too few runs to estimate how much they vary")
    FAULTY_METRIC = ("W505", "a metric of papers from 2009 to 2013 is computed, with its faults")
    NOTHING_COMMON = ("W506", "an index over common mentions is computed although there are none")
    UNLIKE_RUNS = ("W507", "the numbers of runs do not allow a test of the difference")
    SAME_RUNS = ("W508", "runs of a system, or two annotators, are the same in every document")
    SOME_ANNOTATED = ("W510", "only some annotators annotated a document, or two share none")
    OLD_FILES = (
        "W601",
        "files of an earlier run are removed from the output folder, or left in it",
    )

    def __init__(self, id: str, title: str, remedy: Remedy | None = None) -> None:
        self.id = id
        self.title = title
        self.remedy = remedy
        """What helps against every finding of this code."""

    @property
    def severity(self) -> Literal["error", "warning"]:
        """``error`` or ``warning``."""
        return "error" if self.id.startswith("E") else "warning"


DOUBTING = frozenset(
    {
        *(Code.NO_MENTIONS, Code.NO_COMMON_MENTION, Code.MISSING, Code.COPY_FAILED, Code.UNTAGGED),
        *(Code.SHIFTED, Code.SHIFTED_NAMES, Code.DOUBTFUL_CLUSTERS, Code.UNLIKE_SOME),
        *(Code.SOME_CLUSTERS, Code.SPENT_ITERATOR, Code.WORDS_DIFFER, Code.UNLIKE_LAYERS),
        *(Code.ZERO_COLLISION, Code.MENTION_OF_TWO, Code.TIED_PAIRS, Code.HASH_ORDER),
        *(Code.SCORER_FAILS, Code.SHIFTED_BY_NODES, Code.NO_P_VALUE, Code.FEW_UNITS),
        *(Code.SAME_RUNS, Code.OTHER_LANGUAGE, Code.OTHER_LINE, Code.CLEANED_AWAY),
    }
)
"""What may make a result wrong or less certain, so that one should know it before reading on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem found in an input, and where it is."""

    code: Code
    found: str
    _: KW_ONLY
    expected: str | None = None
    """What should have been there, if something else should."""
    file: str | None = None
    line: int | None = None
    remedy: Remedy | None = None
    """What helps against it, if that depends on the case."""
    formats: tuple[tuple[str, str], ...] = ()
    """The formats with which the key or the response should be read, by side."""
    unlisted: int = 0
    """How many findings of the same code and file it stands for, which are not listed."""

    @property
    def message(self) -> str:
        """What was found and what was expected, as one sentence."""
        return self.found if self.expected is None else f"{self.found}; expected {self.expected}"

    def at(self, file: str | None, line: int | None = None) -> Finding:
        """Return the finding with a place.

        Parameters
        ----------
        file
            The name of the file that it is about.
        line
            The line, from 1.

        Returns
        -------
        Finding
            The same finding, there.
        """
        return replace(self, file=file, line=line)

    def followed_by(self, text: str) -> Finding:
        """Return the finding with a longer message.

        Parameters
        ----------
        text
            What comes after the message.

        Returns
        -------
        Finding
            The same finding, which expects more, or has found more if it expects nothing.
        """
        if self.expected is None:
            return replace(self, found=f"{self.found}{text}")
        return replace(self, expected=f"{self.expected}{text}")

    @property
    def is_error(self) -> bool:
        """Whether the input cannot be used."""
        return self.code.severity == "error"

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        text = f"{place}: {self.message}" if place else self.message
        return visible(f"{text} [{self.code.id}]")


MOST_ALIKE = 100
"""How many warnings of one code are listed of one file; the others are counted."""


def few_alike(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with at most a hundred warnings of one code and file, and how many more."""
    kept: list[Finding] = []
    counts: Counter[tuple[Code, str | None]] = Counter()
    for finding in findings:
        kind = finding.code, finding.file
        counts[kind] += finding.unlisted or 1
        if finding.is_error or (counts[kind] <= MOST_ALIKE and not finding.unlisted):
            kept.append(finding)
    return [*kept, *unlisted(counts)]


def unlisted(counts: Mapping[tuple[Code, str | None], int]) -> list[Finding]:
    """Return one finding for the warnings of each code and file beyond the first hundred."""
    return [
        Finding(
            code,
            f"{count - MOST_ALIKE:,} more warnings of this kind; the first {MOST_ALIKE} are listed",
            file=file,
            unlisted=count - MOST_ALIKE,
        )
        for (code, file), count in counts.items()
        if code.severity == "warning" and count > MOST_ALIKE
    ]


def borrowed_layers(layers: Mapping[str, int], documents: int, file: str | None) -> list[Finding]:
    """Report the layers that some documents of the key lack and that the response provides."""
    return [
        Finding(
            Code.BORROWED,
            f"{documents_have(count, documents)} no {layer} in the key; "
            "those of the response are used",
            file=file,
        )
        for layer, count in layers.items()
    ]


def documents_have(count: int, documents: int) -> str:
    """Return the beginning of a sentence about some documents: ``1 of 3 documents has``."""
    is_one = documents == 1 or count == 1
    return f"{some_documents(count, documents)} {'has' if is_one else 'have'}"


def some_documents(count: int, documents: int) -> str:
    """Return how many documents there are of all: ``2 of 3 documents``."""
    return "the only document" if documents == 1 else f"{count} of {documents} documents"
