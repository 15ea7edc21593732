"""The networks of learned players, as PyTorch modules.

What plays is an :class:`Actor`; a critic is only there while it learns (``training/team_policy.py``).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

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
    """

    inputs: int
    actions: int
    trunk: tuple[int, ...] = (256, 256)
    activation: str = "relu"
    norm: bool = False

    def to_dict(self) -> dict[str, Any]:
        """In plain Python; ``Shape.of(that)`` gives the same shape."""
        return asdict(self) | {"trunk": list(self.trunk)}

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "Shape":
        """From plain Python.

        Raises:
            InvalidOption: Something is missing or unknown.
        """
        try:
            shape = cls(**{**plain, "trunk": tuple(plain["trunk"])})
        except (TypeError, KeyError) as error:
            raise InvalidOption(f"that describes no network: {error}") from None
        if shape.activation not in ACTIVATIONS:
            raise InvalidOption(unknown("activation", shape.activation, ACTIVATIONS))
        return shape


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


class Actor(nn.Module):
    """From an observation to a number for each action: the larger, the better.

    Args:
        shape: What it is made of.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = trunk(shape.inputs, shape.trunk, shape.activation, shape.norm)
        self.head = head(shape.trunk[-1] if shape.trunk else shape.inputs, shape.actions, gain=0.01)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations, any number type, shape ``(n, inputs)``, to logits, float32, ``(n, actions)``."""
        return self.head(self.trunk(observations.float()))
