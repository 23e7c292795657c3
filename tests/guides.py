"""A small exercise with a guide, as a file would have it."""

from pathlib import Path

from grader.project import Exercise, read_exercise

TEXT = """\
title: Small
minutes: 40
operations: [add, mul]
stages:
  first:
    weight: 10
    about: values, and everything else that a sentence can hold until it must be broken in two
  second: {weight: 2.5, about: gradients with `mul`}
new_requirement: 5

strong:
  - Looks before it leaps.
  - |
    Says what `grad` is.

    In two paragraphs.

questions:
  - ask: May I?
    answer: |
      You may, as long as `x * y` stays what it is, and the line is
      long enough to be broken somewhere, which this one is.

hints:
  - stage: first
    hint: Look.
  - stage: second
    hint: Look here.
  - stage: second
    hint: |
      Write

          y = x * x

          z = y

      and look again.

follow_ups:
  - ask: |
      Why does anybody ask a question that is so long that it will not fit on one line?
    answer: To see it broken.

debrief:
  - What now?
  - What next?

twists:
  faster:
    time: 7.5
    statement: Make it faster.
  safer:
    time: 10
    statement: |
      Make it safer:

          with safety(): ...
"""


def written_exercise(folder: Path, text: str = TEXT, name: str = "small") -> Path:
    """The file, in a folder laid out like fixtures/."""
    file = folder / name / "exercise.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def exercise(folder: Path, text: str = TEXT) -> Exercise:
    written_exercise(folder, text)
    return read_exercise("small", folder)
