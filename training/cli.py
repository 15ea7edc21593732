"""The command line, ``reynard``: imported only by its own script, since it needs typer and rich."""

import sys


def main() -> None:
    """Run the command line; say what is missing if it cannot be."""
    try:
        from .commands import app
    except ImportError as missing:
        if missing.name not in ("typer", "rich", "yaml"):
            raise
        print(f'the command line needs {missing.name}: pip install "reynard[cli]"', file=sys.stderr)
        sys.exit(2)
    app()
