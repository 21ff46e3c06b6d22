"""Sliders above a plot: each explorer shows one limiter under traffic that you choose."""
