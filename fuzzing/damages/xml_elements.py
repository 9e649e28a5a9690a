"""Damages to any XML: elements, attributes and text, wherever they are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import NamedTuple

from fuzzing.damages.catalogue import XML, Damaged, PlacedChange, everywhere

ALL = (XML,)


class Node(NamedTuple):
    """An element with the one around it."""

    parent: ET.Element
    element: ET.Element

    @property
    def name(self) -> str:
        """The name of the element, without its name space."""
        return self.element.tag.rpartition("}")[2]


def nodes(root: ET.Element) -> Iterator[Node]:
    """Yield all elements but the root."""
    for parent in root.iter():
        for element in parent:
            yield Node(parent, element)


def in_one_node(
    fits: Callable[[Node], bool], change: Callable[[Node, Random], str | None]
) -> PlacedChange:
    """Change one element; a change may say more about its place."""

    def changed(data: bytes, random: Random) -> Damaged | None:
        space = re.search(rb'xmlns="([^"]+)"', data)
        if space:
            ET.register_namespace("", space[1].decode())
        root = ET.fromstring(data)
        found = [node for node in nodes(root) if fits(node)]
        if not found:
            return None
        name = random.choice(sorted({node.name for node in found}))
        more = change(random.choice([node for node in found if node.name == name]), random)
        return Damaged(ET.tostring(root, "utf-8", xml_declaration=True), f"{name}{more or ''}")

    return changed


def has_attributes(node: Node) -> bool:
    """Tell whether an element has attributes."""
    return bool(node.element.attrib)


def has_text(node: Node) -> bool:
    """Tell whether an element has text of its own."""
    return bool((node.element.text or "").strip())


def is_any(_: Node) -> bool:
    """Accept each element."""
    return True


def at_an_attribute(
    change: Callable[[dict[str, str], str, Random], None], numbers: bool = False
) -> PlacedChange:
    """Change one attribute of an element."""

    def changed(node: Node, random: Random) -> str:
        attributes = node.element.attrib
        name = random.choice(
            [n for n in attributes if not numbers or re.search(r"\d", attributes[n])]
        )
        change(attributes, name, random)
        return f"@{name.rpartition('}')[2]}"

    def fits(node: Node) -> bool:
        values = node.element.attrib.values()
        return any(not numbers or re.search(r"\d", value) for value in values)

    return in_one_node(fits, changed)


@everywhere(ALL, "an element that others need is missing")
def drop_an_element(data: bytes, random: Random) -> Damaged | None:
    """An element is lost."""
    return in_one_node(is_any, lambda node, _: node.parent.remove(node.element))(data, random)


@everywhere(ALL, "an element comes twice, with the same id")
def repeat_an_element(data: bytes, random: Random) -> Damaged | None:
    """An element comes twice."""

    def change(node: Node, _: Random) -> None:
        place = list(node.parent).index(node.element)
        node.parent.insert(place, deepcopy(node.element))

    return in_one_node(is_any, change)(data, random)


@everywhere(ALL, "nobody knows the name of the element")
def misspell_an_element(data: bytes, random: Random) -> Damaged | None:
    """The name of an element lacks its last letter."""

    def change(node: Node, _: Random) -> None:
        node.element.tag = node.element.tag[:-1]

    return in_one_node(lambda node: len(node.name) > 1, change)(data, random)


@everywhere(ALL, "the order of tokens, or of first and last, is another one")
def swap_two_elements(data: bytes, random: Random) -> Damaged | None:
    """Two neighbouring elements change places."""

    def change(node: Node, _: Random) -> None:
        children = list(node.parent)
        place = children.index(node.element)
        node.parent.remove(node.element)
        node.parent.insert(place - 1 if place else 1, node.element)

    return in_one_node(lambda node: len(node.parent) > 1, change)(data, random)


@everywhere(ALL, "an attribute that is needed is missing")
def drop_an_attribute(data: bytes, random: Random) -> Damaged | None:
    """An attribute is lost."""

    def change(attributes: dict[str, str], name: str, _: Random) -> None:
        del attributes[name]

    return at_an_attribute(change)(data, random)


@everywhere(ALL, "nobody knows the name of the attribute")
def misspell_an_attribute(data: bytes, random: Random) -> Damaged | None:
    """The name of an attribute lacks its last letter."""

    def change(attributes: dict[str, str], name: str, _: Random) -> None:
        attributes[name[:-1] or "x"] = attributes.pop(name)

    return at_an_attribute(change)(data, random)


@everywhere(ALL, "an empty attribute is not an id or a position")
def empty_an_attribute(data: bytes, random: Random) -> Damaged | None:
    """An attribute is empty."""

    def change(attributes: dict[str, str], name: str, _: Random) -> None:
        attributes[name] = ""

    return at_an_attribute(change)(data, random)


def _changed_number(text: str, random: Random) -> str:
    """Return a text with its last number changed."""
    number = random.choice(["1000000", "-1", "1.5", "x", "+1"])

    def other(match: re.Match[str]) -> str:
        return str(int(match[0]) + 1) if number == "+1" else number

    return re.sub(r"\d+(?!.*\d)", other, text)


@everywhere(ALL, "the number points nowhere, or to a place that does not fit its text")
def change_a_number_of_an_attribute(data: bytes, random: Random) -> Damaged | None:
    """A number in an attribute changes."""

    def change(attributes: dict[str, str], name: str, random: Random) -> None:
        attributes[name] = _changed_number(attributes[name], random)

    return at_an_attribute(change, numbers=True)(data, random)


@everywhere(ALL, "the number points nowhere, or to a place that does not fit its text")
def change_a_number_of_an_element(data: bytes, random: Random) -> Damaged | None:
    """A number in the text of an element changes."""

    def change(node: Node, random: Random) -> None:
        node.element.text = _changed_number(node.element.text or "", random)

    return in_one_node(lambda node: bool(re.search(r"\d", node.element.text or "")), change)(
        data, random
    )


@everywhere(ALL, "words differ, or a position is missing")
def empty_an_element(data: bytes, random: Random) -> Damaged | None:
    """The text of an element is lost."""

    def change(node: Node, _: Random) -> None:
        node.element.text = ""

    return in_one_node(has_text, change)(data, random)


@everywhere(ALL, "the file is not XML")
def drop_a_sign_of_xml(data: bytes, random: Random) -> Damaged | None:
    """A bracket, a quote or a slash is lost."""
    found = [n for n, byte in enumerate(data) if byte in b'<>/"=']
    at = random.choice(found)
    return Damaged(data[:at] + data[at + 1 :], chr(data[at]))
