"""Duet for people: as text, as an image, in a window. All of it is drawn from a :class:`Scene`.

Only pictures need pygame, and only when the first one is drawn.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import window
from ..table import Table
from .cards import CARD_NAMES, FOOTPRINTS, NUM_RANKS, SUITS
from .ruleset import Ruleset
from .scene import HandCard, Player, Scene, Space

WIDTH = 80


def scene_of(table: Table, perspective: int | None = None) -> Scene:
    """What is to be drawn of a game: the whole table, or what the seat ``perspective`` sees of it."""
    if perspective is None:
        return Scene.of_state(table.to_dict(), table.ruleset)
    return Scene.of_observation(table.describe(perspective), table.ruleset, perspective, table.outcome())


def scene_of_view(described: Mapping[str, Any], ruleset: Ruleset, seat: int) -> Scene:
    """What a seat sees, for someone who has no table but the seat's described observation."""
    return Scene.of_observation(described, ruleset, seat)


def text(scene: Scene) -> str:
    """The scene in plain Unicode, at most 80 columns wide; the near player's end of the path is left."""
    near, far = scene.players
    lines = [
        _ends(
            f"round {scene.round + 1} of {scene.rounds} · trick {scene.trick + 1} of {scene.tricks}",
            f"collected {scene.collected} of {scene.all_gems} gems",
        ),
        "─" * WIDTH,
        *_hand(far),
        "",
        _ends(near.end, far.end),
        _row([_space(space, index == scene.tracker) for index, space in enumerate(scene.spaces)]),
        _row([_beside(space) for space in scene.spaces]),
        "",
        f"forest   {_count(scene.forest_tiles, 'tile')} left",
        f"decree   {_decree(scene)}",
        *_trick(scene),
        "",
        *_hand(near),
        "─" * WIDTH,
        f"→ {scene.sentence()}",
    ]
    if any(card.known for player in scene.players for card in player.hand):
        lines.append("  * known to the other player")
    return "\n".join(lines)


def image(scene: Scene) -> np.ndarray:
    """The scene as a picture, uint8 of shape ``(720, 960, 3)``; the same scene gives the same pixels.

    It needs neither a screen nor a window.

    Raises:
        ImportError: pygame is missing.
    """
    return window.pixels(_drawn(scene))


class Window(window.Window):
    """A window that shows scenes, one after another.

    Args:
        fps: Scenes a second at most; ``show`` waits as long as that takes.

    Raises:
        ImportError: pygame is missing.
    """

    def __init__(self, fps: float = 4) -> None:
        super().__init__("Duet", _drawn, fps)


def _drawn(scene: Scene) -> Any:
    window.import_pygame()
    from . import picture

    return picture.draw(scene)


# --- the lines of the text --------------------------------------------------------------------------


def _ends(left: str, right: str) -> str:
    return left + right.rjust(WIDTH - len(left))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _hand(player: Player) -> list[str]:
    """Who sits there and what they hold, suit by suit."""
    title = [f"{'▸' if player.to_move else ' '} {player.title}", _count(len(player.hand), "card")]
    if player.leads:
        title.append("leads")
    if player.signal is not None:
        title.append(f"announced {player.signal}")
    groups = [
        f"{suit} {' '.join(_rank(card) for card in cards)}"
        for number, suit in enumerate(SUITS)
        if (
            cards := [
                card for card in player.hand if card.card is not None and card.card // NUM_RANKS == number
            ]
        )
    ]
    hidden = sum(card.card is None for card in player.hand)
    if hidden:
        groups.append(f"{hidden} face down")
    groups += [
        f"giving {CARD_NAMES[card.card]}" for card in player.hand if card.chosen and card.card is not None
    ]
    return [" · ".join(title), f"    {'   '.join(groups)}".rstrip()]


def _rank(card: HandCard) -> str:
    assert card.card is not None
    return f"{card.card % NUM_RANKS + 1}{'*' if card.known else ''}"


def _row(cells: list[str]) -> str:
    return "".join(cell.center(WIDTH // len(cells)) for cell in cells).rstrip()


def _space(space: Space, tracker: bool) -> str:
    number = "♣♣" if space.covered else str(space.number)
    return f"[{number}]" if tracker else number


def _beside(space: Space) -> str:
    gems = f"{space.gems}◆" if space.gems else "" if space.start or space.covered else "·"
    return f"{gems:>2}{'+' if space.plus else ' '}"


def _card(scene: Scene, card: int) -> str:
    """``"rose 3 (Foxes, 2 steps)"``."""
    character = scene.character(card)
    steps = _count(FOOTPRINTS[card % NUM_RANKS], "step")
    return f"{CARD_NAMES[card]} ({f'{character}, ' if character else ''}{steps})"


def _decree(scene: Scene) -> str:
    return "not dealt yet" if scene.decree is None else f"{CARD_NAMES[scene.decree]} · trump is {scene.trump}"


def _trick(scene: Scene) -> list[str]:
    """Two lines: the current trick, or the one before while this one is empty."""
    cards = scene.trick_cards or scene.last_trick
    if not cards:
        return ["trick    no card yet", ""]
    labels = ("trick" if scene.trick_cards else "last", "")
    lines = [
        f"{label:9}{scene.players[played.player].name} {verb} {_card(scene, played.card)}"
        for label, verb, played in zip(labels, ("led", "followed with"), cards, strict=False)
    ]
    return lines if len(lines) == 2 else [*lines, ""]
