"""The configuration of a training run: YAML, checked before anything starts.

What is wrong is said in one sentence that names the file and line (or the ``--set`` option), the key, what
was wrong with it and what is allowed.
"""

from math import cos, pi
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from ..envs import GAMES, find_game
from ..envs.errors import InvalidOption, unknown
from .yaml_places import Dumper, Keys, Places, load

# A description says what is allowed, for the sentences; what a field means is in its class's docstring.
Count = Annotated[int, Field(ge=1, description="a whole number of at least 1")]
Amount = Annotated[float, Field(ge=0, description="a number of at least 0")]
Positive = Annotated[float, Field(gt=0, description="a number above 0")]
Share = Annotated[float, Field(ge=0, le=1, description="a number from 0 to 1")]
PositiveShare = Annotated[float, Field(gt=0, le=1, description="a number above 0 and at most 1")]


class Section(BaseModel):
    """A part of the configuration: unknown keys and values of another type are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Schedule(Section):
    """A number that may change while a run goes on. A plain number stands for one that stays.

    Args:
        start: Its value at the beginning.
        end: Its value from ``until`` on; if the shape is constant, ``start`` by default.
        shape: How it gets from one to the other: evenly, along half a cosine, or in one step at ``until``.
        until: The share of the run after which it is at its end.
    """

    start: Amount
    end: Amount
    shape: Literal["linear", "cosine", "constant"] = "linear"
    until: PositiveShare = 1.0

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, given: Any) -> Any:
        if isinstance(given, int | float) and not isinstance(given, bool):
            given = {"start": given, "shape": "constant"}
        if isinstance(given, dict) and given.get("shape") == "constant" and "start" in given:
            given = {"end": given["start"], **given}
        return given

    def value(self, progress: float) -> float:
        """The number when this share of the run is done, from 0 to 1."""
        share = progress / self.until
        if share >= 1:
            return self.end
        weight = {"linear": share, "cosine": (1 - cos(pi * share)) / 2, "constant": 0.0}[self.shape]
        return self.start + (self.end - self.start) * weight


_KEYS = ", ".join(Schedule.model_fields)
Scheduled = Annotated[
    Schedule, Field(description=f"a number of at least 0 or a mapping with the keys {_KEYS}")
]


class PpoConfig(Section):
    """Proximal policy optimisation.

    Args:
        steps: Decisions of each game per update.
        batch_size: Decisions in a minibatch; it divides ``games * steps``.
        epochs: How often an update goes through its decisions.
        gamma: Discount of a later reward, per decision.
        gae_lambda: How far advantages look ahead before they trust the critic.
        clip: How far a probability's ratio may move from 1 and still gain.
        value_coef: Weight of the critic's loss.
        max_grad_norm: Longer gradients are shortened to this norm.
        learning_rate: Adam's, over the run.
        entropy: Weight of the entropy bonus, over the run.
    """

    steps: Count = 64
    batch_size: Count = 8192
    epochs: Count = 2
    gamma: Share = 0.997
    gae_lambda: Share = 0.95
    clip: PositiveShare = 0.2
    value_coef: Amount = 0.5
    max_grad_norm: Positive = 0.5
    learning_rate: Scheduled = Schedule.model_validate(3e-4)
    entropy: Scheduled = Schedule.model_validate(0.01)


class NetworkConfig(Section):
    """The network that plays and the critic that judges.

    Args:
        trunk: The width of each hidden layer.
        activation: What follows each layer.
        norm: Whether each layer is normalised (layer norm).
        reads: Names of the observation's segments that the trunk reads; ``None``: all.
        embedding: Width at which cards that are shown as numbers (Lišák's compact rows) are embedded; 0: they
            are read as the numbers they are, which tells a network next to nothing.
        choices: Units that judge each action by its prospects (what it would bring, worked out from the
            observation), the same for all actions; 0: none, and the trunk decides alone.
        alike: Whether those units alone decide, so that actions with the same prospects are worth the same;
            else every action has a logit of its own besides. For games with hundreds of them.
        critic: ``"shared"``: it is one more head on the policy's trunk; ``"own"``: it has a trunk of its
            own; ``"full"``: that trunk sees the full state, hidden cards included.
    """

    # YAML knows lists only; as a tuple it is as frozen as the rest
    trunk: Annotated[
        tuple[Count, ...],
        Field(strict=False, min_length=1, description="a list of whole numbers of at least 1"),
    ] = (256, 256)
    activation: Literal["relu", "gelu", "tanh"] = "relu"
    norm: Annotated[bool, Field(description="true or false")] = False
    reads: Annotated[
        tuple[str, ...] | None,
        Field(strict=False, min_length=1, description="a list of segments' names, or null for all"),
    ] = None
    embedding: Annotated[int, Field(ge=0, description="a whole number of at least 0")] = 0
    choices: Annotated[int, Field(ge=0, description="a whole number of at least 0")] = 0
    alike: Annotated[bool, Field(description="true or false")] = False
    critic: Literal["shared", "own", "full"] = "shared"


class ImitationConfig(Section):
    """What is learned from a teacher before the learner plays itself.

    Args:
        teacher: The policy that shows how it is done, in every seat; one that searches, say.
        games: Games that it plays; they are kept in the run's folder.
        epochs: How often the learner goes through them.
        batch_size: Decisions in a minibatch.
        learning_rate: Adam's, in the first epoch; in the last one it is a tenth of that.
    """

    teacher: Annotated[str, Field(description="a policy")]
    games: Count = 1000
    epochs: Count = 10
    batch_size: Count = 1024
    learning_rate: Positive = 1e-3


class EvaluationConfig(Section):
    """The policy is measured ``every`` so many decisions, in ``games`` games."""

    every: Count = 1_000_000
    games: Count = 1000


class CheckpointConfig(Section):
    """The run is saved ``every`` so many decisions."""

    every: Count = 1_000_000


class TrainConfig(Section):
    """A training run.

    Args:
        game: Which game, a key of :data:`reynard.envs.GAMES`.
        ruleset: A preset of the game or a mapping of its options, on top of ``standard``.
        seed: Decides everything that is drawn.
        decisions: Decisions to train on, all games together.
        start: The saved policy whose network the run begins with; ``None``: one that knows nothing. It was
            made of the same layers; one whose actions are ``alike`` may come from a world of other words.
        imitation: A teacher to learn from before; ``None``: the run learns from its own games alone.
        games: Games played at once.
        threads: Threads that play them; ``None``: one for each core. With rllib: env runners; ``None``: one
            for each CPU of the cluster.
        backend: ``"sb3"``: Stable-Baselines3, on one machine; ``"rllib"``: Ray RLlib, on one or many.
        other_play: Whether every seat sees the game under names of its own, drawn anew for each episode from
            the game's symmetries (Other-Play), so that no convention can hang on a name.
        partners: Who plays the seats that are not the learner's, one of them drawn for each episode:
            policies, or lists of ``SEAT=POLICY``; ``self`` is the learner itself. None: it plays every seat.
        shaping: Weight of what a game tells of a team's progress (Lišák: the share of the bits about the
            answer that are known), as a reward that is paid back at the end: it changes when something is
            earned, not what is best. 0: none.
        learner: The learner's seats or roles beside partners; ``None``: one seat, drawn for each episode.
        ppo: How the policy learns.
        network: What it is.
        evaluation: When it is measured.
        checkpoint: When it is saved.
    """

    game: Annotated[str, Field(description=f"a game ({', '.join(GAMES)})")]
    ruleset: Annotated[
        str | dict[Any, Any], Field(description="a preset's name or a mapping of the game's options")
    ] = "standard"
    seed: Annotated[int, Field(ge=0, description="a whole number of at least 0")] = 0
    decisions: Count
    start: Annotated[str | None, Field(description="a saved network, learned:PATH or zoo:NAME, or null")] = (
        None
    )
    imitation: Annotated[
        ImitationConfig | None,
        Field(description=f"a mapping with the keys {', '.join(ImitationConfig.model_fields)}, or null"),
    ] = None
    games: Count = 1024
    threads: Annotated[int | None, Field(ge=1, description="a whole number of at least 1, or null")] = None
    backend: Literal["sb3", "rllib"] = "sb3"
    other_play: Annotated[bool, Field(description="true or false")] = False
    partners: Annotated[
        tuple[str | tuple[str, ...], ...],
        Field(strict=False, description="a list of policies, or of lists of SEAT=POLICY"),
    ] = ()
    learner: Annotated[
        tuple[str, ...] | None,
        Field(strict=False, min_length=1, description="a list of seats or roles, or null for any one seat"),
    ] = None
    shaping: Amount = 0.0
    ppo: PpoConfig = PpoConfig()
    network: NetworkConfig = NetworkConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    checkpoint: CheckpointConfig = CheckpointConfig()

    @model_validator(mode="after")
    def _fits_together(self) -> "TrainConfig":
        if self.game not in GAMES:
            raise _refusal(unknown("game", self.game, GAMES), ("game",))
        if wrong := _wrong_with(self.game, self.ruleset):
            options = self.ruleset if isinstance(self.ruleset, dict) else {}
            # an option that is refused alone with the same words is the one to show
            alone = [key for key in options if _wrong_with(self.game, {key: options[key]}) == wrong]
            raise _refusal(f"ruleset: {wrong}", ("ruleset", *map(str, alone[:1])))
        rate, size, total = self.ppo.learning_rate, self.ppo.batch_size, self.games * self.ppo.steps
        if rate.start == rate.end == 0:
            raise _refusal(
                "ppo.learning_rate must be above 0 at an end, not 0 all along", ("ppo", "learning_rate")
            )
        if self.network.alike and not self.network.choices:
            raise _refusal(
                "network.alike needs network.choices: units to judge the actions by their prospects",
                *(("network",), ("network", "alike"), ("network", "choices")),
            )
        if self.imitation is not None and self.network.critic == "full":
            raise _refusal(
                "imitation teaches no critic that sees the full state: network.critic must be shared or own",
                *(("network", "critic"), ("imitation",)),
            )
        if self.learner is not None and not self.partners:
            raise _refusal(
                "learner needs partners: name who plays the other seats, or leave both out", ("learner",)
            )
        if total % size:
            below = next(part for part in range(min(size, total), 0, -1) if total % part == 0)
            above = next((part for part in range(size, total + 1) if total % part == 0), below)
            raise _refusal(
                f"ppo.batch_size must divide games * ppo.steps ({self.games} * {self.ppo.steps} = {total}), "
                f"which {size} does not; nearest: {' or '.join(map(str, sorted({below, above})))}",
                *(("games",), ("ppo", "steps"), ("ppo", "batch_size")),
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain Python, defaults included; ``TrainConfig(**that)`` is equal."""
        return self.model_dump(mode="json")

    def write_config(self, path: str | Path) -> None:
        """Write everything as YAML, from which :func:`read_config` makes an equal configuration."""
        text = yaml.dump(self.to_dict(), Dumper=Dumper, sort_keys=False, allow_unicode=True)
        Path(path).write_text(text, encoding="utf-8")


