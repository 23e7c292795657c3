"""How a command fails: one line, and an exit code that says whose fault it is."""

import click


class BadInput(click.ClickException):
    """Something a person named cannot be used."""

    exit_code = 2


class GraderFault(click.ClickException):
    """The grader could not do its work."""

    exit_code = 3
