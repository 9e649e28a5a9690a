"""What the words of a document tell: heads, types of mentions, names, constituents."""

from __future__ import annotations

from corefscope.language.checking import LanguageCheck
from corefscope.language.dependencies import NO_FEATURES, UniversalLayers, universal_relation
from corefscope.language.english import ENGLISH
from corefscope.language.heads import HeadScan, ScannedHead, head_tokens, inner_tokens
from corefscope.language.names import Names, read_names
from corefscope.language.nominal import NominalRules, smallest
from corefscope.language.problems import Problem, UnreadableTree
from corefscope.language.tables import Features, HeadRule, HeadRules, Language, MentionType
from corefscope.language.tag_sets import TagSet
from corefscope.language.text import Text, says_something
from corefscope.language.trees import Node, Span, Tree, read_tree, walk
from corefscope.language.universal import (
    LanguageChoice,
    UniversalText,
    has_universal_tags,
    is_universal,
)

__all__ = [
    "ENGLISH",
    "NO_FEATURES",
    "Features",
    "HeadRule",
    "HeadRules",
    "HeadScan",
    "Language",
    "LanguageCheck",
    "LanguageChoice",
    "MentionType",
    "Names",
    "Node",
    "NominalRules",
    "Problem",
    "ScannedHead",
    "Span",
    "TagSet",
    "Text",
    "Tree",
    "UniversalLayers",
    "UniversalText",
    "UnreadableTree",
    "has_universal_tags",
    "head_tokens",
    "inner_tokens",
    "is_universal",
    "read_names",
    "read_tree",
    "says_something",
    "smallest",
    "universal_relation",
    "walk",
]
