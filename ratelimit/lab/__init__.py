"""What the notebooks add to the limiters."""
