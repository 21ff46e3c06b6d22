"""How many requests a second are simulated, beside the bare loop of decisions."""

from statistics import median

from ratelimit import ManualTicker, TokenBucketConfig
from ratelimit.lab import traffic
from ratelimit.lab.simulation import simulate
from tests.benchmarks.timing import elapsed_ms, verdict, without_collection

REQUESTS = 200_000
LEAST_PER_SEC = 500_000
CONFIG = TokenBucketConfig(capacity=100, refill_per_sec=500)


def bare_loop() -> None:
    """Decide as often, at the same times, and keep nothing."""
    ticker = ManualTicker()
    limiter = CONFIG.build(ticker)
    for at_ms in range(REQUESTS):
        ticker.move_to(at_ms)
        limiter.acquire()


def report() -> None:
    """Measure both in turns, and print a table."""
    requests = traffic.steady(per_sec=1_000, duration_ms=REQUESTS)
    simulated_ms = []
    bare_ms = []
    for _ in range(5):
        with without_collection():
            simulated_ms.append(elapsed_ms(lambda: simulate(CONFIG, requests)))
            bare_ms.append(elapsed_ms(bare_loop))
    per_sec = 1_000 * REQUESTS / median(simulated_ms)
    bare_per_sec = 1_000 * REQUESTS / median(bare_ms)
    print(f"simulate, {REQUESTS:,} requests (target: at least {LEAST_PER_SEC:,} a second)")
    print(f"  {'a bare loop of acquire':<30} {bare_per_sec:>10,.0f} a second")
    print(
        f"  {'simulate':<30} {per_sec:>10,.0f} a second   {verdict(holds=per_sec >= LEAST_PER_SEC)}"
    )
