"""How full a limiter is, read from the limiter itself."""

from typing import NamedTuple

from ratelimit.algorithms.fixed_window import FixedWindow
from ratelimit.algorithms.leaky_bucket import LeakyBucket
from ratelimit.algorithms.sliding_log import SlidingLog
from ratelimit.algorithms.sliding_window import SlidingWindow
from ratelimit.algorithms.token_bucket import TokenBucket
from ratelimit.limiter import RateLimiter


class Level(NamedTuple):
    """What a limiter showed at one moment of simulated time.

    Attributes:
        at_ms: the moment, in milliseconds.
        amount_milli: a token bucket's tokens, a leaky bucket's level, or a window's usage,
            what it carries over included, in thousandths of a unit.
        carried_milli: the part of `amount_milli` that an earlier window left behind; 0 where the
            algorithm carries nothing over.
    """

    at_ms: int
    amount_milli: int
    carried_milli: int = 0


def read_level(limiter: RateLimiter, at_ms: int) -> Level:
    """Read the limiter's own state; its clock must stand at `at_ms`. Changes nothing.

    Raises:
        TypeError: the limiter shows no level.
    """
    match limiter:
        case TokenBucket():
            return Level(at_ms, limiter.tokens_milli)
        case LeakyBucket():
            return Level(at_ms, limiter.level_milli)
        case SlidingWindow():
            usage = limiter.usage
            return Level(at_ms, 1_000 * usage, 1_000 * (usage - limiter.current))
        case FixedWindow() | SlidingLog():
            return Level(at_ms, 1_000 * limiter.count)
        case _:
            raise TypeError(
                f"{type(limiter).__name__} shows no level; simulate it without levels_at_ms"
            )
