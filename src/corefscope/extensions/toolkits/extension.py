"""What toolkits and systems write, as files and as objects in memory."""

from __future__ import annotations

import re
import zlib

from corefscope.corpus.foreign import LiveObjects
from corefscope.corpus.offsets import CHARACTERS, DEFAULT, Convention
from corefscope.formats.detection import (
    CLUSTER_FIELDS,
    XML,
    Head,
    any_of,
    element,
    has,
    is_jsonl,
    looks_like_conllu,
    start,
)
from corefscope.formats.reading.cluster_fields import has as contains
from corefscope.formats.reading.options import OF_TOKENS, OFFSETS
from corefscope.formats.reading.source import Source
from corefscope.formats.registry import OF_JSON, Beside, Format, RefusedFormat, Tier
from corefscope.formats.writing.abilities import NAMES, OVERLAPS, TEXT, WORDS, Feature, Writing
from corefscope.formats.writing.abilities import SENTENCES as SENTENCE_LAYER

SENTENCES = r"(\[\s*(\[\s*\]\s*,\s*)*){1,2}\[\s*\{"
"""Lists of words in a list, or in several lists; the first of each may be empty."""


def is_spacy(head: Head) -> str | None:
    """Recognise compressed documents of spaCy."""
    if not head.data.startswith((b"\x78\x9c", b"\x78\x01", b"\x78\xda")):
        return None
    try:
        inside = zlib.decompressobj().decompress(head.data, 1 << 12)
    except zlib.error:
        return None
    return "compressed data with attrs and tokens" if b"attrs" in inside else None


def is_spacy_json(head: Head) -> str | None:
    """Recognise documents of spaCy, which have no spans if nothing is annotated."""
    fields = head.fields if head.is_json else frozenset[str]()
    if "text" not in fields or fields & set(CLUSTER_FIELDS):
        return None
    # Without tokens, the reader says what is missing.
    if "spans" in fields and ("tokens" in fields or isinstance(head.object.get("spans"), dict)):
        return "the fields text and spans"
    is_one = _are_places(head.object.get("tokens"))
    return "a text, and tokens that begin and end in it" if is_one else None


def _are_places(tokens: object) -> bool:
    """Return whether the first token says where it begins and ends, but not what it says."""
    first = tokens[0] if isinstance(tokens, list) and tokens else None
    return isinstance(first, dict) and first.keys() >= {"start", "end"} and "text" not in first


def beside_entities(format: Format, source: Source) -> Beside | None:
    """Find chains of Stanza in CoNLL-U: Stanza keeps the gold entities of its input."""
    is_conllu = format.endings == (".conllu",)
    if not is_conllu or not (contains(source, "coref_chains=") and contains(source, "Entity=")):
        return None
    return Beside(
        "entities of CorefUD (Entity=)",
        "chains of Stanza (coref_chains=)",
        format.name,
        "stanza-conllu",
    )


def is_stanza(head: Head) -> str | None:
    """Recognise CoNLL-U with chains of its own in MISC."""
    is_other = b"coref_chains=" in head.data and b"# global.Entity" not in head.data
    return "ten columns with coref_chains=" if is_other and looks_like_conllu(head) else None


def is_stanza_json(head: Head) -> str | None:
    """Recognise sentences that are lists of words with ids."""
    is_one = re.match(SENTENCES, head.text) and head.fields >= {"id", "text"}
    return "a list of lists of objects with id and text" if is_one else None


def is_coref_data(head: Head) -> str | None:
    """Recognise chains of coref-data, whose sentences are objects if there are also clusters."""
    if not head.is_json or not head.fields >= {"coref_chains", "sentences"}:
        return None
    found = head.object.get("sentences")
    first = found[0] if isinstance(found, list) and found else None
    is_one = isinstance(first, dict) or not (first or head.fields & set(CLUSTER_FIELDS))
    return "the fields coref_chains and sentences" if is_one else None


def is_booknlp_without_entities(head: Head) -> str | None:
    """Recognise the tokens or the characters of BookNLP."""
    if re.match(rb"\s*paragraph_ID\tsentence_ID", head.data):
        return "its columns are paragraph_ID, sentence_ID"
    is_one = head.is_json and head.fields == {"characters"}
    return "no other field than characters" if is_one else None


def is_scorch(head: Head) -> str | None:
    """Recognise clusters with a type, or mentions with links, unless they have words or names."""
    test = any_of(has("type", "clusters"), has("mentions", "links"))
    return None if is_jsonl(head) else test(head)


def _is_doc(item: object) -> bool:
    return all(hasattr(item, name) for name in ("text", "spans", "user_data", "_"))


def _is_result(item: object) -> bool:
    return hasattr(item, "text") and callable(getattr(item, "get_clusters", None))


def _is_document(item: object) -> bool:
    return hasattr(item, "sentences") and hasattr(item, "coref")


WITHOUT_ENTITIES = RefusedFormat(
    title="a file of BookNLP without entities",
    tier=Tier.LINES,
    test=is_booknlp_without_entities,
    advice="give the file of the same name that ends in .entities, or the folder",
)

