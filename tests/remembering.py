"""The oracle for per-key limiting: a limiter a key, none ever forgotten, one clock for all."""

from ratelimit import ConfiguredLimiter, Decision, Denied, LimiterConfig, ManualTicker


class Remembering:
    """What `PerKeyLimiter` would be if memory cost nothing.

    Each key's limiter reads a clock that shows the highest reading of any `acquire`, and
    exists from the start, so that nothing is made or forgotten on the way.
    """

    def __init__(self, config: LimiterConfig, start_ms: int, keys: str) -> None:
        self.highest_ms = start_ms
        self._clock = ManualTicker(start_ms)
        self._limiters: dict[str, ConfiguredLimiter] = {
            key: config.build(self._clock) for key in keys
        }

    def acquire(self, now_ms: int, key: str, cost: int) -> Decision:
        self.highest_ms = max(now_ms, self.highest_ms)
        self._show(self.highest_ms)
        return self._from(now_ms, self._limiters[key].acquire(cost))

    def peek(self, now_ms: int, key: str, cost: int) -> Decision:
        self._show(max(now_ms, self.highest_ms))
        return self._from(now_ms, self._limiters[key].peek(cost))

    def is_fresh(self, now_ms: int, key: str) -> bool:
        return self._limiters[key].fresh_from_ms <= max(now_ms, self.highest_ms)

    def _show(self, reading_ms: int) -> None:
        self._clock.advance(reading_ms - self._clock.now_ms())

    def _from(self, now_ms: int, decision: Decision) -> Decision:
        behind_ms = self._clock.now_ms() - now_ms
        if isinstance(decision, Denied):
            return Denied(decision.retry_after_ms + behind_ms)
        return decision
