"""What the rulesets of all games have in common: how options are named, chosen and replaced."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import InvalidOption, unknown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")


def choose(
    kind: type[R], presets: Mapping[str, R], ruleset: R | str | Mapping[str, Any], options: Mapping[str, Any]
) -> R:
    """A preset (or a ruleset, or a mapping of options on top of ``standard``), with options replaced.

    Args:
        kind: The game's class of rulesets.
        presets: Its named rulesets.
        ruleset: A preset's name, a ruleset or a mapping of options.
        options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: A name or a value is unknown.
    """
    if isinstance(ruleset, Mapping):
        ruleset, options = "standard", {**ruleset, **options}
    if isinstance(ruleset, str):
        if ruleset not in presets:
            raise InvalidOption(unknown("ruleset", ruleset, presets))
        ruleset = presets[ruleset]
    elif not isinstance(ruleset, kind):
        raise InvalidOption(
            f"ruleset must be a name ({', '.join(presets)}), a Ruleset or a mapping of options, "
            f"not {ruleset!r}"
        )
    names = [field.name for field in fields(kind)]
    for key in options:
        if key not in names:
            raise InvalidOption(unknown("option", key, names))
    return replace(ruleset, **options)


def check_choices(ruleset: Any, choices: Mapping[str, tuple[Any, ...]]) -> None:
    """Refuse values that are none of those allowed.

    Raises:
        InvalidOption: One is not.
    """
    for name, allowed in choices.items():
        value = getattr(ruleset, name)
        # compared by type too: 1 is no True
        if not any(type(value) is type(choice) and value == choice for choice in allowed):
            if allowed == (True, False):
                raise InvalidOption(f"{name} must be True or False, not {value!r}")
            raise InvalidOption(unknown(f"value for {name}:", value, allowed))


def in_plain_python(ruleset: Any) -> dict[str, Any]:
    """All options, tuples as lists all the way down: JSON knows no other."""
    return {field.name: _listed(getattr(ruleset, field.name)) for field in fields(ruleset)}


def _listed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value
