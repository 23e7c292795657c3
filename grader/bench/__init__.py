"""Engines side by side (`grader bench`), and what the tools cost (`python -m grader.bench`)."""
