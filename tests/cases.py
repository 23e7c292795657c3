"""Short ways to make cases and outcomes for tests."""

from pathlib import Path
from typing import Any

from grader.kit.case import Case, Raises, Returns

HERE = Path("fixtures/tiny/visible/stage1/made_up.yaml")


def case(
    *,
    op: str = "value",
    inputs: Any = None,
    steps: Any = None,
    output: Any = "x",
    expects: Returns | Raises | None = None,
    **fields: Any,
) -> Case:
    """A case that asks for the value of x, [[1.0]], unless told otherwise."""
    request = {
        "op": op,
        "inputs": {"x": [[1.0]]} if inputs is None else inputs,
        "steps": [] if steps is None else steps,
        "output": output,
    }
    told: dict[str, Any] = {
        "name": "made_up",
        "exercise": "tiny",
        "visibility": "visible",
        "stage": "stage1",
        "why": "tests need cases",
        "request": request,
        "first": (),
        "expects": Returns({"value": [[1.0]]}) if expects is None else expects,
        "seconds": 1.0,
        "guards": (),
        "steps": request["steps"],
        "path": HERE,
        "line": 1,
    }
    return Case(**{**told, **fields})


def scenario(name: str, source: str, given: dict[str, Any] | None = None, **fields: Any) -> Case:
    """A case that plays one function of the source."""
    request = {"scenario": name, "given": given or {}, "source": source}
    return case(request=request, **fields)
