"""What a simulation recorded, and the questions one asks of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ratelimit.config import LimiterConfig
from ratelimit.decision import Allowed, Decision
from ratelimit.lab.levels import Level
from ratelimit.lab.request import Request
from ratelimit.validation import require_positive


class Span(NamedTuple):
    """A stretch of time, its first millisecond included and its last one not.

    Attributes:
        start_ms: where it starts.
        end_ms: where it ends.
        admitted_units: the cost of all requests admitted within it.
    """

    start_ms: int
    end_ms: int
    admitted_units: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The requests of a simulation, in their order, with the limiter's answers.

    Attributes:
        config: the configuration whose limiter decided.
        requests: n requests.
        decisions: n decisions, item i for request i.
        levels: the level at each moment asked for, and before and after each request,
            in time order; empty if none was asked for.
    """

    config: LimiterConfig
    requests: tuple[Request, ...]
    decisions: tuple[Decision, ...]
    levels: tuple[Level, ...] = ()

    def __len__(self) -> int:
        return len(self.requests)

    def __iter__(self) -> Iterator[tuple[Request, Decision]]:
        return zip(self.requests, self.decisions, strict=True)

    @property
    def admitted_requests(self) -> tuple[Request, ...]:
        """The requests that were allowed, in their order. O(n)."""
        return tuple(request for request, decision in self if isinstance(decision, Allowed))

    @property
    def admitted(self) -> int:
        """How many requests were allowed. O(n)."""
        return sum(isinstance(decision, Allowed) for decision in self.decisions)

    @property
    def denied(self) -> int:
        """How many requests were denied. O(n)."""
        return len(self.decisions) - self.admitted

    @property
    def admitted_units(self) -> int:
        """The cost of all requests that were allowed. O(n)."""
        return sum(request.cost for request in self.admitted_requests)

    def worst_span(self, span_ms: int) -> Span:
        """Return the span of that length in which most units were admitted, the first of equals.

        With several keys it is the worst span of all traffic together.

        Args:
            span_ms: the length, at least 1.

        Raises:
            TypeError, ValueError: `span_ms` is not a positive integer.

        Cost: O(n log n) time, O(n) memory.
        """
        length_ms = require_positive("span_ms", span_ms)
        requests = sorted(self.admitted_requests)
        worst = Span(0, length_ms, 0)
        first = units = 0
        for request in requests:
            units += request.cost
            while requests[first].at_ms <= request.at_ms - length_ms:
                units -= requests[first].cost
                first += 1
            if units > worst.admitted_units:
                start_ms = requests[first].at_ms
                worst = Span(start_ms, start_ms + length_ms, units)
        return worst

    def table(self, rows: int = 20) -> str:
        """Return the first `rows` requests and decisions as text, one a line.

        Raises:
            TypeError, ValueError: `rows` is not a positive integer.
        """
        shown = require_positive("rows", rows)
        lines = [
            f"t = {request.at_ms:>7,} ms   cost {request.cost}   {decision}"
            for request, decision in zip(self.requests[:shown], self.decisions[:shown], strict=True)
        ]
        if len(self) > shown:
            lines.append(f"... and {len(self) - shown:,} more")
        return "\n".join(lines)
