"""Different limits for different tiers of customers, with nothing to gain from changing."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Generic, TypeVar, cast

from ratelimit.composite import CompositeLimiter
from ratelimit.config import LimiterConfig
from ratelimit.decision import Allowed, Decision
from ratelimit.limiter import ConfiguredLimiter
from ratelimit.per_key import PerKeyLimiter
from ratelimit.ticker import Ticker

KeyT = TypeVar("KeyT", bound=Hashable)


class TieredLimiter(Generic[KeyT]):
    """A configuration for each tier, and for each key the limiters of all tiers.

    The tier of a key is looked up on each call, so a change takes effect on the next one.
    The limiter of that tier decides. What it allows is charged to the key's limiters of
    the other tiers as well, as far as they have it. So each of them stands at every
    moment where it would stand if the key had been in its tier all the time and had made
    the requests that were admitted: what has been used is carried over, at most up to
    the new limit, whatever the algorithms. Changing tiers, once or to and fro, never
    admits a request that the limiter of the tier it is made in would have denied after
    all that was admitted before.

    Keys are forgotten as in `PerKeyLimiter`, when all of their limiters are as new.

    Args:
        configs: the configuration of each tier, at least one.
        tier_of: returns the tier of a key. It is asked once per decision.
        ticker: the clock, read once per decision.
        default_tier: the tier for keys whose tier is not in `configs`; without it such a
            key is an error.
        max_keys: the most keys remembered at once, as in `PerKeyLimiter`.

    Raises:
        TypeError: `configs` is no mapping, or the ticker's reading is not an integer.
        ValueError: there is no tier, or `default_tier` is not one of them.

    Cost: O(number of tiers) time per decision and memory per key. Not thread-safe by itself.
    """

    __slots__ = ("_default_tier", "_per_key", "_tier_of", "_tiers")

    def __init__(
        self,
        configs: Mapping[str, LimiterConfig],
        tier_of: Callable[[KeyT], str],
        ticker: Ticker,
        default_tier: str | None = None,
        max_keys: int | None = None,
    ) -> None:
        if not isinstance(configs, Mapping):
            raise TypeError(
                f"configs must map tiers to configurations, got {type(configs).__name__}; "
                f"write {{'free': TokenBucketConfig(10, 1)}}"
            )
        if not configs:
            raise ValueError("configs must not be empty; name at least one tier")
        self._tiers = _Tiers(configs)
        self._tier_of = tier_of
        self._default_tier = default_tier
        if default_tier is not None:
            self._tiers.require(default_tier)
        self._tiers.chosen = next(iter(configs))
        self._per_key = PerKeyLimiter(self._tiers, ticker, max_keys)

    def acquire(self, key: KeyT, cost: int = 1) -> Decision:
        """Decide on a request of `key` by the limit of its tier; see `RateLimiter.acquire`.

        Raises:
            TypeError: `key` is not hashable, or `cost` is not an `int`.
            ValueError: the tier is unknown, or `cost` is outside 1..the tier's limit.
                Nothing is charged in either case.
        """
        self._choose(key)
        return self._per_key.acquire(key, cost)

    def peek(self, key: KeyT, cost: int = 1) -> Decision:
        """Return what `acquire(key, cost)` would answer now, leaving everything as it was."""
        self._choose(key)
        return self._per_key.peek(key, cost)

    @property
    def tracked_keys(self) -> int:
        """Keys with a limiter that a decision at this moment would still find."""
        return self._per_key.tracked_keys

    def _choose(self, key: KeyT) -> None:
        tier = self._tier_of(key)
        if tier not in self._tiers.configs and self._default_tier is not None:
            tier = self._default_tier
        self._tiers.require(tier, f" of key {key!r}")
        self._tiers.chosen = tier


class _Tiers:
    """All tiers' configurations as one, with the tier that decides right now."""

    __slots__ = ("chosen", "configs")

    def __init__(self, configs: Mapping[str, LimiterConfig]) -> None:
        self.configs = dict(configs)
        self.chosen = ""

    def require(self, tier: str, whose: str = "") -> None:
        if tier not in self.configs:
            known = ", ".join(map(repr, self.configs))
            raise ValueError(
                f"tier {tier!r}{whose} is unknown; known are {known}. "
                f"Add it to configs, or pass default_tier"
            )

    def build(self, ticker: Ticker) -> "_LimiterOfEachTier":
        return _LimiterOfEachTier(self, ticker)


class _LimiterOfEachTier:
    """One key's limiters: the chosen one decides, the others are told."""

    __slots__ = ("_limiters", "_tiers")

    def __init__(self, tiers: _Tiers, ticker: Ticker) -> None:
        self._tiers = tiers
        self._limiters = {tier: config.build(ticker) for tier, config in tiers.configs.items()}

    def acquire(self, cost: int = 1) -> Decision:
        deciding = self._limiters[self._tiers.chosen]
        decision = deciding.acquire(cost)
        if isinstance(decision, Allowed):
            for limiter in self._limiters.values():
                if limiter is not deciding:
                    _charge_what_it_has(limiter, cost)
        return decision

    def peek(self, cost: int = 1) -> Decision:
        return self._limiters[self._tiers.chosen].peek(cost)

    @property
    def horizon_ms(self) -> int:
        return max(limiter.horizon_ms for limiter in self._limiters.values())

    @property
    def fresh_from_ms(self) -> int:
        return max(limiter.fresh_from_ms for limiter in self._limiters.values())


def _charge_what_it_has(limiter: ConfiguredLimiter, cost: int) -> None:
    # The members of a composite have different amounts left, so each pays for itself.
    for leaf in _leaves(limiter):
        has = leaf.peek()
        if isinstance(has, Allowed):
            leaf.acquire(min(cost, has.remaining + 1))


def _leaves(limiter: ConfiguredLimiter) -> Iterator[ConfiguredLimiter]:
    if not isinstance(limiter, CompositeLimiter):
        yield limiter
        return
    for member in limiter.limiters:
        # A composite that a configuration has built holds what configurations build.
        yield from _leaves(cast("ConfiguredLimiter", member))
