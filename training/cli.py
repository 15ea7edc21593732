"""The command line, ``reynard``: imported only by its own script, since it needs typer and rich."""

import sys
from typing import Any


def load_app() -> Any:
    """The command line with all its commands, as typer knows it."""
    from . import (  # noqa: F401 - they enter their commands
        bound,
        crossplay_command,
        demo_command,
        train_command,
        zoo_command,
    )
    from .commands import app

    return app


def main() -> None:
    """Run the command line; say what is missing if it cannot be."""
    try:
        app = load_app()
    except ImportError as missing:
        if missing.name not in ("typer", "rich", "yaml"):
            raise
        print(f'the command line needs {missing.name}: pip install "reynard[cli]"', file=sys.stderr)
        sys.exit(2)
    app()
