"""Write the pages that are made from the code: tables, the list of rulings, playthroughs.

    python docs/generate.py

A test compares what lies here with what this script would write.
"""

import itertools
import re
import tomllib
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reynard.envs import GAMES, find_game
from reynard.envs.game import Game
from reynard.envs.games import in_short
from reynard.policies.menagerie import zoo_card, zoo_names
from reynard.training.show import play_through

DOCS = Path(__file__).parent
SEED = 7
MANY_OF_A_SORT = 40

#: What observations are shown of, by heading: options on top of ``standard``.
VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    "duet": {"": {}},
    "lisak": {
        "Compact, as in `standard`": {},
        'With `knowledge="posterior"`': {"knowledge": "posterior"},
        'Flat, with `rows="flat"`': {"rows": "flat"},
    },
}

#: Who plays in the playthroughs: players without fractions, which could be rounded otherwise elsewhere.
PLAYERS = {"duet": ["random"], "lisak": ["fox=random", "seeker=naive"]}
MADE = "<!-- Made by docs/generate.py; change the code it comes from. -->\n\n"


def pages() -> dict[Path, str]:
    """Every generated page, by its place under ``docs``."""
    made = {Path("rules.md"): rulings_page(), Path("zoo.md"): zoo_page()}
    for name in GAMES:
        game = find_game(name)
        made[Path(f"{name}-observation.md")] = observation_page(game)
        made[Path(f"{name}-actions.md")] = actions_page(game)
        for preset, ruleset in game.presets.items():
            made[Path(f"playthroughs/{name}-{preset}.txt")] = playthrough(game, preset, ruleset)
    return made


def observation_page(game: Game) -> str:
    """The segments of an observation, with their places in the flat vector."""
    lines = [f"# Observations of {game.name}\n"]
    for title, options in VARIANTS[game.name].items():
        ruleset = game.make_ruleset("standard", **options)
        layout = game.layout(ruleset)
        lines += [f"## {title}\n"] if title else []
        lines += [
            f"The flat vector is `{layout.dtype}`, shape `({layout.size},)`. With `history=False` it ends",
            f"before the segments marked *history*, with shape `({layout.size_without_history},)`. Values",
            "run from 0 to the number in the column *high*. `describe` turns a vector back into names.\n",
            "| segment | from | to | shape | high | meaning |",
            "|---|---|---|---|---|---|",
        ]
        slices = layout.slices()
        for part in layout.segments:
            place = slices[part.name]
            mark = " *(history)*" if place.start >= layout.size_without_history else ""
            shape = " × ".join(map(str, part.shape))
            meaning = part.meaning.replace("|", "\\|")
            lines.append(
                f"| `{part.name}`{mark} | {place.start} | {place.stop} | {shape} | {part.high} | {meaning} |"
            )
        lines.append("")
    return MADE + "\n".join(lines)


def actions_page(game: Game) -> str:
    """The catalogue of actions; of a long run of the same sort the first and the last."""
    names = game.action_names(game.presets["standard"])
    lines = [f"# Actions of {game.name}\n", f"`Discrete({len(names)})` for every agent.\n"]
    lines += ["| action | name |", "|---|---|"]
    sorts = [name.split(": ")[0] if ": " in name else name for name in names]
    for _, run in itertools.groupby(range(len(names)), key=sorts.__getitem__):
        first, *rest = run
        if len(rest) > MANY_OF_A_SORT:
            lines += [f"| {first} | {names[first]} |", "| … | … |", f"| {rest[-1]} | {names[rest[-1]]} |"]
        else:
            lines += [f"| {action} | {names[action]} |" for action in (first, *rest)]
    return MADE + "\n".join(lines) + "\n"


def tests_by_ruling() -> Mapping[str, list[str]]:
    """The tests that name each ruling: ``test_D11_…`` or ``test_D16_D17_…`` or ``test_D5_to_D8_…``."""
    found: dict[str, list[str]] = {}
    for source in sorted((DOCS.parent / "tests").rglob("test_*.py")):
        for name in re.findall(r"^\s*def (test_[DLX]\d+\w*)", source.read_text(), re.MULTILINE):
            for ruling in rulings_in(name):
                found.setdefault(ruling, []).append(f"`{source.stem}::{name}`")
    return found


def rulings_in(test: str) -> list[str]:
    """The rulings in a test's name, ``X_to_Y`` meaning all between."""
    words, rulings = test.split("_")[1:], []
    while words and re.fullmatch(r"[DLX]\d+", words[0]):
        first = words.pop(0)
        if len(words) > 1 and words[0] == "to":
            last = words[1]
            rulings += [f"{first[0]}{k}" for k in range(int(first[1:]), int(last[1:]) + 1)]
            words = words[2:]
        else:
            rulings.append(first)
    return rulings


