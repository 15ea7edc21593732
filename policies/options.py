"""Options behind the colon of a policy's name: ``planner:deals=64,width=12``."""

from collections.abc import Mapping
from typing import Any

from ..envs.errors import InvalidOption, unknown

#: By name: what a value is read as, and the least and the most that it may be (of text, nothing).
Options = Mapping[str, tuple[type, float, float]]


def read_options(policy: str, argument: str, options: Options) -> dict[str, Any]:
    """The options that an argument gives.

    Args:
        policy: Whose they are.
        argument: What stands behind the colon.
        options: Those that there are.

    Returns:
        Their values by name; of those that are not given, nothing.

    Raises:
        InvalidOption: One is unknown, or its value is not allowed.
    """
    given: dict[str, Any] = {}
    for part in filter(None, argument.split(",")):
        name, _, text = part.partition("=")
        if name not in options:
            raise InvalidOption(unknown(f"option of {policy}", name, options))
        kind, least, most = options[name]
        try:
            given[name] = kind(text)
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise InvalidOption(f"{policy}: {name} must be {what}, not {text!r}") from None
        if kind is not str and not least <= given[name] <= most:
            raise InvalidOption(f"{policy}: {name} must be from {least} to {most}, not {text}")
    return given
