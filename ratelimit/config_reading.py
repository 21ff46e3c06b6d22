"""Configuration as data and as files: what an operator writes becomes records, or faults."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ratelimit.config import (
    CompositeConfig,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.rates import ACCEPTED, format_rate, parse_rate

ALGORITHMS: dict[str, type[LimiterConfig]] = {
    "composite": CompositeConfig,
    "fixed_window": FixedWindowConfig,
    "leaky_bucket": LeakyBucketConfig,
    "sliding_log": SlidingLogConfig,
    "sliding_window": SlidingWindowConfig,
    "token_bucket": TokenBucketConfig,
}
"""The records by the names that files use."""

_RATES = {"refill_per_sec", "leak_per_sec"}
_OPTIONAL = {"retry_hint"}
_MOST_BYTES = 1_000_000


class Fault(NamedTuple):
    """One thing that is wrong: where it stands, and what would be right."""

    table: str
    problem: str

    def __str__(self) -> str:
        return f"[{self.table}] {self.problem}" if self.table else self.problem


class ConfigError(ValueError):
    """A configuration that can't be used, with everything that is wrong with it.

    Attributes:
        source: the file, or empty for a mapping.
        faults: all faults, in the order in which they stand.
    """

    def __init__(self, source: str, faults: list[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        where = f"{source}: " if source else ""
        count = "" if len(faults) == 1 else f"{len(faults)} faults\n"
        super().__init__(where + count + "\n".join(map(str, faults)))


def config_from_mapping(mapping: Mapping[str, object]) -> LimiterConfig:
    """Return the record that a mapping describes.

    The key `algorithm` names the algorithm; the others are the parameters of its record,
    under the same names. Amounts and times are integers. A rate is an integer or text,
    see `parse_rate`. A composite has a list of such mappings under `limits`.

    Args:
        mapping: for example {"algorithm": "fixed_window", "limit": 10, "window_ms": 1000}.

    Raises:
        ConfigError: a `ValueError` that lists every fault: unknown, missing and misplaced
            keys, values of a wrong type or range. Nothing is filled in or rounded.

    Cost: O(size of the mapping).
    """
    faults: list[Fault] = []
    config = _read(mapping, "", faults)
    if config is None:
        raise ConfigError("", faults)
    return config


def load_configs(path: str | Path) -> dict[str, LimiterConfig]:
    """Return the limits that a TOML file names, in its order.

    Each table is one limit, described as in `config_from_mapping`. A table that has no
    `algorithm` but tables of its own is a group, such as the tiers of a service, and its
    limits are called `group.name`; `group_of` takes a group out again.

    Args:
        path: a TOML file of at most 1,000,000 bytes.

    Raises:
        ConfigError: a `ValueError` that names the file and lists every fault in it, a
            missing or unreadable file included.

    Cost: O(size of the file).
    """
    source = str(path)
    faults: list[Fault] = []
    configs: dict[str, LimiterConfig] = {}
    for name, table in _tables(_parsed(Path(path)), "", faults):
        config = _read(table, name, faults)
        if config is not None:
            configs[name] = config
    if not configs and not faults:
        faults.append(Fault("", "the file names no limit; write a table such as [api]"))
    if faults:
        raise ConfigError(source, faults)
    return configs


def group_of(configs: Mapping[str, LimiterConfig], group: str) -> dict[str, LimiterConfig]:
    """Return the limits of one group by their names within it, for example the tiers.

    Raises:
        KeyError: there is no such group; the message lists those there are.
    """
    prefix = f"{group}."
    found = {
        name.removeprefix(prefix): each for name, each in configs.items() if name.startswith(prefix)
    }
    if not found:
        groups = sorted({name.split(".")[0] for name in configs if "." in name})
        raise KeyError(f"there is no group {group!r}; there are {', '.join(groups) or 'none'}")
    return found


def config_to_mapping(config: LimiterConfig) -> dict[str, object]:
    """Return the mapping that describes a record; `config_from_mapping` reads it back."""
    name = next(name for name, record in ALGORITHMS.items() if isinstance(config, record))
    if isinstance(config, CompositeConfig):
        return {"algorithm": name, "limits": [config_to_mapping(each) for each in config.limits]}
    values = {field.name: getattr(config, field.name) for field in fields(config)}
    return {
        "algorithm": name,
        **{key: format_rate(each) if key in _RATES else each for key, each in values.items()},
    }


def config_to_toml(name: str, config: LimiterConfig) -> str:
    """Return the TOML table that describes a record; `load_configs` reads it back."""
    return "\n".join(_toml_lines(name, config_to_mapping(config), "[{}]")) + "\n"


def _toml_lines(name: str, mapping: dict[str, object], header: str) -> Iterator[str]:
    yield header.format(name)
    members: Any = mapping.pop("limits", [])
    for key, value in mapping.items():
        yield f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
    for member in members:
        yield ""
        yield from _toml_lines(f"{name}.limits", member, "[[{}]]")


def _parsed(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        ConfigError: it can't be read, or is no TOML.
    """
    try:
        size = path.stat().st_size
        if size > _MOST_BYTES:
            raise OSError(0, f"it has {size:,} bytes; at most {_MOST_BYTES:,} are accepted")
        return _toml_of(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        problem = "there is no such file; check the path"
    except IsADirectoryError:
        problem = "this is a directory; name a file in it"
    except OSError as error:
        problem = f"the file can't be read ({error.strerror})"
    except UnicodeDecodeError:
        problem = "the file is not text in UTF-8; save it as such"
    except ValueError as error:
        problem = f"this is not TOML: {error}"
    raise ConfigError(str(path), [Fault("", problem)])


def _toml_of(text: str) -> dict[str, Any]:
    # Imported here, for the sake of all who configure in code.
    import tomllib

    return tomllib.loads(text)


def _close_to(word: str, words: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(words), 1)), None)


