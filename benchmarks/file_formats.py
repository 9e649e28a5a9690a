"""One made-up corpus in every format that is read, the same on every machine.

``python file_formats.py`` writes it under ``data/``, unless it is there already, and prints the
path of each format as JSON. One word in eight begins a mention;
mentions are nested and do not cross. Formats that corefscope writes are written with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

VERSION = 3
"""Of what is generated: files of another version are not used."""
DATA = Path(__file__).parent / "data"
DOCUMENTS, WORDS, SENTENCE = 100, 2000, 20
"""Documents of the corpus, words of a document, words of a sentence."""
MENTIONS = 0.125
"""Mentions per word."""
ENTITIES = 60
"""Most entities of a document."""
SYLLABLES = ("ba", "lo", "mi", "ter", "na", "ing", "sol", "ré", "ku", "dan", "el", "vo", "sh", "a")
TYPES = ("PER", "LOC", "FAC")

Files = Mapping[str, str]
"""The files of a format, by their names."""


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A span of words, with an inclusive end, and the number of its entity."""

    first: int
    last: int
    entity: int


@dataclass(frozen=True)
class Text:
    """A document of the corpus."""

    name: str
    words: list[str]
    mentions: list[Mention]

    @cached_property
    def sentences(self) -> list[list[str]]:
        """The words of each sentence."""
        return [self.words[n : n + SENTENCE] for n in range(0, len(self.words), SENTENCE)]

    @cached_property
    def text(self) -> str:
        """The text, with a blank before each word but a full stop."""
        return " ".join(self.words).replace(" .", ".")

    @cached_property
    def characters(self) -> list[tuple[int, int]]:
        """Where each word begins and ends in the text."""
        found, end = [], 0
        for word in self.words:
            begin = self.text.index(word, end)
            end = begin + len(word)
            found.append((begin, end))
        return found

    @cached_property
    def entities(self) -> dict[int, list[Mention]]:
        """The mentions of each entity, in the order of the text."""
        found: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.entity, []).append(mention)
        return found

    def string(self, mention: Mention) -> str:
        """Return the words of a mention as they stand in the text."""
        begin, end = self.stretch(mention)
        return self.text[begin:end]

    def stretch(self, mention: Mention) -> tuple[int, int]:
        """Return where a mention begins and ends in the text."""
        return self.characters[mention.first][0], self.characters[mention.last][1]

    def at(self, token: int) -> tuple[list[Mention], list[Mention]]:
        """Return the mentions that begin at a token, and those that end at it, outer ones first."""
        begin, end = self._edges
        return begin.get(token, []), end.get(token, [])

    @cached_property
    def _edges(self) -> tuple[dict[int, list[Mention]], dict[int, list[Mention]]]:
        begin: dict[int, list[Mention]] = {}
        end: dict[int, list[Mention]] = {}
        for mention in sorted(self.mentions, key=lambda m: (m.first, -m.last)):
            begin.setdefault(mention.first, []).append(mention)
            end.setdefault(mention.last, []).append(mention)
        return begin, end

    def inside(self) -> Iterator[list[Mention]]:
        """Yield the mentions that each token is in."""
        open: list[Mention] = []
        for token in range(len(self.words)):
            begin, end = self.at(token)
            open = [*open, *begin]
            yield open
            open = [mention for mention in open if mention not in end]

    def with_tags(
        self, opening: Callable[[Mention], str], closing: Callable[[Mention], str]
    ) -> str:
        """Return the text with something before and after each mention."""
        parts, place = [], 0
        for token, (start, stop) in enumerate(self.characters):
            begin, end = self.at(token)
            parts += [self.text[place:start], *map(opening, begin), self.text[start:stop]]
            parts += map(closing, reversed(end))
            place = stop
        return "".join(parts) + "\n"


def texts() -> list[Text]:
    """Return the documents of the corpus."""
    random = Random(15)
    words = ["".join(random.choices(SYLLABLES, k=random.randint(1, 4))) for _ in range(5000)]
    return [_text(f"text{number:03}", random, words) for number in range(DOCUMENTS)]


