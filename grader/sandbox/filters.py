"""A filter of system calls, as the kernel wants it: seccomp's small BPF program.

It names what no engine needs and an attack does: new processes, sockets, other processes' memory,
namespaces, mounts, keys, and memory that no limit counts. Everything else goes through, so that
Python and torch, with its threads, run as ever. A refused call fails with EPERM, as for want of
rights. https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html

The numbers are those of the kernel's own tables: arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h.
"""

import errno
import platform
import struct
from dataclasses import dataclass

# One name, its number on x86-64 and on aarch64; -1 where there is no such call.
DENIED = {
    # talking to anybody
    "socket": (41, 198), "socketpair": (53, 199), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "connect": (42, 203),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    # the system
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
    "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "quotactl": (179, 60), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161),
    "setdomainname": (171, 162), "syslog": (103, 116), "personality": (135, 92),
    "iopl": (172, -1), "ioperm": (173, -1), "modify_ldt": (154, -1),
    # parts of the kernel with a history
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262), "inotify_init": (253, -1), "inotify_init1": (294, 26),
    # memory that RLIMIT_AS does not count, or that outlives whoever asked for it
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
}  # fmt: skip
FORKING = {"fork": (57, -1), "vfork": (58, -1)}
EXECUTING = {"execve": (59, 221), "execveat": (322, 281)}
LEAVING = {"setsid": (112, 157), "setpgid": (109, 154)}
CLONE, CLONE3 = (56, 220), (435, 435)
KILL, TGKILL, TKILL = (62, 129), (234, 131), (200, 130)
FCNTL, IOCTL, PRCTL = (72, 25), (16, 29), (157, 167)

CLONE_THREAD = 0x0001_0000
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15  # a signal to anybody, by way of a file
TIOCSTI, TIOCLINUX = 0x5412, 0x541C  # typing into somebody's terminal
PR_SET_PDEATHSIG = 1
OWN_PID = 0xDEADBEEF  # as in inside/kernel.py, which puts the number in its place

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32 = 0x4000_0000  # another set of numbers for the same calls

_LOAD, _JEQ, _JGE, _JSET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


@dataclass(frozen=True, slots=True)
class Rules:
    """What a process may do beside computing.

    fork    begin other processes
    exec    become another program
    signal  send signals to others than itself, of those that it can see
    """

    fork: bool = False
    exec: bool = False
    signal: bool = False


def program(rules: Rules, machine: str | None = None) -> bytes:
    """The filter, eight bytes an instruction; empty for a processor that is not among ours."""
    if (machine or platform.machine()) not in ARCHITECTURES:
        return b""
    column, architecture = ARCHITECTURES[machine or platform.machine()]
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_JEQ, architecture, yes=1),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
    ]
    if column == 0:
        lines += [_line(_JGE, X32, no=1), _line(_RETURN, _KILL)]
    denied = dict(DENIED)
    if not rules.fork:
        denied |= FORKING | LEAVING
        lines += _refused(CLONE3[column], errno.ENOSYS)  # the C library then tries clone
        lines += _unless(CLONE[column], 0, _JSET, CLONE_THREAD)
    if not rules.exec:
        denied |= EXECUTING
    for numbers in denied.values():
        if numbers[column] >= 0:
            lines += _refused(numbers[column])
    for value in (F_SETOWN, F_SETSIG, F_SETOWN_EX):
        lines += _if(FCNTL[column], 1, value)
    for value in (TIOCSTI, TIOCLINUX):
        lines += _if(IOCTL[column], 1, value)
    if not rules.signal:
        lines += _refused(TKILL[column])
        lines += _if(PRCTL[column], 0, PR_SET_PDEATHSIG)
        for call in (KILL, TGKILL):
            lines += _unless(call[column], 0, _JEQ, OWN_PID)
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _line(code: int, k: int, yes: int = 0, no: int = 0) -> bytes:
    """struct sock_filter: what to do, how far to go on if it is so and if it is not, with what."""
    return struct.pack("=HBBI", code, yes, no, k)


def _refused(number: int, error: int = errno.EPERM) -> list[bytes]:
    return [_line(_JEQ, number, no=1), _line(_RETURN, _ERRNO | error)]


def _if(number: int, argument: int, value: int) -> list[bytes]:
    """Refused where the low half of that argument is so."""
    return [
        _line(_JEQ, number, no=4),
        _line(_LOAD, _ARGUMENTS + 8 * argument),
        _line(_JEQ, value, no=1),
        _line(_RETURN, _ERRNO | errno.EPERM),
        _line(_LOAD, _NUMBER),
    ]


def _unless(number: int, argument: int, test: int, value: int) -> list[bytes]:
    """Refused unless the low half of that argument passes the test."""
    return [
        _line(_JEQ, number, no=4),
        _line(_LOAD, _ARGUMENTS + 8 * argument),
        _line(test, value, yes=1),
        _line(_RETURN, _ERRNO | errno.EPERM),
        _line(_LOAD, _NUMBER),
    ]
