"""Files of cross-document coreference."""

from __future__ import annotations

from corefscope.corpus.offsets import Convention
from corefscope.formats.detection import XML, Head, element, has, start
from corefscope.formats.registry import Format, Tier


def is_cross_document(head: Head) -> str | None:
    """Recognise columns with topic, subtopic and document."""
    if head.is_json or not head.begins_documents:
        return None
    row = head.rows[0] if head.rows else []
    is_one = len(row) == 8 and row[6] in (b"True", b"False")
    return "eight columns, the seventh True or False" if is_one else None


FORMATS = (
    Format(
        name="ecb",
        title="XML of ECB+",
        module="corefscope.extensions.cross_document.ecb",
        is_linked=True,
        tier=Tier.BYTES,
        test=start(
            "the root element Document with tokens or Markables",
            XML + element(rb"Document") + rb"(?:" + element(rb"(?:s|sentence)") + rb")?"
            rb"<(?:\w+:)?(?:token|Markables)\b",
        ),
        endings=(".xml",),
        options=("level",),
    ),
    Format(
        name="cdcr",
        title="CoNLL columns of cross-document coreference",
        module="corefscope.extensions.cross_document.cdcr",
        tier=Tier.LINES,
        test=is_cross_document,
        endings=("conll",),
        options=("documents", "ids"),
    ),
    Format(
        name="cdcr-json",
        title="JSON mentions of cross-document coreference",
        module="corefscope.extensions.cross_document.cdcr_json",
        test=has("doc_id", "tokens_ids", "cluster_id"),
        endings=(".json",),
        options=("base",),
        convention=Convention(1, "inclusive", "token"),
    ),
)
