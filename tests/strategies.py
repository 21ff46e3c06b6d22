"""Traffic for property tests: costs, and clocks that do all that clocks do."""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

FIFTY_YEARS_MS = 50 * 365 * 24 * 60 * 60 * 1_000


class Ask(NamedTuple):
    """One question: the clock moves by `step_ms`, then a share of the limit is asked for."""

    step_ms: int
    share: Fraction

    def cost(self, limit: int) -> int:
        """Return the cost, from 1 to `limit`."""
        return 1 + int((limit - 1) * self.share)


small_steps = st.integers(0, 12)
any_steps = st.one_of(
    small_steps,
    st.sampled_from([0, 1, 7, 100, 333, 334, 500, 999, 1_000, 1_001, 2_000]),
    st.integers(0, 5_000),
    st.just(FIFTY_YEARS_MS),
)
steps_both_ways = st.one_of(any_steps, any_steps.map(lambda step_ms: -step_ms))
shares = st.one_of(
    st.just(Fraction(0)),
    st.just(Fraction(1)),
    st.fractions(min_value=0, max_value=1, max_denominator=20),
)

forward = st.lists(st.builds(Ask, any_steps, shares), min_size=1, max_size=40)
both_ways = st.lists(st.builds(Ask, steps_both_ways, shares), min_size=1, max_size=40)

starts_ms = st.one_of(
    st.just(0), st.integers(-3_000, 3_000), st.sampled_from([-FIFTY_YEARS_MS, FIFTY_YEARS_MS])
)
amounts = st.one_of(
    st.integers(1, 12), st.sampled_from([100, 1_023, 1_024, 5_000, 2**31 - 1, 10**18])
)
rates = st.one_of(
    st.integers(1, 12),
    st.sampled_from([999, 1_000, 2**31 - 1]),
    st.sampled_from([Fraction(1, 3), Fraction(1, 3_600), Fraction(5, 3), Fraction(7, 1_000)]),
    st.fractions(min_value=Fraction(1, 60), max_value=50, max_denominator=60),
)
windows_ms = st.one_of(st.integers(1, 12), st.sampled_from([333, 1_000, 60_000, 86_400_000]))
