"""Generated pages are what the code would write; every ruling has a test; snippets run."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from games import MODULES

from reynard.policies import policy


@pytest.fixture(scope="module")
def generate(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", root / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_fresh(root: Path, generate: ModuleType) -> None:
    made = generate.pages()
    stale = [str(place) for place, text in made.items() if (root / "docs" / place).read_text() != text]
    assert not stale, "run `make docs`"


def test_every_ruling_has_a_test(generate: ModuleType) -> None:
    assert "**none**" not in generate.rulings_page()


def test_every_ruling_that_a_test_names_exists(root: Path, generate: ModuleType) -> None:
    page = (root / "docs" / "rulings.toml").read_text()
    assert all(f"\n{ruling} = " in page for ruling in generate.tests_by_ruling())


def test_every_preset_has_a_playthrough_and_no_other(root: Path) -> None:
    lying = {path.stem for path in (root / "docs" / "playthroughs").glob("*.txt")}
    assert lying == {f"{name}-{preset}" for name, module in MODULES.items() for preset in module.GAME.presets}


def python_snippets(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/policies.md", "docs/search.md"])
def test_snippets_run(root: Path, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in ("_BUILDERS", "_SUMMARIES", "_ROLES"):  # what a page registers is of that page alone
        monkeypatch.setattr(policy, registry, getattr(policy, registry).copy())
    snippets = python_snippets(root / page)
    assert snippets
    for snippet in snippets:
        exec(compile(snippet, page, "exec"), {"__name__": "__main__"})


def test_links_lead_somewhere(root: Path) -> None:
    for page in [*root.glob("*.md"), *(root / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} → {target}"
