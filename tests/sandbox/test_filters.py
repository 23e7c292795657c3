"""The filter of system calls, run by a small machine of the tests' own and by the kernel."""

import platform
import struct

import pytest

from grader.sandbox.filters import DENIED, OWN_PID, Rules, program
from grader.sandbox.inside import kernel

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COLUMNS = {"x86_64": 0, "aarch64": 1}
# Calls that Python and torch cannot do without: read, mmap, futex, openat, exit_group, getrandom.
ORDINARY = {"x86_64": (0, 9, 202, 257, 231, 318), "aarch64": (63, 222, 98, 56, 94, 278)}
CLONE = {"x86_64": 56, "aarch64": 220}
EXEC = {"x86_64": 59, "aarch64": 221}
KILLS = {"x86_64": 62, "aarch64": 129}
IOCTL = {"x86_64": 16, "aarch64": 29}
THREAD = 0x003D0F00  # the flags that pthread_create asks with

machines = pytest.mark.parametrize("machine", MACHINES)


def decided(code: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the program decides about a call: BPF's loads, jumps and returns, and no more."""
    words = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    lines = [struct.unpack("=HBBI", code[at : at + 8]) for at in range(0, len(code), 8)]
    at, accumulator = 0, 0
    while True:
        what, yes, no, k = lines[at]
        at += 1
        if what == 0x20:
            (accumulator,) = struct.unpack_from("=I", words, k)
        elif what == 0x06:
            return int(k)
        else:
            is_so = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}
            at += yes if is_so[what] else no


@machines
def test_what_every_program_needs_goes_through(machine: str) -> None:
    for number in ORDINARY[machine]:
        assert decided(program(Rules(), machine), MACHINES[machine], number) == ALLOW


@machines
@pytest.mark.parametrize("name", DENIED)
@pytest.mark.parametrize("rules", [Rules(), Rules(fork=True, exec=True, signal=True)])
def test_what_no_engine_needs_is_refused(machine: str, name: str, rules: Rules) -> None:
    number = DENIED[name][COLUMNS[machine]]
    if number == -1:
        number = 1 << 20  # there is no such call, so it may pass
        assert decided(program(rules, machine), MACHINES[machine], number) == ALLOW
    else:
        assert decided(program(rules, machine), MACHINES[machine], number) == EPERM


@machines
def test_a_thread_may_begin_and_a_process_may_not(machine: str) -> None:
    code, architecture = program(Rules(), machine), MACHINES[machine]
    assert decided(code, architecture, CLONE[machine], THREAD) == ALLOW
    assert decided(code, architecture, CLONE[machine], 17) == EPERM
    assert decided(code, architecture, 435) == ENOSYS
    freely = program(Rules(fork=True), machine)
    assert decided(freely, architecture, CLONE[machine], 17) == ALLOW
    assert decided(freely, architecture, 435) == ALLOW


@machines
def test_another_program_is_refused_unless_allowed(machine: str) -> None:
    architecture = MACHINES[machine]
    assert decided(program(Rules(), machine), architecture, EXEC[machine]) == EPERM
    assert decided(program(Rules(exec=True), machine), architecture, EXEC[machine]) == ALLOW


@machines
def test_only_the_process_itself_may_be_signalled(machine: str) -> None:
    code, architecture = program(Rules(), machine), MACHINES[machine]
    assert decided(code, architecture, KILLS[machine], OWN_PID) == ALLOW
    for other in (0, 1, OWN_PID + 1, (1 << 32) - 1):
        assert decided(code, architecture, KILLS[machine], other) == EPERM
    freely = program(Rules(signal=True), machine)
    assert decided(freely, architecture, KILLS[machine], 1) == ALLOW


@machines
def test_nothing_can_be_typed_into_a_terminal(machine: str) -> None:
    code, architecture = program(Rules(), machine), MACHINES[machine]
    assert decided(code, architecture, IOCTL[machine], 0, 0x5412) == EPERM
    assert decided(code, architecture, IOCTL[machine], 0, 0x5401) == ALLOW


@machines
def test_the_numbers_of_another_architecture_end_the_process(machine: str) -> None:
    for other in {*MACHINES.values(), 0x40000003} - {MACHINES[machine]}:
        assert decided(program(Rules(), machine), other, ORDINARY[machine][0]) == KILL


def test_the_other_numbers_of_the_same_processor_end_the_process() -> None:
    assert decided(program(Rules(), "x86_64"), MACHINES["x86_64"], 0x4000_0000) == KILL


def test_for_a_processor_that_is_not_known_there_is_no_filter() -> None:
    assert program(Rules(), "sparc") == b""


def test_here_there_is_one() -> None:
    assert program(Rules()) == program(Rules(), platform.machine())
    assert program(Rules())


def test_both_sides_mean_the_same_mark() -> None:
    assert kernel.OWN_PID == OWN_PID