def _text(name: str, random: Random, vocabulary: list[str]) -> Text:
    words = random.choices(vocabulary, k=WORDS)
    words[SENTENCE - 1 :: SENTENCE] = ["."] * (WORDS // SENTENCE)
    mentions: list[Mention] = []
    for begin in range(0, WORDS, SENTENCE):
        spans = set[tuple[int, int]]()
        while len(spans) < MENTIONS * SENTENCE:
            first = random.randrange(begin, begin + SENTENCE - 1)
            last = min(first + int(random.expovariate(0.6)), begin + SENTENCE - 2)
            if not any(a < first <= b < last or first < a <= last < b for a, b in spans):
                spans.add((first, last))
        # Many mentions of few entities; two nested mentions are never of the same entity.
        entities = random.sample(range(ENTITIES), len(spans))
        mentions += [
            Mention(*span, entity) for span, entity in zip(sorted(spans), entities, strict=True)
        ]
    return Text(name, words, mentions)


# ---- One file of JSON lines ----


def _lines(record: Callable[[Text], object]) -> Callable[[Text], str]:
    return lambda text: json.dumps(record(text), ensure_ascii=False) + "\n"


def _places(text: Text) -> tuple[str, list[int]]:
    """The words with a blank after each, and where each word begins."""
    begins, at = [], 0
    for word in text.words:
        begins.append(at)
        at += len(word) + 1
    return " ".join(text.words), begins


def _characters(text: Text) -> list[list[list[int]]]:
    """Entities with the first character of each mention, and the one after its last."""
    _, begins = _places(text)
    return [
        [[begins[m.first], begins[m.last] + len(text.words[m.last])] for m in each]
        for each in text.entities.values()
    ]


def _fastcoref(text: Text) -> object:
    return {
        "text": _places(text)[0],
        "clusters": _characters(text),
        "clusters_strings": _strings(text),
    }


def _spacy(text: Text) -> object:
    joined, begins = _places(text)
    words = zip(begins, text.words, strict=True)
    return {
        "text": joined,
        "ents": [],
        "tokens": [
            {"id": n, "start": at, "end": at + len(word)} for n, (at, word) in enumerate(words)
        ],
        "spans": {
            f"coref_clusters_{n}": [{"start": start, "end": end} for start, end in each]
            for n, each in enumerate(_characters(text), 1)
        },
    }


def _booknlp(text: Text) -> Files:
    _, begins = _places(text)
    rows = [
        f"0\t{n // SENTENCE}\t{n % SENTENCE}\t{n}\t{word}\t{word}\t{at}\t{at + len(word)}"
        "\tX\tX\tdep\t0\tO"
        for n, (at, word) in enumerate(zip(begins, text.words, strict=True))
    ]
    tokens = (
        "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\tlemma"
        "\tbyte_onset\tbyte_offset\tPOS_tag\tfine_POS_tag\tdependency_relation\tsyntactic_head_ID"
        "\tevent"
    )
    entities = [
        f"{n}\t{m.first}\t{m.last}\tNOM\tPER\t{' '.join(text.words[m.first : m.last + 1])}"
        for n, each in enumerate(text.entities.values())
        for m in each
    ]
    heading = "COREF\tstart_token\tend_token\tprop\tcat\ttext"
    return {
        f"{text.name}.tokens": "\n".join([tokens, *rows]) + "\n",
        f"{text.name}.entities": "\n".join([heading, *entities]) + "\n",
    }


CHAINS = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"


def _webanno(text: Text) -> Files:
    cells: list[list[tuple[str, str]]] = [[] for _ in text.words]
    number = 0
    for chain, each in enumerate(text.entities.values(), 1):
        for link, mention in enumerate(each, 1):
            number += 1
            for place in range(mention.first, mention.last + 1):
                cells[place].append((f"X[{number}]", f"*->{chain}-{link}"))
    _, begins = _places(text)
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_CH={CHAINS}|referenceType|referenceRelation", ""]
    for place, (at, word) in enumerate(zip(begins, text.words, strict=True)):
        if place % SENTENCE == 0:
            sentence = text.sentences[place // SENTENCE]
            lines += ["", f"#Text={' '.join(sentence)}"]
        kinds, links = zip(*cells[place], strict=True) if cells[place] else (("_",), ("_",))
        id = f"{place // SENTENCE + 1}-{place % SENTENCE + 1}"
        lines.append(f"{id}\t{at}-{at + len(word)}\t{word}\t{'|'.join(kinds)}\t{'|'.join(links)}\t")
    return {f"{text.name}.tsv": "\n".join(lines) + "\n"}


def _spans(text: Text, more: int = 0) -> list[list[list[int]]]:
    return [[[m.first, m.last + more] for m in each] for each in text.entities.values()]


def _in_sentences(text: Text) -> list[list[list[int]]]:
    return [
        [[m.first // SENTENCE, m.first % SENTENCE, m.last % SENTENCE + 1] for m in each]
        for each in text.entities.values()
    ]


def _strings(text: Text) -> list[list[str]]:
    return [[" ".join(text.words[m.first : m.last + 1]) for m in e] for e in text.entities.values()]


def _jsonl(text: Text) -> object:
    speakers = [["-"] * len(sentence) for sentence in text.sentences]
    named: dict[str, Any] = {"doc_key": text.name, "sentences": text.sentences}
    return named | {"speakers": speakers, "clusters": _spans(text)}


def _subtoken(text: Text) -> object:
    segments, firsts = list[list[str]](), dict[int, int]()
    places, sentences = list[int](), list[int]()
    for number, sentence in enumerate(text.sentences):
        segment, words = ["[CLS]"], [number * SENTENCE]
        for place, word in enumerate(sentence, start=number * SENTENCE):
            firsts[place] = len(places) + len(segment)
            pieces = [word[:4], *(f"##{word[n : n + 4]}" for n in range(4, len(word), 4))]
            segment += pieces
            words += [place] * len(pieces)
        segments.append([*segment, "[SEP]"])
        places += [*words, number * SENTENCE + len(sentence) - 1]
        sentences += [number] * (len(words) + 1)
    return {
        "doc_key": text.name,
        "sentences": segments,
        "speakers": [["-"] * len(segment) for segment in segments],
        "sentence_map": sentences,
        "subtoken_map": places,
        "clusters": [
            [[firsts[m.first], firsts[m.last]] for m in each] for each in text.entities.values()
        ],
    }


def _wl_coref(text: Text) -> object:
    return {
        "document_id": text.name,
        "cased_words": text.words,
        "sent_id": [token // SENTENCE for token in range(len(text.words))],
        "speaker": ["-"] * len(text.words),
        "word_clusters": [[m.last for m in each] for each in text.entities.values()],
        "span_clusters": _spans(text, more=1),
    }


def _maverick(text: Text) -> object:
    return {
        "tokens": text.words,
        "clusters_token_offsets": _spans(text),
        "clusters_char_offsets": None,
        "clusters_token_text": _strings(text),
        "clusters_char_text": None,
    }


def _coref_data(text: Text) -> object:
    names = ("id", "text", "start_char", "end_char")
    sentences = []
    for number, sentence in enumerate(text.sentences):
        places = text.characters[number * SENTENCE :]
        rows = [(n, word, *places[n - 1]) for n, word in enumerate(sentence, start=1)]
        tokens = [dict(zip(names, row, strict=True)) for row in rows]
        sentences.append({"id": number + 1, "speaker": None, "tokens": tokens})
    chains = [[[s, a, b - 1] for s, a, b in each] for each in _in_sentences(text)]
    return {"id": text.name, "text": text.text, "sentences": sentences, "coref_chains": chains}


LINES: dict[str, Callable[[Text], object]] = {
    "jsonl": _jsonl,
    "bare jsonl": lambda text: {"doc_key": text.name, "clusters": _spans(text)},
    "subtoken": _subtoken,
    "wl-coref": _wl_coref,
    "maverick": _maverick,
    "coref-data": _coref_data,
    "fastcoref": _fastcoref,
    "spacy-json": _spacy,
    "allennlp": lambda text: {
        "document": text.words,
        "clusters": _spans(text),
        "top_spans": [],
        "predicted_antecedents": [],
    },
    "preco": lambda text: {
        "id": text.name,
        "sentences": text.sentences,
        "mention_clusters": _in_sentences(text),
    },
    "elit": lambda text: {
        "doc_id": text.name,
        "sens": [{"sid": n, "tok": sentence} for n, sentence in enumerate(text.sentences)],
        "coref": _in_sentences(text),
    },
    "strings": lambda text: {
        "doc_key": text.name,
        "clusters": {f"e{n}": strings for n, strings in enumerate(_strings(text))},
    },
}
"""The record of a document in formats with one record per line."""


# ---- Other files ----


def _pairs(corpus: list[Text]) -> str:
    rows = [f"{t.name}\t{m.first}-{m.last}\te{m.entity}\n" for t in corpus for m in t.mentions]
    return "document\tmention_id\tcluster_id\n" + "".join(rows)


def _label_studio(corpus: list[Text]) -> str:
    def task(text: Text) -> object:
        result: list[object] = []
        last: dict[int, int] = {}
        for number, mention in enumerate(text.mentions):
            begin, end = text.stretch(mention)
            value = {"start": begin, "end": end, "text": text.string(mention), "labels": ["PER"]}
            named = {"id": f"m{number}", "from_name": "label", "to_name": "text"}
            result.append({**named, "type": "labels", "value": value})
            if mention.entity in last:
                ends = {"from_id": f"m{number}", "to_id": f"m{last[mention.entity]}"}
                result.append({**ends, "type": "relation", "labels": ["coref"]})
            last[mention.entity] = number
        annotations = [{"id": 1, "was_cancelled": False, "result": result}]
        return {"id": text.name, "data": {"text": text.text}, "annotations": annotations}

    return json.dumps([task(text) for text in corpus], ensure_ascii=False)


def _cdcr(corpus: list[Text]) -> str:
    lines = ["#begin document corpus_entities"]
    for number, text in enumerate(corpus):
        for token, word in enumerate(text.words):
            cell = _brackets(text, token, number)
            row = (1, "1_0", text.name, token // SENTENCE, token + 1, word, True, cell)
            lines.append("\t".join(map(str, row)))
    return "\n".join([*lines, "#end document", ""])


def _brackets(text: Text, token: int, document: int) -> str:
    begin, end = text.at(token)
    base = 1000 * (document + 1)
    single = [f"({base + m.entity})" for m in begin if m in end]
    opened = [f"({base + m.entity}" for m in begin if m not in end]
    closed = [f"{base + m.entity})" for m in reversed(end) if m not in begin]
    return "|".join([*opened, *single, *closed]) or "-"


def _cdcr_json(corpus: list[Text]) -> str:
    rows = [
        {
            "doc_id": text.name,
            "topic": "1",
            "subtopic": "1_0",
            "m_id": f"{number}_{place}",
            "tokens_ids": list(range(mention.first + 1, mention.last + 2)),
            "tokens": " ".join(text.words[mention.first : mention.last + 1]),
            "tags": "PER",
            "cluster_id": 1000 * number + mention.entity,
            "singleton": False,
        }
        for number, text in enumerate(corpus)
        for place, mention in enumerate(text.mentions)
    ]
    return json.dumps(rows, ensure_ascii=False)


def _anaphora(corpus: list[Text]) -> str:
    lines = ["# global.columns = ID FORM IDENTITY"]
    for text in corpus:
        lines.append(f"# newdoc id = {text.name}")
        for token, word in enumerate(text.words):
            number = token % SENTENCE + 1
            if number == 1:
                lines += ["", f"# sent_id = {text.name}-{token}"]
            begin, end = text.at(token)
            # A cell closes markables before it opens others.
            closed = ")" * sum(m.first < token for m in end)
            opened = "".join(
                f"(EntityID={m.entity}|MarkableID=m{m.first}_{m.last}|Min={m.last + 1}"
                + (")" if m.last == token else "")
                for m in begin
            )
            lines.append(f"{number}\t{word}\t{closed + opened or '_'}")
    return "\n".join([*lines, "", ""])


WHOLE: dict[str, tuple[str, Callable[[list[Text]], str]]] = {
    "pairs": ("corpus.tsv", _pairs),
    "label-studio": ("corpus.json", _label_studio),
    "cdcr": ("corpus_entities.conll", _cdcr),
    "cdcr-json": ("corpus_entities.json", _cdcr_json),
    "ua": ("corpus.conllua", _anaphora),
}
"""Formats with one file for all documents."""


# ---- Files for each document ----


def _stanza(text: Text) -> Files:
    sentences: list[list[object]] = []
    for token, open in enumerate(text.inside()):
        begin, end = text.characters[token]
        entry: dict[str, Any] = {"id": token % SENTENCE + 1, "text": text.words[token]}
        entry |= {"lemma": text.words[token], "upos": "NOUN", "start_char": begin, "end_char": end}
        if open:
            entry["coref_chains"] = [
                {"index": m.entity, "representative_text": text.string(text.entities[m.entity][0])}
                | ({"is_start": True} if m.first == token else {})
                | ({"is_end": True} if m.last == token else {})
                for m in open
            ]
        if token % SENTENCE == 0:
            sentences.append([])
        sentences[-1].append(entry)
    return {f"{text.name}.json": json.dumps(sentences, indent=1, ensure_ascii=False)}


def _stanza_conllu(text: Text) -> Files:
    lines = []
    for token, open in enumerate(text.inside()):
        number = token % SENTENCE + 1
        if number == 1:
            lines += ["", f"# text = {' '.join(text.sentences[token // SENTENCE])}"]
            lines.append(f"# sent_id = {token // SENTENCE}")
        begin, end = text.characters[token]
        chains = ",".join(f"{_stage(m, token)}-id{m.entity}" for m in open)
        misc = f"start_char={begin}|end_char={end}" + (f"|coref_chains={chains}" if chains else "")
        row = (number, text.words[token], text.words[token], "NOUN", "NN", "Number=Sing")
        lines.append("\t".join(map(str, (*row, number - 1, "dep", "_", misc))))
    return {f"{text.name}.conllu": "\n".join([*lines[1:], "", ""])}


def _stage(mention: Mention, token: int) -> str:
    if mention.first == mention.last:
        return "unit"
    return {mention.first: "start", mention.last: "end"}.get(token, "middle")


def _core_tokens(text: Text, number: int) -> Iterator[tuple[int, str, int, int]]:
    for place, word in enumerate(text.sentences[number]):
        yield place + 1, word, *text.characters[number * SENTENCE + place]


def _corenlp(text: Text) -> Files:
    names = ("index", "word", "characterOffsetBegin", "characterOffsetEnd")
    sentences = [
        {
            "index": number,
            "tokens": [
                dict(zip(names, row, strict=True))
                | {"originalText": row[1], "pos": "NN", "ner": "O"}
                for row in _core_tokens(text, number)
            ],
        }
        for number in range(len(text.sentences))
    ]
    chains: dict[str, list[object]] = {}
    for number, mention in enumerate(text.mentions):
        first, last = mention.first % SENTENCE + 1, mention.last % SENTENCE + 1
        words = " ".join(text.words[mention.first : mention.last + 1])
        fields: dict[str, Any] = {"id": number, "text": words, "type": "NOMINAL"}
        fields |= {"startIndex": first, "endIndex": last + 1, "headIndex": last}
        fields |= {"sentNum": mention.first // SENTENCE + 1, "position": [1, 1]}
        chains.setdefault(str(mention.entity), []).append(fields)
    record = {"sentences": sentences, "corefs": chains}
    return {f"{text.name}.txt.json": json.dumps(record, indent=1, ensure_ascii=False)}


def _corenlp_xml(text: Text) -> Files:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<root><document>"]
    lines += [f"<docId>{text.name}.txt</docId>", "<sentences>"]
    for number in range(len(text.sentences)):
        lines.append(f'<sentence id="{number + 1}"><tokens>')
        for place, word, begin, end in _core_tokens(text, number):
            lines += [f'<token id="{place}">', f"<word>{word}</word>", f"<lemma>{word}</lemma>"]
            lines.append(f"<CharacterOffsetBegin>{begin}</CharacterOffsetBegin>")
            lines.append(f"<CharacterOffsetEnd>{end}</CharacterOffsetEnd>")
            lines += ["<POS>NN</POS>", "<NER>O</NER>", "</token>"]
        lines.append("</tokens></sentence>")
    lines.append("</sentences><coreference>")
    for mentions in text.entities.values():
        lines.append("<coreference>")
        for mention in mentions:
            first, last = mention.first % SENTENCE + 1, mention.last % SENTENCE + 1
            lines.append(f"<mention><sentence>{mention.first // SENTENCE + 1}</sentence>")
            lines.append(f"<start>{first}</start><end>{last + 1}</end><head>{last}</head>")
            lines.append(f"<text>{text.string(mention)}</text></mention>")
        lines.append("</coreference>")
    lines.append("</coreference></document></root>")
    return {f"{text.name}.txt.xml": "\n".join([*lines, ""])}


def _ecb(text: Text) -> Files:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<Document doc_name="{text.name}">']
    for token, word in enumerate(text.words):
        place = f'sentence="{token // SENTENCE}" number="{token % SENTENCE}"'
        lines.append(f'<token t_id="{token + 1}" {place}>{word}</token>')
    lines.append("<Markables>")
    ids = {mention: number for number, mention in enumerate(text.mentions, start=1)}
    for mention, id in ids.items():
        anchors = range(mention.first + 1, mention.last + 2)
        inside = "".join(f'<token_anchor t_id="{token}"/>' for token in anchors)
        lines.append(f'<HUMAN_PART_PER m_id="{id}">{inside}</HUMAN_PART_PER>')
    lines += [
        f'<HUMAN_PART_PER m_id="{1000 + entity}" RELATED_TO="" TAG_DESCRIPTOR="e{entity}" '
        f'instance_id="HUM{entity}"/>'
        for entity in text.entities
    ]
    lines.append("</Markables><Relations>")
    for entity, mentions in text.entities.items():
        lines.append(f'<CROSS_DOC_COREF r_id="{entity}" note="HUM{entity}">')
        lines += [f'<source m_id="{ids[mention]}"/>' for mention in mentions]
        lines.append(f'<target m_id="{1000 + entity}"/></CROSS_DOC_COREF>')
    return {f"{text.name}.xml": "\n".join([*lines, "</Relations></Document>", ""])}


def _litbank(text: Text) -> Files:
    mentions, links = [], []
    for number, m in enumerate(text.mentions):
        words = " ".join(text.words[m.first : m.last + 1])
        first, last = divmod(m.first, SENTENCE), divmod(m.last, SENTENCE)
        mentions.append(
            f"MENTION\tT{number}\t{first[0]}\t{first[1]}\t{last[0]}\t{last[1]}\t{words}"
        )
        links.append(f"COREF\tT{number}\te-{m.entity}\n")
    rows = "".join(f"{mention}\tPER\tNOM\n" for mention in mentions) + "".join(links)
    lines = "".join(" ".join(sentence) + "\n" for sentence in text.sentences)
    return {f"{text.name}.ann": rows, f"{text.name}.txt": lines}


def _mmax2(text: Text) -> Files:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    words = "".join(f'<word id="word_{n}">{w}</word>\n' for n, w in enumerate(text.words, start=1))
    markables = "".join(
        f'<markable id="markable_{number}" span="{_mmax_span(m)}" coref_class="set_{m.entity}" '
        'mmax_level="coref"/>\n'
        for number, m in enumerate(text.mentions)
    )
    name = 'xmlns="www.eml.org/NameSpaces/coref"'
    return {
        f"{text.name}.mmax": f"{head}<mmax_project>\n<words>{text.name}_words.xml</words>\n"
        "</mmax_project>\n",
        f"Basedata/{text.name}_words.xml": f"{head}<words>\n{words}</words>\n",
        f"Markables/{text.name}_coref_level.xml": f"{head}<markables {name}>\n{markables}"
        "</markables>\n",
    }


def _mmax_span(mention: Mention) -> str:
    first, last = f"word_{mention.first + 1}", f"word_{mention.last + 1}"
    return first if first == last else f"{first}..{last}"


def _scorch(text: Text) -> Files:
    clusters = {f"e{e}": [f"{m.first}-{m.last}" for m in each] for e, each in text.entities.items()}
    record = {"type": "clusters", "clusters": clusters}
    return {f"{text.name}.json": json.dumps(record, indent=1)}


def _sacr(text: Text) -> Files:
    marked = text.with_tags(lambda m: f'{{e{m.entity}:EN="{TYPES[m.entity % 3]}" ', lambda _: "}")
    return {f"{text.name}.sacr": f"#textid:{text.name}\n\n{marked}"}


def _tagged(text: Text) -> Files:
    marked = text.with_tags(lambda _: "[", lambda mention: f"](#e{mention.entity})")
    return {f"{text.name}.txt": marked}


EACH: dict[str, Callable[[Text], Files]] = {
    "stanza": _stanza,
    "stanza-conllu": _stanza_conllu,
    "corenlp": _corenlp,
    "corenlp-xml": _corenlp_xml,
    "ecb": _ecb,
    "litbank": _litbank,
    "mmax2": _mmax2,
    "scorch": _scorch,
    "sacr": _sacr,
    "tagged": _tagged,
    "booknlp": _booknlp,
    "webanno": _webanno,
}
"""Formats with files for each document."""

WRITTEN = {
    "conll": "corpus.conll",
    "corefud": "corpus.conllu",
    "json": "corpus.json",
    "native": "corpus.native.jsonl",
    "brat": "",
}
"""Formats that corefscope writes, and the file; nothing for a folder."""


def files_of(format: str, corpus: list[Text]) -> Files:
    """Return the files of a corpus in a format that corefscope does not write itself."""
    if format in LINES:
        return {"corpus.jsonl": "".join(map(_lines(LINES[format]), corpus))}
    if format in WHOLE:
        name, whole = WHOLE[format]
        return {name: whole(corpus)}
    return {name: text for each in corpus for name, text in EACH[format](each).items()}


def make(folder: Path) -> dict[str, Path]:
    """Write the corpus in every format; return the paths."""
    corpus = texts()
    paths: dict[str, Path] = {}
    for format in (*LINES, *WHOLE, *EACH):
        files = files_of(format, corpus)
        for name, contents in files.items():
            path = folder / format / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(contents, encoding="utf-8")
        paths[format] = folder / format / ("" if format in EACH else next(iter(files)))
    return paths | _written(paths["coref-data"], folder)


def _written(source: Path, folder: Path) -> dict[str, Path]:
    """Write the formats that corefscope writes, from a format that has text and characters."""
    from corefscope import read, write

    corpus = read(source, "coref-data")
    for format, name in WRITTEN.items():
        (folder / format).mkdir(exist_ok=True)
        write(corpus, folder / format / name, format, lossy=True)
    return {format: folder / format / name for format, name in WRITTEN.items()}


def main() -> None:
    """Write the corpus unless it is there, and print the formats with their paths."""
    folder = DATA / f"formats-{VERSION}"
    listed = folder / "paths.json"
    if not listed.exists():
        folder.mkdir(parents=True, exist_ok=True)
        paths = {format: str(path) for format, path in make(folder).items()}
        listed.write_text(json.dumps(paths))
    print(listed.read_text())


if __name__ == "__main__":
    main()
