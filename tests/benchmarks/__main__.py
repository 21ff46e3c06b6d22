"""Run all benchmarks: `make bench`."""

from tests.benchmarks import key_presses, redraws, simulation

if __name__ == "__main__":
    simulation.report()
    redraws.report()
    key_presses.report()
