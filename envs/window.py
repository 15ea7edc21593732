"""Pictures as arrays and in a window, for every game; pygame is imported when the first one is drawn."""

import os
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np


class Window:
    """A window that shows scenes, one after another.

    It opens with the first scene. Once it has been closed, by ``close`` or by whoever looks at it, it
    stays closed and ``show`` does nothing.

    Args:
        title: What its frame says.
        draw: Turns a scene into a surface.
        fps: Scenes a second at most; ``show`` waits as long as that takes.

    Raises:
        ImportError: pygame is missing.
    """

    def __init__(self, title: str, draw: Callable[[Any], Any], fps: float) -> None:
        self._pygame: Any = import_pygame()
        self._title = title
        self._draw = draw
        self._fps = fps
        self._screen: Any = None
        self._clock: Any = None
        self.closed = False

    def show(self, scene: Any) -> None:
        """Draw a scene, and look after the window's events."""
        if self.closed:
            return
        pygame, drawn = self._pygame, self._draw(scene)
        if self._screen is None:
            pygame.display.init()
            self._screen = pygame.display.set_mode(drawn.get_size())
            pygame.display.set_caption(self._title)
            self._clock = pygame.time.Clock()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        self._screen.blit(drawn, (0, 0))
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window. A second call does nothing."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
        self.closed = True


def pixels(surface: Any) -> np.ndarray:
    """A surface as an array of its own, uint8 of shape ``(height, width, 3)``."""
    data = bytearray(import_pygame().image.tobytes(surface, "RGB"))
    return np.frombuffer(data, np.uint8).reshape(surface.get_height(), surface.get_width(), 3)


def import_pygame() -> ModuleType:
    """pygame, without its greeting.

    Raises:
        ImportError: It is missing; the message says how to get it.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would greet on standard output
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it imports pkg_resources, which warns of other packages
            import pygame
    except ImportError as error:
        raise ImportError('pictures need pygame: pip install "reynard[render]"') from error
    return pygame