def _tables(
    tables: Mapping[str, object], prefix: str, faults: list[Fault]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield each limit's table with its name, groups included."""
    for name, table in tables.items():
        full = f"{prefix}{name}"
        if not isinstance(table, dict):
            problem = f"{name} = {table!r} stands outside every limit; put it into a table"
            faults.append(Fault(prefix.rstrip("."), problem))
        elif prefix or "algorithm" in table or not _is_group(table):
            yield full, table
        else:
            yield from _tables(table, f"{full}.", faults)


def _is_group(table: dict[str, object]) -> bool:
    return bool(table) and any(isinstance(value, dict) for value in table.values())


def _read(mapping: object, table: str, faults: list[Fault]) -> LimiterConfig | None:
    """Return the record of a mapping, or None after adding to the faults."""
    if not isinstance(mapping, Mapping):
        faults.append(Fault(table, f"a limit must be a table, got {mapping!r}"))
        return None
    before = len(faults)
    record = _record(mapping, table, faults)
    if record is None:
        return None
    names = [field.name for field in fields(record)]
    faults.extend(Fault(table, each) for each in _misplaced(mapping, names))
    values: dict[str, Any] = {
        name: _value(name, mapping[name], table, faults) for name in names if name in mapping
    }
    return record(**values) if len(faults) == before else None


def _record(
    mapping: Mapping[str, object], table: str, faults: list[Fault]
) -> type[LimiterConfig] | None:
    if "algorithm" not in mapping:
        problem = f"algorithm is missing{_meant('algorithm', mapping)}; use one of {_names()}"
        faults.append(Fault(table, problem))
        return None
    name = mapping["algorithm"]
    if isinstance(name, str) and name in ALGORITHMS:
        return ALGORITHMS[name]
    near = _close_to(str(name), ALGORITHMS)
    guess = f", did you mean {near!r}?" if near else ""
    faults.append(Fault(table, f"algorithm {name!r} is unknown{guess}; use one of {_names()}"))
    return None


def _misplaced(mapping: Mapping[str, object], names: list[str]) -> Iterator[str]:
    """Yield what is wrong with the keys: those that are not known, and those not there."""
    accepted = ", ".join(names)
    for key in mapping:
        if key != "algorithm" and key not in names:
            near = _close_to(str(key).replace("-", "_"), names)
            guess = f", did you mean {near}?" if near else ""
            yield f"key {key!r} is unknown{guess}; accepted are {accepted}"
    for name in names:
        if name not in mapping and name not in _OPTIONAL:
            yield f"key {name!r} is missing; accepted are {accepted}"


def _meant(name: str, mapping: Mapping[str, object]) -> str:
    near = _close_to(name, map(str, mapping))
    return f", did you mean it by {near!r}?" if near else ""


def _names() -> str:
    return ", ".join(ALGORITHMS)


def _value(name: str, value: object, table: str, faults: list[Fault]) -> object:
    """Return a parameter's value; add a fault where it is not of its type or range."""
    if name == "limits":
        return _members(value, table, faults)
    try:
        return _READERS.get(name, _whole)(value)
    except ValueError as error:
        faults.append(Fault(table, f"{name} = {_toml(value)} {error}"))
        return None


def _members(value: object, table: str, faults: list[Fault]) -> tuple[LimiterConfig, ...]:
    if not isinstance(value, list | tuple) or not value:
        problem = f"limits = {_toml(value)} is not accepted; use a list of at least one limit"
        faults.append(Fault(table, problem))
        return ()
    members = []
    for number, each in enumerate(value, start=1):
        place = f"{table}.limits {number}" if table else f"limits {number}"
        members.append(_read(each, place, faults))
    return tuple(member for member in members if member is not None)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("is not accepted; use a whole number of at least 1")
    return int(value)


def _rate(value: object) -> object:
    if isinstance(value, str):
        try:
            rate = parse_rate(value)
            return int(rate) if rate.denominator == 1 else rate
        except ValueError:
            raise ValueError(f"is not a rate; use {ACCEPTED}") from None
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value <= 0:
        raise ValueError(f"is not a rate; use {ACCEPTED}")
    return value


def _hint(value: object) -> object:
    if value not in ("boundary", "exact"):
        raise ValueError('is not accepted; use "boundary" or "exact"')
    return value


_READERS: dict[str, Callable[[object], object]] = {
    "refill_per_sec": _rate,
    "leak_per_sec": _rate,
    "retry_hint": _hint,
}


def _toml(value: object) -> str:
    """Return a value the way the file states it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)
