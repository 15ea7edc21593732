"""Drawing a table in one of Gymnasium's render modes."""

from typing import Any, Final

import gymnasium
import numpy as np

from .errors import InvalidOption, unknown
from .table import Table

RENDER_MODES: Final = ("ansi", "rgb_array", "human")
RENDER_FPS: Final = 2


class Canvas:
    """Draws tables in one mode, with the game's own renderer.

    Args:
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or ``None``.

    Raises:
        InvalidOption: There is no such mode.
    """

    def __init__(self, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidOption(unknown("render_mode", render_mode, RENDER_MODES))
        self.render_mode = render_mode
        self._window: Any = None

    def draw(self, table: Table, perspective: int | None) -> str | np.ndarray | None:
        """The table as text, as a picture (uint8, height × width × 3), or in a window.

        Args:
            table: What to draw.
            perspective: The seat whose view it is; ``None`` for the full table.

        Raises:
            ImportError: The drawing toolkit is missing; the message says how to get it.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing without a render_mode")
            return None
        renderer = table.game.renderer()
        scene = renderer.scene_of(table, perspective)
        if self.render_mode == "ansi":
            return renderer.text(scene)
        if self.render_mode == "rgb_array":
            return renderer.image(scene)
        if self._window is None:
            self._window = renderer.Window(RENDER_FPS)
        self._window.show(scene)
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None
