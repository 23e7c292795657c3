"""Making fixtures right: expected results come from oracles, never from a person's hand."""
