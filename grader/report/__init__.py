"""A grade for people and for programs."""
