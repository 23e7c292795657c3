"""Tests that candidates could hand in: good ones, ones that prove nothing, and ones that mean harm.

A misuse stands in tests/test_bad.py, below HEAD, and calls its test test_bad.
"""

from grader.power.results import Status

Misuses = dict[str, tuple[str, tuple[Status, str]]]

HEAD = """\
import json, math, os, signal, struct, sys, time
import pytest
from candidate import tiny

def gradient(steps, x, output="y"):
    request = {"op": "grad", "inputs": {"x": x}, "steps": steps, "output": output}
    return tiny.autograd(request)["grads"]["x"]

"""

OWN = "tests/test_own.py"
BAD = "tests/test_bad.py"
LINE = HEAD.count("\n") + 2  # of the first line in a misuse's test_bad
GOOD = f"""{HEAD}
def test_tanh():
    slope = gradient([["y", "tanh", "x"]], [[0.5]])[0][0]
    assert slope == pytest.approx(1 - math.tanh(0.5) ** 2, abs=1e-5)

def test_mean():
    assert gradient([["y", "mean", "x"]], [[1, 2]]) == [[0.5, 0.5]]
"""
TANH, MEAN = f"{OWN}::test_tanh", f"{OWN}::test_mean"

# What becomes of a misuse's test on a right engine, and why.
ORDINARY: Misuses = {
    "wrong": (
        "def test_bad():\n    assert gradient([['y', 'mean', 'x']], [[1, 2]]) == [[1, 1]]\n",
        ("failed", f"{BAD}:{LINE}: assert [[0.5, 0.5]] == [[1, 1]]"),
    ),
    "raises in the engine": (
        "def test_bad():\n    gradient([['y', 'median', 'x']], [[1, 2]])\n",
        ("failed", f"{BAD}:{LINE}: ValueError: step ['y', 'median', 'x']: unknown operation"),
    ),
    "an exception that raises": (
        "def test_bad():\n    class E(Exception):\n        def __str__(self): 1 / 0\n    raise E\n",
        ("failed", f"{BAD}:{LINE + 2}: "),
    ),
    "exits": ("def test_bad():\n    sys.exit(0)\n", ("failed", f"{BAD}:{LINE}: SystemExit: 0")),
    "skipped": (
        "def test_bad():\n    pytest.skip('no time')\n",
        ("skipped", "it was skipped: Skipped: no time"),
    ),
    "expected to fail": (
        "@pytest.mark.xfail\ndef test_bad():\n    assert False\n",
        ("skipped", "it was skipped: it is expected to fail"),
    ),
    "a fixture that fails": (
        "@pytest.fixture\ndef broken():\n    raise OSError('no')\ndef test_bad(broken): pass\n",
        ("error", f"{BAD}:{LINE + 1}: OSError: no"),
    ),
    "a fixture that fails afterwards": (
        "@pytest.fixture\ndef broken():\n    yield\n    raise OSError('no')\n"
        "def test_bad(broken): pass\n",
        ("error", f"{BAD}:{LINE + 2}: OSError: no"),
    ),
    "hangs": ("def test_bad():\n    while True: pass\n", ("timed_out", "it took too long")),
    "catches its limit": (
        "def test_bad():\n    try:\n        while True: pass\n    except BaseException: pass\n",
        ("timed_out", "it took too long"),
    ),
    "floods": (
        "def test_bad():\n    for _ in range(50):\n        print('x' * 1_000_000)\n"
        "        print('x' * 1_000_000, file=sys.stderr)\n    assert False\n",
        ("failed", f"{BAD}:{LINE + 3}: assert False"),
    ),
    "forks": (
        "def test_bad():\n    pid = os.fork()\n    if pid:\n        os.waitpid(pid, 0)\n"
        "        assert False\n",
        ("failed", f"{BAD}:{LINE + 3}: assert False"),
    ),
    "tells nonsense": (
        "def test_bad():\n    for line in (b'{', b'[]', b'[' * 5_000, b'\\xff', b'{\"test\": 3}',\n"
        '        b\'{"test": "a", "when": [], "outcome": {}, "why": 1}\', b\'{"begun": null}\'):\n'
        "        os.write(3, line + b'\\n')\n    assert False\n",
        ("failed", f"{BAD}:{LINE + 3}: assert False"),
    ),
}

