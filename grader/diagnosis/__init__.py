"""What is wrong with an engine, as far as the catalogue knows it: from verdicts to bugs.

`evidence` reads the verdicts, `search` finds sets of bugs that could be behind them, `confirm`
makes engines with these sets and runs them, and `diagnose` says what fits, or nothing.
"""

from grader.diagnosis.diagnose import Diagnosis, Suspect, diagnose

__all__ = ["Diagnosis", "Suspect", "diagnose"]
