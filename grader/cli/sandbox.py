"""The option that says where hand-ins are run."""

import click

sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(["auto", "bwrap", "seatbelt", "container", "process"]),
    default="auto",
    show_default=True,
    help="Where hand-ins are run.",
)
