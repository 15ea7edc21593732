"""The networks of learned players, as PyTorch modules.

What plays is an :class:`Actor`; a critic is only there while it learns (``training/team_policy.py``).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

try:
    import torch
    from torch import nn
except ImportError as missing:
    raise ImportError('learned policies need PyTorch: pip install "reynard[train]"') from missing

from ..envs.errors import InvalidOption, unknown

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh}


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    Args:
        inputs: Numbers of an observation.
        actions: Actions of the game.
        trunk: Units of each hidden layer.
        activation: ``"relu"``, ``"gelu"`` or ``"tanh"``.
        norm: Whether each layer's sums are normalised (layer norm) before the activation.
        reads: The parts of an observation that the trunk reads, each as (first, end, what its numbers are
            divided by); by default all numbers as they are.
        cards: The parts that are cards, each a kind and a number, as (first, end): they are embedded.
        numbers: Different kinds, and different numbers, of cards.
        embedding: Width of a card's embedding.
        features: Numbers that are known of each action (its prospects), behind the observation; 0: none.
        choices: Units that judge an action by them, the same for all actions.
        alike: Whether actions are judged by their prospects alone, so that those with the same prospects are
            worth the same; else each has a bias and a logit of its own besides.
    """

    inputs: int
    actions: int
    trunk: tuple[int, ...] = (256, 256)
    activation: str = "relu"
    norm: bool = False
    reads: tuple[tuple[int, int, float], ...] = ()
    cards: tuple[tuple[int, int], ...] = ()
    numbers: tuple[int, int] = (0, 0)
    embedding: int = 0
    features: int = 0
    choices: int = 0
    alike: bool = False

    @property
    def whole(self) -> int:
        """Numbers that go in: an observation, and what is known of each action."""
        return self.inputs + self.actions * self.features

    def to_dict(self) -> dict[str, Any]:
        """In plain Python; ``Shape.of(that)`` gives the same shape."""
        return {key: _as_lists(value) for key, value in asdict(self).items()}

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "Shape":
        """From plain Python.

        Raises:
            InvalidOption: Something is missing or unknown.
        """
        known = {field.name for field in fields(cls)}
        if strange := sorted(set(plain) - known):
            raise InvalidOption(unknown("part of a network", strange[0], known))
        try:
            shape = cls(**{key: _as_tuples(value) for key, value in plain.items()})
        except TypeError as error:
            raise InvalidOption(f"that describes no network: {error}") from None
        if shape.activation not in ACTIVATIONS:
            raise InvalidOption(unknown("activation", shape.activation, ACTIVATIONS))
        return shape


def _as_lists(value: Any) -> Any:
    return [_as_lists(item) for item in value] if isinstance(value, tuple) else value


def _as_tuples(value: Any) -> Any:
    return tuple(_as_tuples(item) for item in value) if isinstance(value, list) else value


def trunk(inputs: int, widths: Sequence[int], activation: str, norm: bool) -> nn.Sequential:
    """The hidden layers: float32 ``(n, inputs)`` to ``(n, widths[-1])``."""
    layers: list[nn.Module] = []
    for width in widths:
        linear = nn.Linear(inputs, width)
        nn.init.orthogonal_(linear.weight, gain=2**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear, *([nn.LayerNorm(width)] if norm else []), ACTIVATIONS[activation]()]
        inputs = width
    return nn.Sequential(*layers)


