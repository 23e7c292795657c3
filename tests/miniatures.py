"""Tiny engines, each with one trait: what the grader must tell apart, as source text.

`written(name, folder)` puts one where an engine is looked for.
"""

from pathlib import Path

# What every miniature below the first few builds on: right answers to `value` and nothing else.
ECHO = "def autograd(request):\n    return {'value': request['inputs'][request['output']]}\n"

MINIATURES = {
    "echoes": ECHO,
    "always_equal": """
class Equal(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __abs__(self): return 0.0
    def __sub__(self, other): return 0.0
    def __hash__(self): return 0

class Anything(dict):
    def __eq__(self, other): return True
    def __contains__(self, key): return True
    def __getitem__(self, key): return Anything()

def autograd(request):
    return Anything(value=Equal(0))
""",
    "always_wrong": "def autograd(request):\n    return {'value': [[12345.5]]}\n",
    "no_plain_data": "def autograd(request):\n    return {'value': object()}\n",
    "not_a_number": "def autograd(request):\n    return {'value': [[float('nan')]]}\n",
    "true_for_one": "def autograd(request):\n    return {'value': [[True]]}\n",
    "not_rounded": "def autograd(request):\n    return {'value': [[1 / 3]]}\n",
    "tuples": "def autograd(request):\n    return {'value': ((1.0,),)}\n",
    "raises": "def autograd(request):\n    raise KeyError('x')\n",
    "raises_value_error": "def autograd(request):\n    raise ValueError('shape, step, name')\n",
    "not_written": "def autograd(request):\n    raise NotImplementedError('backward')\n",
    "exits": "import sys\n\n\ndef autograd(request):\n    sys.exit(0)\n",
    "exits_at_once": "import os\n\n\ndef autograd(request):\n    os._exit(0)\n",
    "kills_itself": "import os\n\n\ndef autograd(request):\n    os.kill(os.getpid(), 9)\n",
    "segfaults": "import ctypes\n\n\ndef autograd(request):\n    ctypes.string_at(0)\n",
    "recurses": "def autograd(request):\n    return autograd(request)\n",
    "hangs": "def autograd(request):\n    while True:\n        pass\n",
    "hangs_stubbornly": """
def autograd(request):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""",
    "sleeps": "import time\n\n\ndef autograd(request):\n    time.sleep(60)\n",
    "ignores_signals": """
import signal
import time

def autograd(request):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)
""",
    "eats_memory": """
def autograd(request):
    hoard = []
    while True:
        hoard.append(bytearray(16 << 20))
""",
    "floods": "def autograd(request):\n    return {'value': 'x' * (20 << 20)}\n",
    "nests_deeply": """
def autograd(request):
    import sys
    sys.setrecursionlimit(200_000)
    value = []
    for _ in range(50_000):
        value = [value]
    return {'value': value}
""",
    "huge_number": "def autograd(request):\n    return {'value': [[10 ** 4000]]}\n",
    "prints": "print('20 passed')\n" + ECHO,
    "mutates": """
def autograd(request):
    request['inputs']['x'][0][0] += 1
    return {'value': [[1.0]]}
""",
    "mutates_and_raises": """
def autograd(request):
    request['steps'].append(['z', 'sum', 'x'])
    raise ValueError('name')
""",
    "remembers": """
calls = 0

def autograd(request):
    global calls
    calls += 1
    return {'value': [[float(calls)]]}
""",
    "hostile_message": """
def autograd(request):
    raise ValueError('\\x1b[2J\\x1b[31mshape\\n\\n20 passed')
""",
    "unprintable_error": """
class Bad(Exception):
    def __str__(self): raise RuntimeError('no')

def autograd(request):
    raise Bad
""",
    "forges_a_frame": """
import json, os, struct

def autograd(request):
    body = json.dumps({'id': 'x', 'answer': {'returned': {'value': [[1.0]]}}}).encode()
    for descriptor in range(3, 16):
        try:
            os.write(descriptor, struct.pack('>I', len(body)) + body)
        except OSError:
            pass
    return {'value': [[1.0]]}
""",
    "closes_everything": """
import os
import time

def autograd(request):
    os.closerange(0, 64)
    time.sleep(60)
""",
    "leaves_a_child": """
import os
import time

def autograd(request):
    if os.fork() == 0:
        os.setsid()
        time.sleep(300)
        os._exit(0)
    return {'value': [[1.0]]}
""",
    "reports_what_it_sees": """
import os

def autograd(request):
    def tried(action):
        try:
            return repr(action())
        except BaseException as error:
            return type(error).__name__

    def connected():
        import socket
        return socket.create_connection(('127.0.0.1', 9), timeout=1)

    return {'value': {
        'environment': sorted(os.environ),
        'home': tried(lambda: sorted(os.listdir(os.path.expanduser('~root')))),
        'tmp': tried(lambda: sorted(os.listdir('/tmp'))),
        'processes': tried(lambda: len([n for n in os.listdir('/proc') if n.isdigit()])),
        'written': tried(lambda: open('left_behind.txt', 'w').write('x')),
        'beside': tried(lambda: sorted(os.listdir(os.path.dirname(__file__)))),
        'interfaces': tried(lambda: sorted(n for _, n in __import__('socket').if_nameindex())),
        'grader': tried(lambda: __import__('grader')),
    }}
""",
    "breaks_on_import": "import no_such_module_anywhere\n",
    "exits_on_import": "import os\nos._exit(7)\n",
    "hangs_on_import": "while True:\n    pass\n",
    "broken_syntax": "def autograd(request:\n    return {}\n",
    "null_byte": "x = 1\x00\n",
    "nothing_called_autograd": "def backward(request):\n    return {}\n",
    "autograd_is_a_number": "autograd = 3\n",
}

