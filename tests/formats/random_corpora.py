"""Random documents with everything that a corpus can hold, as lines of the native format."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

WORDS = ["Ann", "Zoë", "🥐", "the", "old", "café", "(", "it", "x-y", "'s", "10", "Å"]
BETWEEN = ["", " ", "  ", "\n", "\n\n", " \n"]
LAYERS = ("tags", "lemmas", "speakers", "xpos", "mood")


@st.composite
def lines(draw: st.DrawFn, *, ids: bool = False) -> str:
    """One to three documents; with ``ids``, some mentions are no spans."""
    count, has_heads = draw(st.integers(1, 3)), draw(st.booleans())
    records = [
        draw(documents(name=f"d{number}", ids=ids, has_heads=has_heads)) for number in range(count)
    ]
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@st.composite
def documents(draw: st.DrawFn, name: str, ids: bool, has_heads: bool) -> dict[str, Any]:
    sentences = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    tokens = sum(sentences)
    nodes = draw(_nodes(sentences)) if draw(st.booleans()) else []
    words = draw(st.lists(st.sampled_from(WORDS), min_size=tokens, max_size=tokens))
    for node in nodes:
        words[node["token"]] = "_"
    record: dict[str, Any] = {
        "corefscope": "0.1.0",
        "schema": "corpus/1",
        "name": name,
        "tokens": tokens,
    }
    if draw(st.booleans()):
        record["text"], record["characters"] = draw(_text(words))
    record["sentences"] = sentences
    record["layers"] = {"words": words}
    for layer in LAYERS:
        if draw(st.booleans()):
            values = st.sampled_from(["-", "NN", "a"])
            record["layers"][layer] = draw(st.lists(values, min_size=tokens, max_size=tokens))
    if has_heads:
        record["has_heads"] = True
    if nodes:
        record["empty_nodes"] = nodes
    record["entities"] = draw(_entities(tokens, has_heads, ids))
    if draw(st.booleans()):
        record["anaphora"] = draw(_anaphora(tokens, [node["token"] for node in nodes]))
    return record


@st.composite
def _nodes(draw: st.DrawFn, sentences: list[int]) -> list[dict[str, Any]]:
    nodes, token = [], 0
    for size in sentences:
        word = minor = 0
        for place in range(size):
            if place and draw(st.integers(0, 4)) == 0:
                minor += 1
                nodes.append({"token": token, "id": f"{word}.{minor}", "dependencies": "1:nsubj"})
            else:
                word, minor = word + 1, 0
            token += 1
    return nodes


@st.composite
def _text(draw: st.DrawFn, words: list[str]) -> tuple[str, list[list[int]]]:
    text, characters = "", []
    for word in words:
        text += draw(st.sampled_from(BETWEEN)) if text else ""
        characters.append([len(text), len(text) + len(word)])
        text += word
    return text + draw(st.sampled_from(["", "\n"])), characters


@st.composite
def _span(draw: st.DrawFn, tokens: int) -> list[int]:
    return sorted((draw(st.integers(0, tokens - 1)), draw(st.integers(0, tokens - 1))))


@st.composite
def _entities(draw: st.DrawFn, tokens: int, has_heads: bool, ids: bool) -> list[dict[str, Any]]:
    count = draw(st.integers(0, 4))
    types: dict[tuple[int, int], tuple[str | None, str | None]] = {}
    entities: list[dict[str, Any]] = []
    for number in range(count):
        entity: dict[str, Any] = {"label": draw(st.sampled_from([f"e{number}", f"x{number}y"]))}
        if count > 1 and draw(st.integers(0, 3)) == 0:
            others = [other for other in range(count) if other != number]
            entity["split_antecedents"] = others[: draw(st.integers(1, 2))]
        size = draw(st.integers(1, 3))
        entity["mentions"] = [draw(_mention(tokens, has_heads, ids, types)) for _ in range(size)]
        if count > 1 and "span" in entity["mentions"][0] and draw(st.booleans()):
            bridge = {"entity": (number + 1) % count, "relation": "part"}
            entity["mentions"][0]["bridges"] = [bridge]
        entities.append(entity)
    return entities


@st.composite
def _mention(
    draw: st.DrawFn,
    tokens: int,
    has_heads: bool,
    ids: bool,
    types: dict[tuple[int, int], tuple[str | None, str | None]],
) -> dict[str, Any]:
    first, last = span = draw(_span(tokens))
    if ids and draw(st.booleans()):
        return {"id": draw(st.sampled_from(["a", 3, 2.5, True, ["a", 1], [[0, 1], "b"]]))}
    mention: dict[str, Any] = {"span": span}
    if last - first > 1 and draw(st.booleans()):
        mention = {"parts": [[first, first], [last, last]]}
    if has_heads and draw(st.booleans()):
        mention["head"] = draw(st.sampled_from([first, last]))
    kinds = st.sampled_from([None, "PER", "LOC"]), st.sampled_from([None, "NAM", "PRO"])
    type, level = types.setdefault((first, last), draw(st.tuples(*kinds)))
    mention |= {"type": type} if type else {}
    mention |= {"level": level} if level else {}
    return mention


@st.composite
def _anaphora(draw: st.DrawFn, tokens: int, nodes: list[int]) -> dict[str, Any]:
    def layer() -> dict[str, Any]:
        markables = []
        for number in range(draw(st.integers(0, 2))):
            entity = draw(st.sampled_from(["1", "2-Pseudo"]))
            markable: dict[str, Any] = {
                "id": f"m{number}",
                "entity": entity,
                "parts": [draw(_span(tokens))],
            }
            if draw(st.booleans()):
                markable |= {"minimum": draw(_span(tokens)), "element_of": ["7"]}
            is_zero = bool(nodes) and draw(st.booleans())
            if is_zero:
                node = draw(st.sampled_from(nodes))
                markable |= {"parts": [[node, node]], "is_zero": True}
            markables.append(markable)
        return {"markables": markables, "bridges": draw(st.sampled_from([[], [["m0", "m1"]]]))}

    chosen = draw(st.sampled_from(["identity", "deixis"]))
    return {"entities": "identity", "identity": layer(), "deixis": None} | {chosen: layer()}