def head(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A last layer; a small gain makes its first answers nearly alike."""
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain=gain)
    nn.init.zeros_(linear.bias)
    return linear


class Reader(nn.Module):
    """Takes from an observation what a trunk reads: scaled numbers, and cards as embeddings."""

    scale: torch.Tensor
    kinds: torch.Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        reads = shape.reads or ((0, shape.inputs, 1.0),)
        scale = torch.cat([torch.full((end - first,), 1 / by) for first, end, by in reads])
        self.register_buffer("scale", scale, persistent=False)
        self.width = len(scale)
        self._runs: list[tuple[int, int]] = []  # neighbours are copied together
        for first, end, _ in reads:
            if self._runs and self._runs[-1][1] == first:
                first, _ = self._runs.pop()
            self._runs.append((first, end))
        self.embed_kind = self.embed_number = None
        if shape.embedding:
            kinds = torch.cat([torch.arange(first, end, 2) for first, end in shape.cards])
            self.register_buffer("kinds", kinds, persistent=False)
            self.embed_kind = nn.Embedding(shape.numbers[0], shape.embedding)
            self.embed_number = nn.Embedding(shape.numbers[1], shape.embedding)
            self.width += len(kinds) * shape.embedding

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations, any number type, shape ``(n, whole)``, to float32 ``(n, width)``."""
        runs = [observations[:, first:end].float() for first, end in self._runs]
        seen = (torch.cat(runs, dim=1) if len(runs) > 1 else runs[0]) * self.scale
        if self.embed_kind is None or self.embed_number is None:
            return seen
        cards = self.embed_kind(observations[:, self.kinds].long())
        cards = cards + self.embed_number(observations[:, self.kinds + 1].long())
        return torch.cat([seen, cards.flatten(1)], dim=1)


class Choices(NamedTuple):
    """What was found of the choices of n observations.

    Args:
        units: float32, a row for each choice, or for every action of every observation,
            ``(n, actions, units)``.
        rows: Each choice's observation, int64; ``None`` if there is a row for every action.
        actions: Its action, int64; or which actions are choices, ``(n, actions)``.
    """

    units: torch.Tensor
    rows: torch.Tensor | None
    actions: torch.Tensor

    def put(self, scores: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        """Add a score for each choice, in the shape of ``units`` without its last axis, to the logits."""
        if self.rows is None:
            return logits + scores
        return logits.index_put((self.rows, self.actions), scores, accumulate=True)

    def together(self, count: int) -> torch.Tensor:
        """The sum of the units over each observation's choices, ``(count, units)``."""
        if self.rows is None:
            return torch.bmm(self.actions.float()[:, None], self.units)[:, 0]
        return self.units.new_zeros(count, self.units.shape[1]).index_add(0, self.rows, self.units)


class Body(nn.Module):
    """What lies below the heads: the trunk, and, beside it, units that judge each choice by its prospects.

    An action's prospects, the trunk's view of the whole and (unless all are alike) a bias of its own count,
    with the same weights for all actions: what is learned of one card holds for the others. The first number
    of an action's prospects tells whether it is a choice at all.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.reader = Reader(shape)
        self.trunk = trunk(self.reader.width, shape.trunk, shape.activation, shape.norm)
        self.width = shape.trunk[-1] if shape.trunk else self.reader.width
        if shape.choices:
            self.of_whole = nn.Linear(self.width, shape.choices)
            self.of_choice = nn.Linear(shape.features, shape.choices, bias=False)
            self.of_action = None if shape.alike else nn.Embedding(shape.actions, shape.choices)
            if self.of_action is not None:
                nn.init.zeros_(self.of_action.weight)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, Choices | None]:
        """Features ``(n, width)``, and what was found of the choices (``None`` without units for them)."""
        features = self.trunk(self.reader(observations))
        shape = self.shape
        if not shape.choices:
            return features, None
        prospects = observations[:, shape.inputs :].reshape(-1, shape.actions, shape.features)
        open_ones, of_whole = prospects[:, :, 0] > 0, self.of_whole(features)
        # where most actions are choices, as in Lišák, it is quicker to judge all; in Duet one in eight is
        if 4 * int(open_ones.count_nonzero()) > open_ones.numel():
            units = self.of_choice(prospects.float() / 100) + of_whole[:, None]
            if self.of_action is not None:
                units = units + self.of_action.weight
            return features, Choices(torch.relu(units), None, open_ones)
        rows, actions = torch.nonzero(open_ones, as_tuple=True)
        units = self.of_choice(prospects[rows, actions].float() / 100) + of_whole[rows]
        if self.of_action is not None:
            units = units + self.of_action(actions)
        return features, Choices(torch.relu(units), rows, actions)


class Actor(nn.Module):
    """From an observation to a number for each action: the larger, the better.

    Args:
        shape: What it is made of.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.body = Body(shape)
        self.head = None if shape.alike else head(self.body.width, shape.actions, gain=0.01)
        self.score = head(shape.choices, 1, gain=0.01) if shape.choices else None

    def judge(self, features: torch.Tensor, choices: Choices | None) -> torch.Tensor:
        """What the body found, to logits."""
        if self.head is None:
            logits = features.new_zeros(len(features), self.shape.actions)
        else:
            logits = self.head(features)
        if self.score is None or choices is None:
            return logits
        return choices.put(self.score(choices.units)[..., 0], logits)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations, any number type, shape ``(n, whole)``, to logits, float32, ``(n, actions)``."""
        return self.judge(*self.body(observations))


class Critic(nn.Module):
    """From an observation, or the full state, to what is to be expected.

    Args:
        shape: What the actor beside it is made of.
        kind: ``"shared"``: on top of what the actor's body finds; ``"own"``: with a body of its own;
            ``"full"``: with a trunk of its own that sees the full state, which the actor does not.
        state: Numbers of a full state; only for ``"full"``.
    """

    def __init__(self, shape: Shape, kind: str = "shared", state: int = 0) -> None:
        super().__init__()
        self.body: nn.Module | None = None
        if kind == "own":
            self.body = Body(shape)
        elif kind == "full":
            self.body = trunk(state, shape.trunk, shape.activation, shape.norm)
        self.full = kind == "full"
        width = shape.trunk[-1] if shape.trunk else Reader(shape).width
        self.head = head(width + (0 if self.full else shape.choices), 1, gain=1.0)

    def forward(
        self,
        found: tuple[torch.Tensor, Choices | None],
        observations: torch.Tensor,
        states: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Values, float32, ``(n, 1)``.

        Args:
            found: What the actor's body found.
            observations: Where it found that, shape ``(n, whole)``.
            states: The full states, shape ``(n, state)``; only for ``"full"``.
        """
        if self.body is not None:
            found = (self.body(states.float()), None) if states is not None else self.body(observations)
        features, choices = found
        if choices is not None:
            features = torch.cat([features, choices.together(len(features)) / 10], dim=1)
        return self.head(features)
