"""``learned:PATH``: a network that was trained, saved as ``PATH.safetensors`` beside ``PATH.json``.

The JSON card says what the network is and where it comes from. Neither file can run code when it is read.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..envs.errors import InvalidOption
from ..envs.game import Game
from .policy import ANY_GAME, Dice, Policy, register
from .prospects import prospects_of, with_prospects

if TYPE_CHECKING:
    from .networks import Actor

IMPOSSIBLE = -1e9  # the logit of an action that the mask does not allow


class Learned:
    """Plays what its network likes best.

    Args:
        actor: The network.
        game: What it plays.
        ruleset: The rules it plays by.
        sample: Draw an action by the network's odds instead of taking its favourite.
    """

    def __init__(self, actor: "Actor", game: Game, ruleset: Any, sample: bool = False) -> None:
        self.actor = actor
        self._prospects = prospects_of(game, ruleset) if actor.shape.features else None
        self.sample = sample

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        logits = self._logits(observations, masks)
        if not self.sample:
            return logits.argmax(axis=1).astype(np.int64)
        heights = _odds(logits).cumsum(axis=1)
        drawn = rng.random()[:, :1] * heights[:, -1:]
        return (heights <= drawn).sum(axis=1).astype(np.int64)

    def odds(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """How likely the network would draw each action; as for :meth:`act`.

        Returns:
            Chances, float64, shape ``(n, actions)``, a row's sum is 1.
        """
        odds = _odds(self._logits(observations, masks))
        return odds / odds.sum(axis=1, keepdims=True)

    def _logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The network's, those of forbidden actions :data:`IMPOSSIBLE`."""
        import torch

        device = next(self.actor.parameters()).device
        seen = np.ascontiguousarray(with_prospects(observations, masks, self._prospects))
        with torch.no_grad():
            logits = self.actor(torch.from_numpy(seen).to(device)).cpu().numpy()
        return np.where(masks == 1, logits, IMPOSSIBLE)


def _odds(logits: np.ndarray) -> np.ndarray:
    """Odds of the logits' softmax, the favourite's 1, float64."""
    return np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))


def save_actor(path: Path, actor: "Actor", card: dict[str, Any], half: bool = False) -> None:
    """Write ``path.safetensors`` and ``path.json``, each at once.

    Args:
        path: The files' path without an ending.
        actor: The network.
        card: What is said of it; ``network`` is added.
        half: Write the weights as float16, which takes half the room.
    """
    from safetensors.torch import save

    weights = {name: value.detach().cpu().contiguous() for name, value in actor.state_dict().items()}
    if half:
        weights = {name: value.half() for name, value in weights.items()}
    for ending, write in (
        (".safetensors", lambda target: target.write_bytes(save(weights))),
        (
            ".json",
            lambda target: target.write_text(
                json.dumps({"network": actor.shape.to_dict(), **card}, indent=2, ensure_ascii=False) + "\n"
            ),
        ),
    ):
        unfinished = path.with_name(path.name + ending + ".unfinished")
        write(unfinished)
        unfinished.replace(path.with_name(path.name + ending))


def load_actor(path: Path) -> tuple["Actor", dict[str, Any]]:
    """A saved network and its card.

    Raises:
        InvalidOption: A file is missing or holds something else.
        ImportError: PyTorch or safetensors is missing; the message says how to get it.
    """
    from .networks import Actor, Shape

    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
    except ImportError as missing:
        raise ImportError('learned policies need safetensors: pip install "reynard[train]"') from missing
    try:
        card = json.loads(path.with_name(path.name + ".json").read_text())
        weights = load_file(path.with_name(path.name + ".safetensors"))
    except (OSError, ValueError, SafetensorError) as error:
        raise InvalidOption(f"no learned policy can be read from {path}: {error}") from None
    if not isinstance(card, dict) or not isinstance(card.get("network"), dict):
        raise InvalidOption(
            f"{path}.json is no card of a learned policy: it does not say what its network is"
        )
    actor = Actor(Shape.of(card["network"]))
    try:
        actor.load_state_dict(weights)
    except RuntimeError:
        raise InvalidOption(
            f"{path}.safetensors does not fit the network that {path}.json describes"
        ) from None
    return actor.eval(), card


@register(ANY_GAME, "learned", "a trained network: learned:PATH, or learned:PATH,sample to draw by its odds")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    name, _, mode = argument.partition(",")
    if not name or mode not in ("", "sample"):
        raise InvalidOption(f"learned takes the path of a policy, and ',sample' behind it, not {argument!r}")
    return seat_actor(name, path_of(name), game, ruleset, sample=mode == "sample")


def path_of(name: str) -> Path:
    """Where a saved policy is, without an ending: one of its files may be named, or neither."""
    path = Path(name)
    return path.with_suffix("") if path.suffix in (".safetensors", ".json") else path


def seat_actor(name: str, path: Path, game: Game, ruleset: Any, sample: bool) -> Learned:
    """A saved network as a player of a game.

    Args:
        name: What the user calls it.
        path: The files' path without an ending.
        game: What it is to play.
        ruleset: The rules it is to play by.
        sample: Draw an action by the network's odds instead of taking its favourite.

    Raises:
        InvalidOption: It cannot be read, or was trained for another game or other observations.
    """
    actor, card = load_actor(path)
    mine = (game.layout(ruleset).visible_size(ruleset.history), len(game.action_names(ruleset)))
    theirs = (actor.shape.inputs, actor.shape.actions)
    if card.get("game", game.name) != game.name or mine != theirs:
        trained = card.get("config", {}).get("ruleset")
        raise InvalidOption(
            f"{name} was trained for {card.get('game')} with {theirs[0]} numbers in an observation and "
            f"{theirs[1]} actions; this game is {game.name} with {mine[0]} and {mine[1]}"
            + (f" (its ruleset: {trained})" if trained else "")
        )
    return Learned(actor, game, ruleset, sample)
