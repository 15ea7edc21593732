"""One game to look at: as text, as an animated GIF, or played by a person."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.game import Game
from ..envs.streams import key_of
from ..envs.table import Table
from ..policies import Dice, seat_policies
from ..policies.seats import Team

MILLISECONDS_A_FRAME = 900
COLOURS = 192  # of a GIF


def play_through(
    game: Game, policies: Team, seed: int, index: int = 0, ruleset: Any = "standard", **options: Any
) -> Iterator[tuple[Table, int, int | None]]:
    """Play game ``index`` of a seed, exactly as ``evaluate`` plays it, one decision after another.

    Args:
        game: The game.
        policies: Who plays; see :func:`~reynard.policies.seats.name_seats`.
        seed: Decides the cards and the policies' dice.
        index: Which of the seed's games.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        **options: Single options that replace the ruleset's.

    Yields:
        The table, the seat that is to move and the action it will take; at the end the table once
        more with the seat -1 and no action.
    """
    table = Table(game, ruleset, **options)
    _, players = seat_policies(game, table.ruleset, policies)
    table.begin(seed, {"game": index})
    for policy in players:
        policy.reset(table.records["game"])
    key = key_of(seed)
    while (seat := table.to_move) >= 0:
        dice = Dice.at(key, table.records)
        rows = slice(seat, seat + 1)
        policy = players[seat]
        action = int(policy.act(table.observations[rows], table.masks[rows], np.array([seat]), dice)[0])
        yield table, seat, action
        table.play(action)
    yield table, -1, None


def write_gif(path: Path, frames: Sequence[np.ndarray]) -> None:
    """Write pictures (uint8, height × width × 3) as an animated GIF.

    Raises:
        ImportError: Pillow is missing; the message says how to get it.
    """
    try:
        from PIL import Image
    except ImportError as missing:
        raise ImportError('a GIF needs Pillow: pip install "reynard[render]"') from missing
    # no dithering: a still background stays the same from frame to frame, which keeps the file small; and
    # the palette covers all hues, those of small things too, instead of the background's many shades
    palette: dict[str, Any] = {"dither": Image.Dither.NONE, "method": Image.Quantize.MAXCOVERAGE}
    pictures = [Image.fromarray(frame).quantize(COLOURS, **palette) for frame in frames]
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=MILLISECONDS_A_FRAME, loop=0, optimize=True
    )
