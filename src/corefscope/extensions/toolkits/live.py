"""Documents of spaCy, fastcoref and Stanza as they are in memory; none of them is imported.

spaCy's ``Doc`` may have the entities of spacy-experimental, neuralcoref, fastcoref or coreferee.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any

from corefscope.corpus import Corpus
from corefscope.corpus.foreign import library_of
from corefscope.corpus.offsets import CHARACTERS, TOKENS, Convention
from corefscope.exceptions import InvalidInput, WrongArgument
from corefscope.extensions.toolkits.spacy_json import other_number
from corefscope.findings import Code, Finding
from corefscope.formats.objects import corpus_of_drafts
from corefscope.formats.reading.cluster_fields import (
    USUAL_GROUPS,
    GroupChoice,
    chosen_groups,
    unnumbered_groups,
)
from corefscope.formats.reading.draft import Draft, DraftMention, Mentions, Place
from corefscope.formats.reading.options import ReadingOptions, Role

OF_SENTENCE = Convention(0, "exclusive", "sentence")
COMPONENTS = ("coref_clusters", "coref_chains")
"""Where components of spaCy write entities: neuralcoref and fastcoref, and coreferee."""
REMOVE = "remove the other entities from the documents"
HEADS = "coref_head_clusters_{}"
NAME = "corefscope_name"
"""The key of the name of a document among the user data of spaCy."""


def of_spacy(docs: Sequence[Any], role: Role | None) -> Iterator[Draft]:
    """Yield documents of spaCy as drafts."""
    return spacy_drafts(docs, ReadingOptions(role=role), REMOVE)


def of_fastcoref(results: Sequence[Any], role: Role | None) -> Iterator[Draft]:
    """Yield results of fastcoref as drafts."""
    return map(_fastcoref_draft, results)


def of_stanza(documents: Sequence[Any], role: Role | None) -> Iterator[Draft]:
    """Yield documents of Stanza as drafts."""
    return map(_stanza_draft, documents)


# ---- spaCy ----


def spacy_drafts(
    docs: Sequence[Any], options: ReadingOptions, remedy: str, *, heads_as_spans: bool = False
) -> Iterator[Draft]:
    """Yield documents of spaCy as drafts, all of them with entities from the same place.

    Parameters
    ----------
    docs
        The documents.
    options
        Their role, and the groups of spans that the user chose.
    remedy
        What to do if other entities should be read, with ``{}`` for the prefix of their groups.
    heads_as_spans
        Whether to take the heads that coreferee marks for whole mentions.
    """
    choice = _choice(docs, options, remedy)
    is_said = False
    for doc in docs:
        draft = spacy_draft(doc, heads_as_spans=heads_as_spans, prefix=choice.prefix)
        if choice.doubt is not None and not is_said:
            is_said = True
            draft.findings.append(choice.doubt)
        draft.findings += unnumbered_groups(doc.spans)
        yield draft


def _choice(docs: Sequence[Any], options: ReadingOptions, remedy: str) -> GroupChoice:
    """Choose the entities of documents of spaCy."""
    names = list(dict.fromkeys(name for doc in docs for name in doc.spans))
    found = {
        name: any(getattr(doc._, name, None) for doc in docs)
        for name in COMPONENTS
        if any(getattr(doc._, name, None) is not None for doc in docs)
    }
    component = next((name for name, has_entities in found.items() if has_entities), None)
    if component is None and found and not any(name.startswith(USUAL_GROUPS) for name in names):
        # A component that found nothing makes an empty response, even beside gold entities.
        component = next(iter(found))
    return chosen_groups(names, options, remedy, component and f"doc._.{component}")


_Entities = dict[str, list[DraftMention]]
"""The mentions of each entity, by its label."""


def spacy_draft(doc: Any, *, prefix: str | None, heads_as_spans: bool = False) -> Draft:
    """Return a document of spaCy as a draft; tokens of blanks are left out.

    Parameters
    ----------
    doc
        The document.
    prefix
        How the names of groups of spans begin that are entities; None if a component has entities.
    heads_as_spans
        Whether to take the heads that coreferee marks for whole mentions.
    """
    tokens = [token for token in doc if token.text.strip()]
    starts = [n for n, token in enumerate(tokens) if n and token.is_sent_start]
    draft = Draft(
        name=doc.user_data.get(NAME),
        text=doc.text,
        words=[token.text for token in tokens],
        characters=[(token.idx, token.idx + len(token.text)) for token in tokens],
        sentences=[b - a for a, b in zip([0, *starts], [*starts, len(tokens)], strict=True)],
        convention=CHARACTERS,
    )
    for layer, attribute in (("tags", "tag_"), ("lemmas", "lemma_")):
        values = [getattr(token, attribute) for token in tokens]
        if any(values):
            draft.columns[layer] = values
    numbers = {token.i: number for number, token in enumerate(tokens)}
    if doc.has_annotation("DEP"):
        draft.parents = [numbers.get(token.head.i, n) for n, token in enumerate(tokens)]
    if prefix is None:
        entities = _components(doc, draft, heads_as_spans)
    else:
        groups = [(name.rpartition("_")[2], name) for name in groups_of(doc, prefix)]
        entities = {number: _group(doc, name, numbers, draft) for number, name in groups}
    draft.mentions = Mentions.of(entities)
    if not entities and prefix in (None, USUAL_GROUPS):
        _refuse_heads(doc)
    return draft


def groups_of(doc: Any, prefix: str) -> list[str]:
    """Return the names of the groups of spans that are entities: a prefix and a number."""
    group = re.compile(rf"{re.escape(prefix)}_\d+")
    return [name for name in doc.spans if group.fullmatch(name)]


def _components(doc: Any, draft: Draft, heads_as_spans: bool) -> _Entities:
    """Return the entities of neuralcoref, of the component of fastcoref, or of coreferee."""
    if (clusters := _extension(doc, "coref_clusters")) is not None:
        return _clusters(draft, clusters)
    if (chains := _extension(doc, "coref_chains")) is not None:
        return _chains(chains, draft, [token.idx for token in doc], heads_as_spans)
    return {}


def _extension(doc: Any, name: str) -> Any:
    """Return an attribute that a component added to a document.

    It is among the user data also where the component, which makes it known to spaCy, is not
    imported, as when a DocBin is read.
    """
    found = getattr(doc._, name, None)
    return doc.user_data.get(("._.", name, None, None)) if found is None else found


def _refuse_heads(doc: Any) -> None:
    if any(name.startswith(HEADS.format("")) for name in doc.spans):
        raise _heads_only("coref_head_clusters has heads of mentions; run the span resolver")


def _group(doc: Any, name: str, numbers: Mapping[int, int], draft: Draft) -> list[DraftMention]:
    """Return the mentions of an entity of spacy-experimental, with their heads if it has some.

    A head of several tokens stands for one that is not known.
    """
    number = name.rpartition("_")[2]
    spans, group = list(doc.spans[name]), HEADS.format(number)
    found = list(doc.spans[group]) if group in doc.spans else []
    if found and len(found) != len(spans):
        draft.findings.append(other_number(group, len(found), len(spans)))
    heads = [numbers.get(head.start) if head.end == head.start + 1 else None for head in found]
    if len(heads) != len(spans):
        heads = [None] * len(spans)
    return [
        DraftMention(
            places=((span.start_char, span.end_char),),
            string=span.text,
            head=head,
            type=span.label_ or None,
        )
        for span, head in zip(spans, heads, strict=True)
    ]


def _clusters(draft: Draft, clusters: Iterable[Any]) -> _Entities:
    """Return the entities of neuralcoref, which has spans, or of fastcoref, which has characters.

    fastcoref gives None for a mention that it could not place. It is left out and reported.
    """
    lost, entities = 0, _Entities()
    for number, cluster in enumerate(clusters):
        if hasattr(cluster, "mentions"):
            found = [(span.start_char, span.end_char) for span in cluster.mentions]
        else:
            pairs = list(map(_pair, cluster))
            found = [pair for pair in pairs if pair is not None]
            lost += len(pairs) - len(found)
        entities[str(number)] = [DraftMention(places=(place,)) for place in found]
    if lost:
        draft.findings.append(
            Finding(
                Code.LEFT_OUT,
                f"{lost} mentions are None",
                expected="two offsets each: they are left out",
            )
        )
    return entities


def _pair(given: Any) -> tuple[int, int] | None:
    """Return the two offsets of a mention; None if fastcoref could not place it."""
    match given:
        case None | [None, _] | [_, None]:
            return None
        case [Integral(), Integral()]:
            begin, end = given
            return int(begin), int(end)
    raise InvalidInput.of(
        Code.BAD_SHAPE,
        f"coref_clusters has the mention {given!r}",
        expected="two offsets in the text",
    )


def _chains(
    chains: Iterable[Any], draft: Draft, begins: Sequence[int], heads_as_spans: bool
) -> _Entities:
    """Return the entities of coreferee, whose mentions are heads."""
    if not heads_as_spans:
        raise _heads_only(
            "coreferee marks the head of each mention, which exact matching compares with whole "
            "mentions; pass heads_as_spans(documents) to agree, and match by head, for which the "
            "documents of the key have to be parsed, or to have heads"
        )
    ends = dict(draft.characters or ())
    entities, coordinations = _Entities(), 0
    for number, chain in enumerate(chains):
        mentions = entities[str(number)] = list[DraftMention]()
        for mention in chain.mentions:
            if len(mention.token_indexes) > 1:
                coordinations += 1
                continue
            begin = begins[mention.token_indexes[0]]
            mentions.append(DraftMention(places=((begin, ends[begin]),)))
    if coordinations:
        draft.findings.append(
            Finding(
                Code.LEFT_OUT,
                f"{coordinations} mentions have several heads, as 'Ann and Bob'; they are split "
                "antecedents, not spans, and are left out",
                expected="one head",
            )
        )
    return entities


def _heads_only(found: str) -> InvalidInput:
    return InvalidInput.of(
        Code.UNLIKE_MENTIONS,
        "found heads instead of mentions",
        expected=f"whole mentions: {found}",
    )


def heads_as_spans(documents: Any) -> Corpus:
    """Take documents of coreferee, which marks heads, as mentions of one token each.

    Exact matching against whole mentions finds almost nothing then; use ``match="head"``.

    Parameters
    ----------
    documents
        spaCy's documents with ``doc._.coref_chains``, or one of them.

    Returns
    -------
    Corpus
        A corpus whose mentions are the heads. Mentions with several heads are left out.
    """
    is_one = library_of(documents) is not None or not isinstance(documents, Iterable)
    items = [documents] if is_one else list(documents)
    if not items or any(library_of(item) != "spaCy" for item in items):
        raise WrongArgument(
            "found no documents of spaCy, or something else; expected a list of them"
        )
    drafts = spacy_drafts(items, ReadingOptions(), REMOVE, heads_as_spans=True)
    return corpus_of_drafts(drafts, "the documents")


# ---- fastcoref ----


def _fastcoref_draft(result: Any) -> Draft:
    """Return a result of fastcoref as a draft; a mention that it could not place is left out."""
    text = result.text
    draft = Draft(name=None, convention=CHARACTERS)
    if isinstance(text, str):
        draft.text = text
    else:
        draft.words = list(text)
        draft.convention = TOKENS
    draft.mentions = Mentions.of(_clusters(draft, result.get_clusters(as_strings=False)))
    return draft


# ---- Stanza ----


def _stanza_draft(document: Any) -> Draft:
    """Return a document of Stanza as a draft; it counts the words of each sentence."""
    chains = list(document.coref or ())
    zeros: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for chain in chains:
        for mention in chain.mentions:
            if isinstance(mention.start_word, tuple):
                zeros[mention.sentence].append(mention.start_word)
    sentences = [
        _StanzaSentence(sentence, zeros[number])
        for number, sentence in enumerate(document.sentences)
    ]
    words = [word for sentence in sentences for word in sentence.words]
    draft = Draft(
        name=None,
        words=words,
        sentences=[len(sentence.words) for sentence in sentences],
        convention=OF_SENTENCE,
        zeros=list(_zeros(sentences)),
    )
    text = getattr(document, "text", None)
    characters = _characters(document.sentences) if isinstance(text, str) else None
    if characters is not None and len(characters) == len(words):
        draft.text, draft.characters = text, characters
    lost, entities = 0, _Entities()
    for chain in chains:
        places = [_stanza_place(sentences, mention) for mention in chain.mentions]
        found = [DraftMention(places=(place,)) for place in places if place is not None]
        lost += len(places) - len(found)
        entities[str(chain.index)] = found
    draft.mentions = Mentions.of(entities)
    if lost:
        draft.findings.append(
            Finding(
                Code.LEFT_OUT,
                f"{lost} mentions are words that are not spoken and have no place in a sentence",
                expected="two numbers, such as (2, 1): they are left out",
            )
        )
    return draft


class _StanzaSentence:
    """The words of a sentence in order, also those that are not spoken.

    Stanza counts spoken words from 0. A word that is not spoken has two numbers, such as (2, 1):
    how many words stand before it, and a number that tells it from others of the sentence.
    """

    def __init__(self, sentence: Any, zeros: Iterable[tuple[Any, ...]]) -> None:
        words = {(number, 0): word.text for number, word in enumerate(sentence.words, start=1)}
        empty = {id: "_" for id in zeros if _is_zero(id, len(words))}
        empty |= {tuple(word.id): word.text for word in getattr(sentence, "empty_words", ())}
        ids = sorted({**words, **empty})
        self.words = [words[id] if id in words else empty[id] for id in ids]
        places = {id: place for place, id in enumerate(ids)}
        self.spoken = [places[id] for id in words]
        self.zeros = {id: places[id] for id in empty}


def _is_zero(id: tuple[Any, ...], words: int) -> bool:
    """Return whether an id is that of a word of a sentence that is not spoken."""
    match id:
        case (int(before), int(number)):
            return 0 <= before <= words and number > 0
    return False


def _zeros(sentences: Iterable[_StanzaSentence]) -> Iterator[int]:
    """Yield the tokens of a document that are not spoken, in order."""
    begin = 0
    for sentence in sentences:
        yield from sorted(begin + place for place in sentence.zeros.values())
        begin += len(sentence.words)


def _stanza_place(sentences: Sequence[_StanzaSentence], mention: Any) -> Place | None:
    """Return the sentence, the first word and the word after the last one of a mention.

    The result is None if it is a word that is not spoken and that its sentence does not have.
    """
    number, start, end = mention.sentence, mention.start_word, mention.end_word
    sentence = sentences[number] if 0 <= number < len(sentences) else None
    if isinstance(start, int) and isinstance(end, int):
        if sentence is None or not 0 <= start < end <= len(sentence.spoken):
            # What is not in the sentence is reported, so that it must stay outside.
            beyond = len(sentence.zeros) if sentence and end > len(sentence.spoken) else 0
            return number, start, end + beyond
        return number, sentence.spoken[start], sentence.spoken[end - 1] + 1
    place = sentence.zeros.get(start) if sentence and isinstance(start, tuple) else None
    return None if place is None else (number, place, place + 1)


def _characters(sentences: Iterable[Any]) -> list[tuple[int, int]] | None:
    """Return where words stand in a text; None if a token does not say it.

    The words of one token, such as "de" and "el" of "del", all stand where the token does.
    """
    tokens = [token for each in sentences for token in getattr(each, "tokens", ())]
    places = [
        (token.start_char, token.end_char) for token in tokens for _ in getattr(token, "words", ())
    ]
    return places if all(type(edge) is int for place in places for edge in place) else None