FORMATS = (
    Format(
        name="corenlp-xml",
        title="XML of CoreNLP",
        module="corefscope.extensions.toolkits.corenlp_xml",
        tier=Tier.BYTES,
        test=start(
            "a root element with a document", XML + element(rb"root") + element(rb"document")
        ),
        endings=(".xml",),
        options=OFFSETS,
        convention=Convention(1, "exclusive", "sentence"),
    ),
    Format(
        name="spacy",
        title="spaCy DocBin",
        module="corefscope.extensions.toolkits.spacy_docbin",
        tier=Tier.BYTES,
        test=is_spacy,
        endings=(".spacy",),
        options=("clusters",),
        writing=Writing(
            module="corefscope.extensions.toolkits.spacy_docbin",
            endings=(".spacy",),
            features=OVERLAPS | {Feature.TYPES, Feature.HEADS},
            layers=frozenset({TEXT, NAMES, SENTENCE_LAYER, WORDS, "tags", "lemmas"}),
        ),
    ),
    Format(
        name="stanza-conllu",
        beside=beside_entities,
        title="CoNLL-U with coreference from Stanza",
        module="corefscope.extensions.toolkits.stanza_conllu",
        tier=Tier.LINES,
        test=is_stanza,
        endings=(".conllu",),
    ),
    Format(
        name="booknlp",
        title="Entities of BookNLP",
        module="corefscope.extensions.toolkits.booknlp",
        tier=Tier.LINES,
        test=start(
            "its columns are COREF, start_token, end_token", rb"COREF\tstart_token\tend_token"
        ),
        endings=(".entities",),
        companions=(".tokens", ".quotes", ".supersense", ".book", ".book.html"),
        options=OFFSETS,
        convention=DEFAULT,
    ),
    Format(
        name="corenlp",
        title="JSON of CoreNLP",
        module="corefscope.extensions.toolkits.corenlp",
        test=has("corefs", "sentences"),
        endings=OF_JSON,
        options=OFFSETS,
        convention=Convention(1, "exclusive", "sentence"),
    ),
    Format(
        name="stanza",
        title="JSON of Stanza",
        module="corefscope.extensions.toolkits.stanza",
        test=is_stanza_json,
        endings=OF_JSON,
    ),
    Format(
        name="maverick",
        title="Output of Maverick and xCoRe",
        module="corefscope.extensions.toolkits.maverick",
        is_nameless=True,
        gold="clusters_token_offsets",
        test=has("clusters_token_offsets"),
        endings=OF_JSON,
        options=("clusters", "documents", *OFFSETS),
        convention=DEFAULT,
    ),
    Format(
        name="wl-coref",
        title="Files of wl-coref and CAW-coref",
        module="corefscope.extensions.toolkits.wl_coref",
        gold="span_clusters",
        test=has("cased_words"),
        endings=OF_JSON,
        options=("clusters", *OF_TOKENS),
        convention=Convention(0, "exclusive"),
    ),
    Format(
        name="preco",
        title="PreCo",
        module="corefscope.extensions.toolkits.preco",
        gold="mention_clusters",
        test=has("mention_clusters", "sentences"),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=Convention(0, "exclusive", "sentence"),
    ),
    Format(
        name="coref-data",
        title="JSON of coref-data",
        module="corefscope.extensions.toolkits.coref_data",
        test=is_coref_data,
        endings=OF_JSON,
        options=OFFSETS,
        convention=Convention(0, "inclusive", "sentence"),
    ),
    Format(
        name="elit",
        title="JSON of ELIT",
        module="corefscope.extensions.toolkits.elit",
        gold="coref",
        test=has("sens", "coref"),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=Convention(0, "exclusive", "sentence"),
    ),
    Format(
        name="allennlp",
        title="Output of the AllenNLP predictor",
        module="corefscope.extensions.toolkits.allennlp",
        is_nameless=True,
        gold="clusters",
        test=any_of(
            has("document", "clusters", lacks=("sentences",)),
            has("document", "predicted_clusters", lacks=("sentences",)),
            has("document", "top_spans"),
            has("clusters", "cluster_heads"),
        ),
        endings=OF_JSON,
        options=("clusters", *OF_TOKENS),
        convention=DEFAULT,
    ),
    Format(
        name="spacy-json",
        title="spaCy documents as JSON",
        module="corefscope.extensions.toolkits.spacy_json",
        is_nameless=True,
        test=is_spacy_json,
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=CHARACTERS,
    ),
    Format(
        name="fastcoref",
        title="Output of fastcoref, and its training files",
        module="corefscope.extensions.toolkits.fastcoref",
        is_nameless=True,
        gold="clusters",
        test=any_of(
            *(has("text", field, lacks=("sentences", "subtoken_map")) for field in CLUSTER_FIELDS)
        ),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=CHARACTERS,
    ),
    Format(
        name="scorch",
        title="JSON of scorch",
        module="corefscope.extensions.toolkits.scorch",
        tier=Tier.REST,
        test=is_scorch,
        endings=OF_JSON,
    ),
)
REFUSED = (WITHOUT_ENTITIES,)
LIVE = (
    LiveObjects("spaCy", _is_doc, "corefscope.extensions.toolkits.live:of_spacy"),
    LiveObjects("fastcoref", _is_result, "corefscope.extensions.toolkits.live:of_fastcoref"),
    LiveObjects("Stanza", _is_document, "corefscope.extensions.toolkits.live:of_stanza"),
)
