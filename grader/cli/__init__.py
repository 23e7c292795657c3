"""The commands: options here, one a file; work elsewhere, imported only once a command runs."""

import click

from grader.cli.bench import bench
from grader.cli.bugs import bugs
from grader.cli.fixtures import fixtures
from grader.cli.grade import grade
from grader.cli.guide import guide
from grader.cli.key import key
from grader.cli.new import new
from grader.cli.power import power
from grader.cli.selftest import selftest

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT, no_args_is_help=False)
@click.version_option(package_name="autograde", prog_name="grader")
def grader() -> None:
    """Grade small reverse-mode autograd engines, without trusting them.

    \b
    grader new kim                  a session: a fresh kit, and the interviewer's side
    grader key kim                  what is wrong in that kit, and what fails because of it
    grader grade candidate          grade what a candidate starts from
    grader grade ~/hand-in          grade a folder with a tiny.py in it
    grader power ~/hand-in          which bugs the candidate's own tests would catch
    grader bench                    engines and libraries side by side: how time grows with depth
    grader guide tiny               what the interviewer needs: questions, hints, model answers
    grader bugs matrix              which case fails for which of the catalogue's bugs
    grader selftest                 which attacks this machine's sandbox repels
    grader fixtures check           prove that every case is right and can fail
    """  # noqa: D301


COMMANDS = [bench, bugs, fixtures, grade, guide, key, new, power, selftest]
for command in COMMANDS:
    grader.add_command(command)
