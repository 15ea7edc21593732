"""Every snippet of docs/interop.md runs, where the libraries that it imports are there."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "interop.md"


def snippets() -> list[tuple[str, str]]:
    """Every fenced block of Python with the heading above it."""
    found, heading = [], ""
    for line, code in re.findall(r"^## (.*)$|^```python\n((?:.*\n)*?)```$", PAGE.read_text(), re.MULTILINE):
        heading = line or heading
        if code:
            found.append((heading, code))
    return found


def libraries(code: str) -> set[str]:
    """The packages that a snippet imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.split(".")[0] for name in names}


@pytest.mark.interop
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning")
@pytest.mark.parametrize("code", [pytest.param(code, id=heading) for heading, code in snippets()])
def test_snippets_run(code: str) -> None:
    missing = sorted(name for name in libraries(code) if find_spec(name) is None)
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    exec(compile(code, str(PAGE), "exec"), {"__name__": "__main__"})


def test_the_page_speaks_of_every_library() -> None:
    headings = re.findall(r"^## (.*)$", PAGE.read_text(), re.MULTILINE)
    assert headings == ["PettingZoo", "Gymnasium", "Stable-Baselines3", "TorchRL", "Tianshou", "RLlib"]
    assert {heading for heading, _ in snippets()} == set(headings) - {"RLlib"}
