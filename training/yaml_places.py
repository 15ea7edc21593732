"""YAML with a memory: where every key was given, so that what is wrong with it can be said there."""

import re
from typing import Any

import yaml
from yaml.reader import ReaderError
from yaml.scanner import ScannerError

from ..envs.errors import InvalidOption

Keys = tuple[str, ...]
Places = dict[Keys, str]  # where each key was given, in words, and in the order they were read


class Loader(yaml.SafeLoader):
    """YAML without dates, and with 3e-4 as a number, for which YAML 1.1 wants a dot."""


class Dumper(yaml.SafeDumper):
    """What the loader reads back."""


for _kind in (Loader, Dumper):
    _float = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$")
    _kind.add_implicit_resolver("tag:yaml.org,2002:float", _float, list("-+.0123456789"))
Loader.add_constructor("tag:yaml.org,2002:timestamp", Loader.construct_yaml_str)


def load(text: str, name: str, settings: list[str]) -> tuple[Any, Places]:
    """The YAML of a file with the settings put over it, and where each key was given."""
    places: Places = {}
    try:
        root = _compose(text, name)
        for setting in settings:
            key, equals, value = setting.partition("=")
            if not equals:
                raise InvalidOption(f"--set takes KEY=VALUE, not {setting!r}")
            root = _put(root, "", key.strip().split("."), _compose(value, f"--set {setting}"))
        _collect(root, (), root.start_mark, places)
        return Loader("").construct_document(root), places
    except yaml.MarkedYAMLError as error:
        # the scanner notices late: its context is where the unfinished thing began
        early = error.context_mark if isinstance(error, ScannerError) else None
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        raise InvalidOption(f"{_words(early or error.problem_mark)}: this is no YAML: {problem}") from None


def _compose(text: str, name: str) -> yaml.Node:
    """The nodes of a YAML text, whose marks bear this name."""
    try:
        loader = Loader(text)
    except ReaderError as error:
        mark = yaml.Mark(name, 0, text.count("\n", 0, error.position), 0, None, 0)
        raise yaml.MarkedYAMLError(problem=error.reason, problem_mark=mark) from None
    loader.name = name
    start = loader.get_mark()
    return loader.get_single_node() or yaml.ScalarNode("tag:yaml.org,2002:null", "", start, start)


def _put(node: yaml.Node | None, name: str, path: list[str], value: yaml.Node) -> yaml.Node:
    """A copy of the node (an alias may share it) with a value at the end of the path."""
    if not path:
        return value
    mark, pairs = value.start_mark, node.value if isinstance(node, yaml.MappingNode) else []
    if node and not isinstance(node, yaml.MappingNode) and node.tag != "tag:yaml.org,2002:null":
        raise InvalidOption(f"{_words(mark)}: {name or 'the file'} is no mapping; set it as a whole")
    key, inner = next((pair for pair in pairs if pair[0].value == path[0]), (None, None))
    if key is None or not path[1:]:  # a mapping that only changes inside stays where it was given
        key = yaml.ScalarNode("tag:yaml.org,2002:str", path[0], mark, mark)
    changed = _put(inner, f"{name}.{path[0]}".strip("."), path[1:], value)
    others = [pair for pair in pairs if pair[0].value != path[0]]
    start = node.start_mark if node else mark
    return yaml.MappingNode("tag:yaml.org,2002:map", [*others, (key, changed)], start, start)


def _collect(node: yaml.Node, path: Keys, mark: yaml.Mark, places: Places) -> None:
    """Where the node and all inside it were given."""
    if path in places:
        raise InvalidOption(f"{_words(mark)}: {'.'.join(path)} is given twice; give it once")
    places[path] = _words(mark)
    if len(path) > 20:  # an alias that contains itself
        raise InvalidOption(f"{_words(mark)}: {path[0]} is nested more than 20 deep")
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _collect(item, (*path, str(index)), item.start_mark, places)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _collect(value, (*path, str(key.value)), key.start_mark, places)


def _words(mark: Any) -> str:
    return mark.name if mark.name.startswith("--set ") else f"{mark.name}, line {mark.line + 1}"
