"""One limiter a file. None of them knows another."""
