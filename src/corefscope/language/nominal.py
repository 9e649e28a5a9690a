"""Head rules that tell whether a name heads a phrase, by the labels of children alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corefscope.language.trees import Node, Span


def smallest(root: Node, mention: Span) -> Node:
    """Return the highest of the smallest constituents that cover a span."""
    node = top = root
    while True:
        child = next(
            (c for c in node.children if c.start <= mention[0] and c.end >= mention[1]), None
        )
        if child is None:
            return top
        if child.span != node.span:
            top = child
        node = child


@dataclass(frozen=True, slots=True, kw_only=True)
class NominalRules:
    """Head rules that look at the labels of children alone."""

    nominal: frozenset[str]
    """Labels of the nodes under the nominal steps."""
    joined: frozenset[str]
    """Labels of children that a conjunction can join."""
    conjunction: str
    names: frozenset[str]
    """Tags of names."""
    steps: Sequence[tuple[str, frozenset[str]]]
    """Nominal steps: which child (first or last), and its labels."""
    others: Mapping[str, tuple[str, Sequence[str]]]
    """Labels of other nodes: which child, and labels in the order they are tried; none for any."""

    def conjunction_between(self, labels: Sequence[str]) -> int | None:
        """Return a conjunction that stands between two nominal children."""
        nominal = [i for i, label in enumerate(labels) if label in self.joined]
        if len(nominal) < 2:
            return None
        between = range(nominal[0] + 1, nominal[-1])
        return next((i for i in between if labels[i] == self.conjunction), None)

    def name_after_comma(self, labels: Sequence[str], children: Sequence[Node]) -> int | None:
        """Return the second of "NP , NP", if it is a name: "the chancellor , Merkel"."""
        if list(labels[:3]) != ["NP", ",", "NP"]:
            return None
        return 2 if any(c.label in self.names for c in children[2].children) else None

    def head_child(self, label: str, labels: Sequence[str]) -> int:
        """Return which child is the head."""
        if label in self.nominal:
            for side, wanted in self.steps:
                found = [i for i, child in enumerate(labels) if child in wanted]
                if found:
                    return found[0] if side == "first" else found[-1]
            return len(labels) - 1
        side, order = self.others.get(label, ("last", ()))
        for wanted_label in order:
            if wanted_label in labels:
                return list(labels).index(wanted_label)
        return 0 if side == "first" else len(labels) - 1
