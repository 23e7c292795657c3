"""What the tools cost, measured as ratios in one run: `python -m grader.bench`."""
