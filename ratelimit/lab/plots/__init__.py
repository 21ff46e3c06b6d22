"""Pictures of a trace, drawn fast enough to follow a slider."""