def rulings_page() -> str:
    """Which tests prove which ruling."""
    rulings = tomllib.loads((DOCS / "rulings.toml").read_text())
    tests = tests_by_ruling()
    lines = ["# Rulings and their tests\n", rulings.pop("about").strip() + "\n"]
    for group in rulings.values():
        lines += [f"## {group.pop('title')}\n", "| ruling | in short | tests |", "|---|---|---|"]
        for number, short in group.items():
            lines.append(f"| {number} | {short} | {'<br>'.join(tests.get(number, ['**none**']))} |")
        lines.append("")
    return MADE + "\n".join(lines)


ZOO = """# The zoo

Trained networks that come with the package: weights and a card each, in [`policies/zoo`](../policies/zoo).
They play wherever a policy is named, as `zoo:NAME` (their favourites) or `zoo:NAME,sample` (by their odds):

    reynard zoo list
    reynard evaluate duet --policy zoo:duet-standard-a-s0
    reynard evaluate lisak --policy zoo:lisak-small-s0 --set ruleset=small --set knowledge=posterior

Each line is a card: {games:,} games by argmax play of the team that is this network in every seat, on deals
that are not those of its training (seed {seed}), with a 95% interval; a test plays a thousand of them again.
`op`: trained by Other-Play; `taught`: by games of a team that searches, and then by Other-Play
([distillation](search.md#without-searching)). A card's `config` is all that it takes to train the network
again ([training](training.md)); {threads}. What the figures mean is told in [results](results.md).
"""


def zoo_page() -> str:
    """A table of the zoo for each game, from the cards."""
    cards = {name: zoo_card(name) for name in zoo_names()}
    first = next(iter(cards.values()))["evaluation"]
    threads = {card["config"]["threads"] for card in cards.values()}
    told = "each was trained on one core" if threads == {1} else "the cards tell on how many cores"
    lines = [ZOO.format(games=first["games"], seed=f"{first['seed']:,}", threads=told)]
    for game in GAMES:
        mine = {name: card for name, card in cards.items() if card["game"] == game}
        means = [key for key in next(iter(mine.values()))["evaluation"] if key.endswith("_mean")]
        shown = [key.removesuffix("_mean") for key in means if key != "moves_mean"]
        lines += [
            f"## {find_game(game).name}\n",
            f"| name | ruleset | wins | 95% interval | {' | '.join(shown)} | decisions | minutes |",
            "|---|---|---|---|" + "---|" * len(shown) + "---|---|",
        ]
        for name, card in mine.items():
            result, rules = card["evaluation"], card["config"]["ruleset"]
            low, high = result["interval"]
            rules = ", ".join(f"{k}={v}" for k, v in rules.items()) if isinstance(rules, dict) else rules
            numbers = " | ".join(f"{result[f'{key}_mean']:.2f}" for key in shown)
            lines.append(
                f"| `{name}` | `{rules}` | {result['win_rate']:.1%} | {low:.1%}–{high:.1%} | {numbers} | "
                f"{card['decisions'] / 1e6:.1f} M | {card['seconds'] / 60:.0f} |"
            )
        lines.append("")
    return MADE + "\n".join(lines)


def playthrough(game: Game, preset: str, ruleset: Any) -> str:
    """One game, decision by decision, down to the bytes of what each seat observes."""
    renderer, players = game.renderer(), PLAYERS[game.name]
    options = ", ".join(f"{key}={value}" for key, value in ruleset.to_dict().items())
    lines = [f"{game.name} {preset}, seed {SEED}, {' and '.join(players)} players", f"options: {options}"]
    before: dict[str, Any] = {}
    for table, seat, action in play_through(game, players, SEED, ruleset=ruleset):
        state = table.to_dict()
        changed = {key: value for key, value in state.items() if before.get(key) != value}
        digests = " ".join(f"{zlib.crc32(seen.tobytes()):08x}" for seen in table.observations)
        if "round" in changed or action is None:
            lines += ["", renderer.text(renderer.scene_of(table, None)), ""]
        lines.append("  " + "; ".join(f"{key} {value}" for key, value in changed.items()))
        lines.append(f"  observations {digests}; state {zlib.crc32(table.state().tobytes()):08x}")
        before = state
        if action is not None:
            legal = ", ".join(in_short(table.masks[seat].nonzero()[0], table.action_names, "{name}"))
            lines.append(f"{table.agents[seat]}: {action} {table.action_names[action]}   [{legal}]")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write all pages."""
    for place, text in pages().items():
        path = DOCS / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
