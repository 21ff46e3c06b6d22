"""HTTP fields for a decision: when to retry, and how much is left of which limit."""

from collections.abc import Mapping
from typing import NamedTuple

from ratelimit.composite import CompositeLimiter
from ratelimit.decision import Allowed, Decision, Denied
from ratelimit.limiter import ConfiguredLimiter, PeekableLimiter
from ratelimit.synchronized import SynchronizedLimiter
from ratelimit.ticker import Ticker

DRAFT = "draft-ietf-httpapi-ratelimit-headers-10"
"""The version of the IETF draft whose syntax `RateLimit` and `RateLimit-Policy` have."""

OLDER_DRAFT = "draft-ietf-httpapi-ratelimit-headers-06"
"""The last version with one field each for limit, remaining and reset."""


class _Quota(NamedTuple):
    """One named limit at one moment, in the units of HTTP."""

    name: str
    limit: int
    window_s: int
    remaining: int
    reset_s: int


def rate_limit_headers(
    decision: Decision,
    limits: Mapping[str, PeekableLimiter] | None = None,
    ticker: Ticker | None = None,
    *,
    older_form: bool = False,
) -> dict[str, str]:
    """Return the fields that tell a client about a decision, ready for a response.

    `Retry-After` is there when the decision is `Denied`: whole seconds, rounded up, so
    that a client that waits them out does not come too early.

    With `limits` there are two more, in the syntax of `DRAFT`. `RateLimit-Policy` lists
    every limit by name with its quota `q` and its window `w` in seconds. `RateLimit`
    names the tightest of them, the one with the least left, with what remains of it, `r`,
    and the seconds until all of it is restored if no more is used, `t`. Neither is ever
    a point in time. Windows and times that are not whole seconds are rounded up: then a
    client asks rather too seldom than too often. A bucket's window is the time in which
    it fills.

    `older_form` adds `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` of
    `OLDER_DRAFT` for the tightest limit; the reset is in seconds from now.

    Args:
        decision: what the limiter has just answered.
        limits: the limits that took part, by the names that clients are to see; for a
            composite its members, each by a name of its own.
        ticker: the clock that the limits read; needed with `limits`.
        older_form: whether to add the older three fields.

    Raises:
        TypeError: an argument is not of its type, a limit is a composite, or the clock is
            missing.
        ValueError: a name is empty or has characters other than printable ASCII, or the
            older form is asked for without limits.

    Cost: O(number of limits) time and memory.
    """
    headers = _retry_after(decision)
    if not limits:
        if older_form:
            raise ValueError("the older form tells about a limit; pass limits={name: limiter}")
        return headers
    if ticker is None:
        raise TypeError("ticker must be the clock that the limits read, got None; pass it too")
    now_ms = ticker.now_ms()
    quotas = [_quota(name, limiter, now_ms) for name, limiter in limits.items()]
    tightest = min(quotas, key=lambda quota: quota.remaining)
    headers["RateLimit-Policy"] = ", ".join(
        f"{_quoted(quota.name)};q={quota.limit};w={quota.window_s}" for quota in quotas
    )
    headers["RateLimit"] = f"{_quoted(tightest.name)};r={tightest.remaining};t={tightest.reset_s}"
    if older_form:
        headers["RateLimit-Limit"] = str(tightest.limit)
        headers["RateLimit-Remaining"] = str(tightest.remaining)
        headers["RateLimit-Reset"] = str(tightest.reset_s)
    return headers


def _retry_after(decision: Decision) -> dict[str, str]:
    match decision:
        case Denied(retry_after_ms):
            return {"Retry-After": str(_seconds_up(retry_after_ms))}
        case Allowed():
            return {}
        case _:
            raise TypeError(
                f"decision must be Allowed or Denied, got {type(decision).__name__}; "
                f"pass what acquire returned"
            )


def _quota(name: str, limiter: PeekableLimiter, now_ms: int) -> _Quota:
    inner = _configured(name, limiter)
    left = limiter.peek()
    window_ms: int = getattr(inner, "window_ms", inner.horizon_ms)
    return _Quota(
        name,
        inner.max_cost,
        _seconds_up(window_ms),
        left.remaining + 1 if isinstance(left, Allowed) else 0,
        max(0, _seconds_up(inner.fresh_from_ms - now_ms)),
    )


def _configured(name: str, limiter: PeekableLimiter) -> ConfiguredLimiter:
    inner: object = limiter
    while isinstance(inner, SynchronizedLimiter):
        inner = inner.limiter
    if isinstance(inner, CompositeLimiter) or not isinstance(inner, ConfiguredLimiter):
        raise TypeError(
            f"limit {name!r} is a {type(inner).__name__}, which has no quota and window of its "
            f"own; pass the limiters it is made of, each by its name"
        )
    return inner


def _quoted(name: str) -> str:
    """Return `name` as a string of HTTP's structured fields (RFC 9651)."""
    if not isinstance(name, str):
        raise TypeError(f"a limit's name must be a str, got {type(name).__name__} {name!r}")
    if not name or not all(" " <= letter <= "~" for letter in name):
        raise ValueError(
            f"a limit's name must be printable ASCII and not empty, got {name!r}; rename it"
        )
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _seconds_up(ms: int) -> int:
    return -(-ms // 1_000)
