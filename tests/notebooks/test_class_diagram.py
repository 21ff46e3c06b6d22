"""The class diagram of notebook 01 says what the code says, name by name."""

import inspect
import re
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import nbformat
import pytest

import ratelimit
from ratelimit.algorithms.sliding_window import RetryHint

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01_requirements_and_interface.ipynb"
# Composites are left out for the sake of the reader: they would double every arrow.
CONFIGS = [each for each in get_args(ratelimit.LimiterConfig) if each.__name__ != "CompositeConfig"]
UNIONS = {"Decision": ratelimit.Decision, "LimiterConfig": ratelimit.LimiterConfig}
ALGORITHMS = [get_type_hints(config.build)["return"] for config in CONFIGS]


@dataclass
class Drawn:
    """A class as the diagram draws it: what kind it is, its fields and its methods."""

    kind: str = "class"
    fields: dict[str, str] = field(default_factory=dict)
    methods: dict[str, str] = field(default_factory=dict)


def diagram() -> str:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    blocks = [re.search(r"```mermaid\n(.*?)```", c.source, re.DOTALL) for c in notebook.cells]
    found = [block.group(1) for block in blocks if block]
    assert len(found) == 1
    return str(found[0])


def drawn_classes() -> dict[str, Drawn]:
    classes: dict[str, Drawn] = {}
    for name, body in re.findall(
        r"^    class (\w+)(?: \{\n(.*?)^    \})?", diagram(), re.DOTALL | re.MULTILINE
    ):
        drawn = classes[name] = Drawn()
        for line in filter(None, map(str.strip, body.splitlines())):
            if kind := re.fullmatch(r"<<(\w+)>>", line):
                drawn.kind = kind[1]
            elif method := re.fullmatch(r"\+(\w+)\((.*)\)(?: (\w+))?", line):
                drawn.methods[method[1]] = f"({method[2]}) {method[3] or 'None'}"
            elif attribute := re.fullmatch(r"\+(\w+): (.+)", line):
                drawn.fields[attribute[1]] = attribute[2]
            else:
                pytest.fail(f"the diagram has a line that is not understood: {line!r}")
    return classes


def drawn_arrows() -> set[tuple[str, str, str]]:
    arrows = re.findall(
        r"^    (\w+) (<\|\.\.|<\|--|-->|\.\.>) (\w+)(?: : (\w+))?$", diagram(), re.MULTILINE
    )
    kinds = {"<|..": "implements", "<|--": "extends"}
    return {
        (right, kinds[arrow], left) if arrow in kinds else (left, label, right)
        for left, arrow, right, label in arrows
    }


def type_name(annotation: object) -> str:
    if annotation is type(None):
        return "None"
    if annotation == RetryHint:
        return "RetryHint"
    if annotation is ratelimit.Decision:
        return "Decision"
    if args := get_args(annotation):
        return " | ".join(arg.__name__ for arg in args)
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def public_fields(cls: type) -> dict[str, str]:
    if is_dataclass(cls):
        hints = get_type_hints(cls)
        return {each.name: type_name(hints[each.name]) for each in fields(cls)}
    management = {"max_cost", "horizon_ms", "fresh_from_ms"}
    return {
        name: type_name(get_type_hints(member.fget)["return"])
        for name, member in vars(cls).items()
        if isinstance(member, property) and name not in management
    }


def own_methods(cls: type) -> dict[str, str]:
    methods = {}
    for name, member in vars(cls).items():
        if name.startswith("_") or not inspect.isfunction(member):
            continue
        parameters = ", ".join(list(inspect.signature(member).parameters)[1:])
        methods[name] = f"({parameters}) {type_name(get_type_hints(member)['return'])}"
    return methods


@pytest.mark.parametrize("name", sorted(set(drawn_classes()) - set(UNIONS)))
def test_each_class_has_the_fields_that_are_drawn(name: str) -> None:
    assert drawn_classes()[name].fields == public_fields(getattr(ratelimit, name))


@pytest.mark.parametrize("name", ["Ticker", "ManualTicker", "RateLimiter", "PeekableLimiter"])
def test_each_class_has_the_methods_that_are_drawn(name: str) -> None:
    """A method that an interface declares is not drawn again where it is implemented."""
    inherited = {"ManualTicker": {"now_ms"}}.get(name, set())
    methods = own_methods(getattr(ratelimit, name))
    assert drawn_classes()[name].methods == {
        method: signature for method, signature in methods.items() if method not in inherited
    }


def test_every_class_of_the_core_is_drawn() -> None:
    core = ("ticker", "decision", "algorithms", "config")
    public = {
        name
        for name in ratelimit.__all__
        if isinstance(thing := getattr(ratelimit, name), type)
        and thing.__module__.split(".")[1] in core
    }
    expected = public - {"CompositeConfig"} | {"RateLimiter", "PeekableLimiter"} | set(UNIONS)
    assert set(drawn_classes()) == expected


def test_interfaces_and_unions_are_marked_as_such() -> None:
    for name, drawn in drawn_classes().items():
        is_protocol = getattr(getattr(ratelimit, name), "_is_protocol", False)
        kind = "union" if name in UNIONS else "interface" if is_protocol else "class"
        assert drawn.kind == kind, name


def test_the_arrows_are_those_of_the_code() -> None:
    expected = {
        ("MonotonicTicker", "implements", "Ticker"),
        ("ManualTicker", "implements", "Ticker"),
        ("PeekableLimiter", "extends", "RateLimiter"),
        ("RateLimiter", "returns", "Decision"),
    }
    for union_name, union in UNIONS.items():
        members = {member.__name__ for member in get_args(union)} - {"CompositeConfig"}
        expected |= {(member, "extends", union_name) for member in members}
    for config in CONFIGS:
        built = get_type_hints(config.build)["return"]
        expected.add((config.__name__, "builds", built.__name__))
    for algorithm in ALGORITHMS:
        assert "ticker" in inspect.signature(algorithm).parameters
        expected.add((algorithm.__name__, "reads", "Ticker"))
        expected.add((algorithm.__name__, "implements", "PeekableLimiter"))
    assert drawn_arrows() == expected


def test_what_is_said_to_implement_an_interface_does() -> None:
    ticker = ratelimit.ManualTicker()
    assert isinstance(ratelimit.MonotonicTicker(), ratelimit.Ticker)
    assert isinstance(ticker, ratelimit.Ticker)
    for config in (
        ratelimit.TokenBucketConfig(1, 1),
        ratelimit.SlidingWindowConfig(1, 1),
        ratelimit.FixedWindowConfig(1, 1),
        ratelimit.LeakyBucketConfig(1, 1),
        ratelimit.SlidingLogConfig(1, 1),
    ):
        assert isinstance(config.build(ticker), ratelimit.PeekableLimiter)
