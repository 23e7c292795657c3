"""Files that pytest and Python would run by themselves, if they were ever taken.

family: hand-ins
kind: files
expect: wrong
"""

RUNS = b"open('@HOME@/diary.txt', 'a').write('I was here.')\nopen('@TEMP@/@MARK@_ran', 'w').close()\n"
ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def files():
    return {
        "candidate/tiny.py": ENGINE,
        "candidate/conftest.py": RUNS,
        "candidate/sitecustomize.py": RUNS,
        "candidate/evil.dist-info/entry_points.txt": b"[pytest11]\nevil = evil\n",
        "candidate/evil.py": RUNS,
        "candidate/evil.pth": b"import evil\n",
        "conftest.py": RUNS,
        "pytest.ini": b"[pytest]\naddopts = -p evil\n",
        "setup.cfg": b"[tool:pytest]\naddopts = -p evil\n",
        "tox.ini": b"[pytest]\naddopts = -p evil\n",
        "pyproject.toml": b"[tool.pytest.ini_options]\naddopts = ['-p', 'evil']\n",
        "tests/conftest.py": RUNS,
    }
