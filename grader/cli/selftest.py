"""`grader selftest`."""

import click


@click.command()
@click.option("--attacks", metavar="NAME,NAME", help="Only these.")
@click.option("--list", "listing", is_flag=True, help="Print the attacks, and try none.")
@click.option(
    "--sandbox",
    type=click.Choice(["bwrap", "warm", "container", "seatbelt", "process"]),
    help="Only this one.  [default: all that work here]",
)
@click.option(
    "--json", "json_file", metavar="FILE", help="Write all as JSON; - is standard output."
)
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write a page about it.")
@click.option(
    "--jobs", type=click.IntRange(1), help="Attacks at a time.  [default: two a core, at most 8]"
)
def selftest(
    attacks: str | None,
    listing: bool,  # noqa: FBT001  (click hands every option on like this)
    sandbox: str | None,
    json_file: str | None,
    markdown_file: str | None,
    jobs: int | None,
) -> int:
    """Try over a hundred attacks on this machine's sandboxes, and tell which were repelled.

    Exits 1 if one gets through a sandbox, or if there is no sandbox. A plain process, which is used
    where nothing better works, cannot repel all of them; the table says which.

    \b
    grader selftest
    grader selftest --sandbox bwrap --attacks fork_bomb,reads_home
    grader selftest --json selftest.json
    """  # noqa: D301
    from grader.commands.selftest import list_attacks, try_attacks

    if listing:
        return list_attacks()
    return try_attacks(attacks, sandbox, json_file, markdown_file, jobs)
