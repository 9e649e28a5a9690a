"""Objects that look like those of other libraries, for tests without these libraries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any


@dataclass
class SpacyDoc:
    """A document of spaCy: words divided at spaces, with a token for each line break."""

    text: str
    spans: dict[str, Any] = field(default_factory=dict)
    user_data: dict[str, Any] = field(default_factory=dict)
    extensions: dict[str, Any] = field(default_factory=dict)
    parents: Sequence[int] = ()
    """The token that each token depends on, if the document is parsed."""

    def __post_init__(self) -> None:
        self.tokens, begin = list[Any](), 0
        for part in self.text.replace("\n", " \n ").split(" "):
            if part:
                begin = self.text.index(part, begin)
                self.tokens.append(
                    SimpleNamespace(
                        text=part,
                        idx=begin,
                        i=len(self.tokens),
                        is_sent_start=not self.tokens or self.tokens[-1].text == "\n",
                        tag_="",
                        lemma_="",
                    )
                )
                begin += len(part)
        for token, parent in zip(self.tokens, self.parents, strict=False):
            token.head = self.tokens[parent]

    def has_annotation(self, attribute: str) -> bool:
        return attribute == "DEP" and bool(self.parents)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tokens)

    @property
    def _(self) -> Any:
        return SimpleNamespace(**self.extensions)

    def span(self, start: int, end: int, label: str = "") -> Any:
        """A span of tokens; the end is exclusive."""
        first, last = self.tokens[start], self.tokens[end - 1]
        begin, stop = first.idx, last.idx + len(last.text)
        return SimpleNamespace(
            start=start,
            end=end,
            start_char=begin,
            end_char=stop,
            text=self.text[begin:stop],
            label_=label,
        )


def coreferee_doc(*mentions: Sequence[int]) -> SpacyDoc:
    """A document with one chain of coreferee; a mention is the tokens of its heads."""
    chain = SimpleNamespace(mentions=[SimpleNamespace(token_indexes=list(m)) for m in mentions])
    return SpacyDoc("Ann met Bob and Eve", extensions={"coref_chains": [chain]})


@dataclass
class FastcorefResult:
    """A result of fastcoref."""

    text: str | list[str]
    clusters: list[list[tuple[int, int] | None]]

    def get_clusters(self, as_strings: bool = True) -> Any:
        assert not as_strings
        return self.clusters


def stanza_document(sentences: Sequence[str], chains: Sequence[Sequence[Any]]) -> Any:
    """A document of Stanza; a mention is sentence, first word and the word after the last one."""
    return SimpleNamespace(
        sentences=[
            SimpleNamespace(words=[SimpleNamespace(text=word) for word in sentence.split()])
            for sentence in sentences
        ],
        coref=[
            SimpleNamespace(
                index=number,
                mentions=[
                    SimpleNamespace(sentence=s, start_word=start, end_word=end)
                    for s, start, end in mentions
                ],
            )
            for number, mentions in enumerate(chains)
        ],
    )
