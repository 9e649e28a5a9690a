"""Head rules that decide whether a name is the head of a phrase, by the labels of children only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NominalRules:
    """Head rules that use only the labels of children."""

    nominal: frozenset[str]
    """Labels of the nodes to which the nominal steps apply."""
    joined: frozenset[str]
    """Labels of children that a conjunction can join."""
    conjunction: str
    steps: Sequence[tuple[str, frozenset[str]]]
    """The nominal steps: which child (first or last), and its possible labels."""
    others: Mapping[str, tuple[str, Sequence[str]]]
    """For other nodes: which child, and the labels in the order in which they are tried; without
    labels, any child."""

    def conjunction_between(self, labels: Sequence[str]) -> int | None:
        """Return the position of a conjunction between two nominal children, or None."""
        nominal = [i for i, label in enumerate(labels) if label in self.joined]
        if len(nominal) < 2:
            return None
        between = range(nominal[0] + 1, nominal[-1])
        return next((i for i in between if labels[i] == self.conjunction), None)

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
