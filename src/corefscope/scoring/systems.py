"""What the results of an evaluation need of it, so that each package can show its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar

from corefscope.corpus import Corpus
from corefscope.scoring.scores import Scores

S = TypeVar("S", covariant=True)


class HasName(Protocol):
    """A named system with a response."""

    @property
    def name(self) -> str:
        """The name of the system."""

    @property
    def path(self) -> str:
        """The file of the response."""


class HasScores(HasName, Protocol):
    """A named system with its scores."""

    @property
    def scores(self) -> Scores:
        """The scores of the response."""


class Evaluated(Protocol[S]):
    """Systems that were evaluated on one key."""

    @property
    def key(self) -> Corpus:
        """The key."""

    @property
    def key_path(self) -> str:
        """The path of the key, as shown in results."""

    def __iter__(self) -> Iterator[S]:
        """Iterate over the systems."""

    def __len__(self) -> int:
        """Return the number of systems."""