# The same for those that take the process of all tests with them.
FATAL: Misuses = {
    "ends the process": (
        "def test_bad():\n    os._exit(0)\n",
        ("crashed", "the tests' process ended (exit code 0)"),
    ),
    "kills itself": (
        "def test_bad():\n    os.kill(os.getpid(), 9)\n",
        ("crashed", "the tests' process ended (SIGKILL)"),
    ),
    "interrupts": (
        "def test_bad():\n    raise KeyboardInterrupt\n",
        ("crashed", "it stopped the run of all tests"),
    ),
    "stops pytest": (
        "def test_bad():\n    pytest.exit('enough')\n",
        ("crashed", "it stopped the run of all tests"),
    ),
    "hangs stubbornly": (
        "def test_bad():\n    while True:\n        try:\n            while True: pass\n"
        "        except BaseException: pass\n",
        ("timed_out", "it took too long"),
    ),
    "sleeps": ("def test_bad():\n    time.sleep(60)\n", ("timed_out", "it took too long")),
}

# And for those that are meant for whoever comes after.
HARMFUL: Misuses = {
    "deletes the tests": (
        "def test_bad():\n    import shutil\n    shutil.rmtree('tests')\n"
        "    os.unlink('candidate/tiny.py')\n    assert not os.listdir('candidate')\n"
        "    assert False\n",
        ("failed", f"{BAD}:{LINE + 4}: assert False"),
    ),
    "leaves what cannot be deleted": (
        "def test_bad():\n    os.makedirs('left/over')\n    os.chmod('left', 0)\n"
        "    assert False\n",
        ("failed", f"{BAD}:{LINE + 2}: assert False"),
    ),
    "breaks pytest": (
        "def test_bad():\n    pytest.main = pytest.Session.main = os.fork = None\n"
        "    assert False\n",
        ("failed", f"{BAD}:{LINE + 1}: assert False"),
    ),
    # Frames as the runner sends them, to whoever listens: the answers for engines to come.
    "answers for the runner": (
        "def test_bad():\n    lie = {'test': 'tests/test_own.py::test_mean', 'when': 'call',\n"
        "           'outcome': 'failed', 'why': 'a lie', 'seconds': 0}\n"
        "    body = json.dumps({'told': [lie], 'ended': 'ended', 'again': True}).encode()\n"
        "    for descriptor in (1, 2, *range(4, 64)):\n        try:\n"
        "            os.write(descriptor, (struct.pack('>I', len(body)) + body) * 50)\n"
        "        except OSError: pass\n    assert False\n",
        ("failed", f"{BAD}:{LINE + 7}: assert False"),
    ),
}

# What stands in files that cannot be read, by their names, and why they cannot.
UNREADABLE = {
    "no Python": ({BAD: "def test_bad(:\n"}, {BAD: "SyntaxError"}),
    "imports what is not there": (
        {BAD: "import nothing_of_that_name\n"},
        {BAD: "ModuleNotFoundError: No module named 'nothing_of_that_name'"},
    ),
    "raises": ({BAD: "1 / 0\n"}, {BAD: "ZeroDivisionError: division by zero"}),
    "ends the process": (
        {BAD: "import os\nos._exit(3)\n"},
        {BAD: "while it was read, the tests' process ended (exit code 3)"},
    ),
    "hangs": ({BAD: "while True: pass\n"}, {BAD: "while it was read, it took too long"}),
    "a conftest.py below": (
        {"tests/below/conftest.py": "1 / 0\n", "tests/below/test_bad.py": "def test_bad(): pass\n"},
        {"tests/below": "ZeroDivisionError: division by zero"},
    ),
}
