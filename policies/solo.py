"""One seat as a ``gymnasium.Env``, with policies in the other seats."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from ..envs.aec import observation_space
from ..envs.canvas import RENDER_FPS, RENDER_MODES, Canvas
from ..envs.errors import InvalidOption, unknown, whole_number
from ..envs.game import Game
from ..envs.streams import below
from ..envs.table import Table
from .policy import Dice
from .seats import Team, seat_policies

MOST_EPISODES = 1000  # that may end before the seat's first move


class Solo(gymnasium.Env[dict[str, np.ndarray], np.int64]):
    """One seat plays, policies play the others; a step ends when the seat is to move again.

    Observations are ``{"observation": int8 (size,), "action_mask": int8 (actions,)}``; the reward is the
    sum of what was earned since the seat's last move. ``info["outcome"]`` tells at the end how it ended.
    An episode that ends before the seat's first move (seekers who lose before the fox can count) has nothing
    to decide, and ``reset`` goes on to the next one.
    :meth:`action_masks` is what sb3-contrib's ``MaskablePPO`` asks for.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        partner: Who plays the other seats: a policy or its name (``"greedy"``), or one for each seat or
            role (``{"fox": "literal", "seeker": "bayes"}``); see :func:`~.seats.name_seats`.
        seat: Which seat is played, or ``None`` for each episode's seed to choose.
        illegal: ``"error"``: an action outside the mask is refused and nothing changes (X2).
            ``"replace"``: it stands for the legal action at ``action % number of legal actions``, for
            algorithms that cannot mask.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or ``None``.
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: An option is unknown or not allowed.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: Game,
        ruleset: Any = "standard",
        partner: Team = "random",
        seat: int | None = 0,
        illegal: str = "error",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if illegal not in ("error", "replace"):
            raise InvalidOption(unknown("value for illegal:", illegal, ("error", "replace")))
        self._canvas = Canvas(render_mode)
        self.table = Table(game, ruleset, **options)
        seats = len(self.table.agents)
        self._fixed_seat = None if seat is None else whole_number(seat, "seat (if not None)", 0, seats - 1)
        mine = () if self._fixed_seat is None else (self._fixed_seat,)
        _, self._players = seat_policies(game, self.table.ruleset, partner, empty=mine)
        self.illegal = illegal
        self.render_mode = render_mode
        self.seat = self._fixed_seat or 0
        self.observation_space = observation_space(game, self.table.ruleset, len(self.table.action_names))
        self.action_space = gymnasium.spaces.Discrete(len(self.table.action_names))

    @property
    def ruleset(self) -> Any:
        """The options that are in force."""
        return self.table.ruleset

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin an episode and let the others move until the seat is to move.

        Args:
            seed: A new seed, or ``None`` to go on with the next episode of the last one.
            options: What chance decides, fixed; see the game's ``reset`` options.
        """
        super().reset(seed=seed)
        for attempt in range(MOST_EPISODES):
            self.table.begin(seed if attempt == 0 else None, options)
            if self._fixed_seat is None:
                # the last word of the first decision's dice, which no policy has looked at yet
                self.seat = below(int(self._dice().words()[0, -1]), len(self.table.agents))
            for policy in {id(policy): policy for policy in self._players}.values():
                policy.reset(self.table.records["game"])
            self._play_others()
            if self.table.to_move >= 0:
                return self._observe(), self._info()
        raise InvalidOption(
            f"{self.table.agents[self.seat]} has nothing to decide: its partners ended {MOST_EPISODES} games "
            "before its first move"
        )

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Play the seat's action, then the others' until it is to move again or the game is over.

        Raises:
            IllegalAction: The action is not legal, and ``illegal`` is ``"error"``.
        """
        if self.illegal == "replace" and self.table.to_move == self.seat:
            legal = np.flatnonzero(self.table.masks[self.seat])
            action = int(legal[int(action) % len(legal)])
        reward = self.table.play(action) + self._play_others()
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, self.table.to_move < 0, False, self._info()

    def action_masks(self) -> np.ndarray:
        """What the seat may do, truth values, shape ``(actions,)``."""
        return self.table.masks[self.seat].astype(np.bool_)

    def _dice(self) -> Dice:
        records = self.table.records
        first, second = records["key"][0]
        return Dice.at((int(first), int(second)), records)

    def _play_others(self) -> float:
        table, earned = self.table, 0.0
        while (seat := table.to_move) not in (self.seat, -1):
            rows = slice(seat, seat + 1)
            policy = self._players[seat]
            actions = policy.act(table.observations[rows], table.masks[rows], np.array([seat]), self._dice())
            earned += table.play(int(actions[0]))
        return earned

    def _observe(self) -> dict[str, np.ndarray]:
        return {
            "observation": self.table.observations[self.seat].copy(),
            "action_mask": self.table.masks[self.seat].copy(),
        }

    def _info(self) -> dict[str, Any]:
        over = self.table.to_move < 0
        return {"seat": self.seat, **({"outcome": self.table.outcome()} if over else {})}

    def render(self) -> Any:
        """The table as the seat sees it: text, a picture (uint8, height × width × 3), or a window."""
        return self._canvas.draw(self.table, self.seat)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._canvas.close()


def duet(ruleset: Any = "standard", **options: Any) -> Solo:
    """Duet from one seat; what ``gymnasium.make("reynard/duet-v0")`` calls. Arguments: see :class:`Solo`."""
    from ..envs.duet import DUET

    return Solo(DUET, ruleset, **options)


def lisak(ruleset: Any = "standard", **options: Any) -> Solo:
    """Lišák from one seat; what ``gymnasium.make("reynard/lisak-v0")`` calls. As :class:`Solo`."""
    from ..envs.lisak import LISAK

    return Solo(LISAK, ruleset, **options)
