"""Tests that candidates could hand in: good ones, and ones that prove nothing."""

HEAD = """
import math, os, pytest
from candidate import tiny

def gradient(steps, x, output="y"):
    request = {"op": "grad", "inputs": {"x": x}, "steps": steps, "output": output}
    return tiny.autograd(request)["grads"]["x"]
"""

GOOD = f"""{HEAD}

def test_tanh():
    slope = gradient([["y", "tanh", "x"]], [[0.5]])[0][0]
    assert slope == pytest.approx(1 - math.tanh(0.5) ** 2, abs=1e-5)

def test_mean():
    assert gradient([["y", "mean", "x"]], [[1, 2]]) == [[0.5, 0.5]]

def test_value():
    request = {{"op": "value", "inputs": {{"x": [[1]]}}, "steps": [], "output": "x"}}
    assert tiny.autograd(request) == {{"value": [[1]]}}
"""

# What stands in test_bad.py, and a part of what is said about it.
MISUSED = {
    "wrong": (
        "\ndef test_bad():\n    assert gradient([['y', 'mean', 'x']], [[1, 2]]) == [[1, 1]]\n",
        "test_bad.py::test_bad on the reference: test_bad.py:",
    ),
    "depends on the order": (
        "\nstate = []\ndef test_bad_first():\n    state.append(1)\n"
        "def test_bad_second():\n    assert state\n",
        "test_bad.py::test_bad_second on the reference",
    ),
    "skipped": (
        "\n@pytest.mark.skip\ndef test_bad():\n    pass\n",
        "test_bad.py::test_bad on the reference: it was skipped",
    ),
    "setup fails": (
        "\n@pytest.fixture\ndef broken():\n    raise OSError('no')\n"
        "def test_bad(broken):\n    pass\n",
        "test_bad.py::test_bad on the reference",
    ),
    "cannot be read": ("\ndef test_bad(:\n", "test_bad.py"),
    "does not import": ("\nimport nothing_of_that_name\n", "test_bad.py"),
    "hangs": ("\ndef test_bad():\n    while True: pass\n", "test_bad on the reference"),
    "ends the process": (
        "\ndef test_bad():\n    os._exit(0)\n",
        "test_bad",
    ),
    "floods": (
        "\ndef test_bad():\n    print('x' * 50_000_000)\n    assert False\n",
        "test_bad",
    ),
}
