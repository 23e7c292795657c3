"""The `grader` command: exit 0 done, 1 below --fail-under, 2 wrong usage or input, 3 our fault."""

import gc
import io
import sys

import click

from grader.cli import grader


def main() -> None:
    """Run the command line; whatever a person can mend is told in one line."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code."""
    gc.set_threshold(100_000)  # a command makes its data in bulk, and ends
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a message may have any character in it
    try:
        code = grader.main(arguments, prog_name="grader", standalone_mode=False)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "grader"
        complain(f"{error.format_message()} (see {command} --help)")
        return 2
    except click.ClickException as error:
        complain(error.format_message())
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return 130
    except OSError as error:
        complain(f"{error.filename or 'the output'}: {error.strerror or error}")
        return 3
    except Exception as error:  # noqa: BLE001
        import traceback

        traceback.print_exc()
        complain(f"this is the grader's own fault: {type(error).__name__}: {error}")
        return 3
    return code if isinstance(code, int) else 0


def complain(text: str) -> None:
    from grader.kit.worker import printable

    print(f"grader: {printable(text)}", file=sys.stderr)


if __name__ == "__main__":
    main()