def read_config(path: str | Path, settings: list[str] | None = None) -> TrainConfig:
    """The configuration in a YAML file, with ``key.path=value`` settings (YAML values) put over it.

    Raises:
        InvalidOption: Something is wrong with the file or a setting; one sentence says what and where.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InvalidOption(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    data, places = load(text, str(path), settings or [])
    try:
        return TrainConfig.model_validate(data)
    except ValidationError as refused:
        # an unknown key first: it may be the misspelled name of one that is missing
        first = min(refused.errors(), key=lambda error: error["type"] != "extra_forbidden")
        raise InvalidOption(_sentence(first, data, places)) from None


def differences(old: TrainConfig, new: TrainConfig) -> list[str]:
    """What is not the same in two configurations, as ``key.path: old → new``."""

    def compare(name: str, one: Any, other: Any) -> list[str]:
        if not (isinstance(one, dict) and isinstance(other, dict)):
            return [] if one == other else [f"{name[1:]}: {one} → {other}"]
        pairs = {key: (one.get(key, "(none)"), other.get(key, "(none)")) for key in {**one, **other}}
        return [line for key, pair in pairs.items() for line in compare(f"{name}.{key}", *pair)]

    return compare("", old.to_dict(), new.to_dict())


def _wrong_with(game: str, ruleset: Any) -> str | None:
    """What the game has against a ruleset."""
    try:
        find_game(game).make_ruleset(ruleset)
    except InvalidOption as error:
        return str(error)
    return None


def _refusal(sentence: str, *keys: Keys) -> PydanticCustomError:
    """An error that these keys take part in."""
    return PydanticCustomError("refusal", "{sentence}", {"sentence": sentence, "keys": keys})


def _sentence(error: ErrorDetails, value: Any, places: Places) -> str:
    """One of pydantic's errors about a value in our words."""
    section: Any = TrainConfig
    path, said = (), f"a run must be a mapping with the keys {', '.join(section.model_fields)}, not {value!r}"
    if error["type"] == "refusal":
        keys, said = (error.get("ctx", {})[name] for name in ("keys", "sentence"))
        # of keys that do not fit together, the one given last: a setting before a line
        path = [*keys[:1], *(key for key in places if key in keys)][-1]
    for key in map(str, error["loc"]):
        if not isinstance(value, dict):
            break  # the rest of the way is pydantic's, not the file's
        around, path = "".join(f"{name}." for name in path), (*path, key)
        if key not in section.model_fields:
            inside = f"{around[:-1]}: " if around else ""
            said = inside + unknown("key", key, section.model_fields)
            break
        field = section.model_fields[key]
        section, value = field.annotation, value.get(key)
        choices = get_args(section)
        # a section that may be left out
        section = next(
            (part for part in choices if isinstance(part, type) and issubclass(part, Section)), section
        )
        if not (allowed := field.description):
            kind = "one of" if choices else "a mapping with the keys"
            allowed = f"{kind} {', '.join(choices or section.model_fields)}"
        missing = error["type"] == "missing"
        said = f"is missing; it must be {allowed}" if missing else f"must be {allowed}, not {value!r}"
        said = f"{around}{key} {said}"
    # what is missing, or came in by a merge key, has no place of its own
    place = next(places[path[:end]] for end in range(len(path), -1, -1) if path[:end] in places)
    return f"{place}: {said}"
