"""An interviewer's guide in the terminal, in a pipe, or in a file."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from grader.guide import Guide, Question
from grader.kit.worker import printable
from grader.project import Exercise
from grader.report.prose import Code, Paragraph, blocks

MOST_WIDTH = 88  # longer lines are hard to read
LEAST_WIDTH = 20  # of a text beside its indent
INDENT = 4
NO_BREAK = "\ue000"  # for a space within code, while lines are broken


def show(exercise: Exercise, console: Console) -> None:
    """Raises FixtureError before anything is shown, where the guide is broken."""
    lines = list(Sheet(console).lines(exercise, exercise.guide))
    for line in lines[:-1]:  # the last one is blank, as after every entry
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


class Sheet:
    """What is shown, line by line, as this console can show it."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = min(console.width, MOST_WIDTH)
        self.rule, self.bullet, self.dot = ("-", "*", ",")
        if not console.options.ascii_only:
            self.rule, self.bullet, self.dot = ("─", "•", " ·")
        # Where code has no colour, it keeps its backticks.
        self.tick = "`" if console.color_system is None or console.no_color else ""

    def lines(self, exercise: Exercise, guide: Guide) -> Iterator[Text]:
        yield from self.head(exercise, guide)
        yield from self.heading("What a strong answer covers")
        for text in guide.strong:
            yield from self.entry(self.bullet, text)
        yield from self.heading("Questions a candidate may ask")
        yield from self.questions(guide.questions)
        yield from self.heading("Hints, one at a time")
        for stage in exercise.stages:
            if hints := guide.hints_for(stage):
                yield Text(printable(stage), "bold")
                for number, text in enumerate(hints, 1):
                    yield from self.entry(f"{number}.", text)
        if guide.twists:
            yield from self.heading("New requirements, as told")
        for twist in guide.twists:
            time = f"  leave {twist.minutes:g} minutes for it"
            yield Text.assemble((printable(twist.name), "bold"), (time, "dim"))
            yield from self.body(twist.statement)
            yield Text()
        yield from self.heading("Follow-ups, with model answers")
        yield from self.questions(guide.follow_ups)
        yield from self.heading("Debrief")
        for number, text in enumerate(guide.debrief, 1):
            yield from self.entry(f"{number}.", text)

    def head(self, exercise: Exercise, guide: Guide) -> Iterator[Text]:
        yield Text(printable(exercise.title), "bold")
        facts = f"{exercise.minutes} minutes{self.dot} {' '.join(exercise.operations)}"
        yield from self.hanging(Text(), Text(printable(facts)))
        warning = "For the interviewer; nothing here is for the candidate to see."
        yield from self.hanging(Text(), Text(warning, "dim"))
        yield Text()
        weights = {stage.name: (stage.weight, stage.about) for stage in exercise.stages.values()}
        if guide.twists:
            names = ", ".join(twist.name for twist in guide.twists)
            weights["new requirement"] = (exercise.new_requirement, f"one of {names}")
        widest = max(map(len, weights))
        for name, (weight, about) in weights.items():
            prefix = Text(f"  {printable(name):{widest}}  {weight:>3g}  ")
            yield from self.hanging(prefix, self.styled(about))
        yield Text()

    def heading(self, text: str) -> Iterator[Text]:
        line = f"{self.rule * 2} {text} "
        yield Text(line + self.rule * (self.width - len(line)), "bold cyan")
        yield Text()

    def questions(self, questions: tuple[Question, ...]) -> Iterator[Text]:
        for number, question in enumerate(questions, 1):
            ask = self.styled(question.ask, "bold")
            yield from self.hanging(Text(f"{number:>2}. ", "bold"), ask)
            yield from self.body(question.answer)
            yield Text()

    def entry(self, mark: str, text: str) -> Iterator[Text]:
        """The first line of the text stands beside the mark."""
        first = True
        for line in self.body(text):
            yield Text(f"{mark:>{INDENT - 1}} ") + line[INDENT:] if first else line
            first = False
        yield Text()

    def body(self, text: str) -> Iterator[Text]:
        """All of it indented, with a blank line between two blocks."""
        for number, block in enumerate(blocks(text)):
            if number:
                yield Text()
            if isinstance(block, Code):
                for code in block.text.splitlines():
                    yield Text(f"{' ' * 2 * INDENT}{printable(code)}".rstrip(), "cyan")
            else:
                yield from self.hanging(Text(" " * INDENT), self.line(block))

    def hanging(self, prefix: Text, text: Text) -> Iterator[Text]:
        """Wrapped, every further line under the first one's text."""
        width = max(self.width - len(prefix), LEAST_WIDTH)
        for number, line in enumerate(text.wrap(self.console, width)):
            line.rstrip()
            line.plain = line.plain.replace(NO_BREAK, " ")
            yield (Text(" " * len(prefix)) if number else prefix) + line

    def styled(self, text: str, style: str = "") -> Text:
        """Of one paragraph."""
        paragraphs = [block for block in blocks(text) if isinstance(block, Paragraph)]
        return Text(" ", style).join(self.line(block, style) for block in paragraphs)

    def line(self, paragraph: Paragraph, style: str = "") -> Text:
        line = Text(style=style)
        for number, piece in enumerate(paragraph.pieces):
            if number % 2:
                code = printable(piece).replace(" ", NO_BREAK)
                line.append(f"{self.tick}{code}{self.tick}", "cyan")
            else:
                line.append(printable(piece))
        return line
