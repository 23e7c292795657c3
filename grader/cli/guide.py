"""`grader guide`."""

import click


@click.command()
@click.argument("exercise")
@click.option(
    "--html", "html_file", metavar="FILE", help="Write it as one page; - is standard output."
)
def guide(exercise: str, html_file: str | None) -> int:
    """Show what the interviewer needs, and no candidate should see.

    What a strong answer covers, answers to questions, hints in their order, new requirements,
    follow-ups with model answers, the debrief. EXERCISE is the name of a folder of fixtures/.

    \b
    grader guide tiny
    grader guide tiny | less
    grader guide tensor --html guide.html       a page to open, or to print
    """  # noqa: D301
    from grader.commands.guide import show_guide

    return show_guide(exercise, html_file)