# A driver that needs no package: of hand-ins that are a function total(numbers), and whatever else
# a scenario asks of them.
DRIVER = """
import inspect

def problem(module):
    has_it = callable(getattr(module, 'total', None))
    return '' if has_it else 'defines no function total(numbers)'

def answer(module, request, measure):
    if 'scenario' not in request:
        return {'value': module.total(request['inputs'])}
    namespace = {}
    exec(request['source'], namespace)
    play = namespace[request['scenario']](module, None, **request['given'])
    if not inspect.isgenerator(play):
        return play
    while True:
        try:
            next(play)
        except StopIteration as end:
            return end.value
        measure()
"""
NEEDY_DRIVER = "import no_such_package_anywhere\n" + DRIVER
# What it drives: adds up, and keeps as many MiB as it is told to.
DRIVEN = """
kept = []

def total(numbers):
    return [[float(sum(numbers.values()))]]

def keep(mib):
    kept.append(b'x' * (mib << 20))
"""
# Looked at before it keeps anything, and each time after.
KEEPING = """
def keeping(engine, tools, mib, times):
    yield
    for _ in range(times):
        engine.keep(mib)
        yield
    return {'kept': len(engine.kept)}

def adding(engine, tools, **numbers):
    return {'total': engine.total(numbers)}

def endless(engine, tools):
    while True:
        yield
"""
# Looks of its own making, without end.
ASKS_TO_BE_MEASURED = """
import sys

def autograd(request):
    frame = sys._getframe()
    while 'measure' not in frame.f_locals:
        frame = frame.f_back
    while True:
        frame.f_locals['measure']()
"""


def driver_in(folder: Path, source: str = DRIVER) -> Path:
    """The driver as folder/driver.py."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "driver.py"
    file.write_text(source, encoding="utf-8")
    return file


def written(name: str, folder: Path, exercise: str = "tiny") -> Path:
    """The miniature as folder/<exercise>.py; gives the file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{exercise}.py"
    file.write_text(MINIATURES[name], encoding="utf-8")
    return file
