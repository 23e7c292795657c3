"""What only the kernel can do for a process about to run an engine: the calls, one by one.

This file stands alone. See the manual pages of prctl, unshare, mount, capset and seccomp. Each
raises OSError where the kernel says no.
"""

import ctypes
import os
import struct
from collections.abc import Iterable

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
SECCOMP_MODE_FILTER = 2
LARGE, MADV_HUGEPAGE, MADV_COLLAPSE = 2 << 20, 14, 25
OWN_PID = 0xDEADBEEF  # in a filter: the process that it is put on, which nobody knows before
CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITY_VERSION_3 = 0x20080522
MOST_CAPABILITIES = 64
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x0002_0000, 0x0800_0000, 0x2000_0000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT = 1, 2, 4, 32

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    """struct sock_fprog: how many instructions, and where."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def die_with_parent(parent: int) -> None:
    """Be killed when the thread that made this process ends; `parent` is its process."""
    _prctl(PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:  # it was over before we said so
        os._exit(1)


def use_large_pages(addresses: Iterable[int]) -> None:
    """Where these lie, if the kernel can: a fork copies a table of pages, and so a shorter one.

    madvise(2), MADV_COLLAPSE. Kernels before 6.1 do not know it, and then nothing is different.
    """
    for number in {address // LARGE for address in addresses}:
        start, length = ctypes.c_void_p(number * LARGE), ctypes.c_size_t(LARGE)
        if _libc.madvise(start, length, MADV_HUGEPAGE) == 0:
            _libc.madvise(start, length, MADV_COLLAPSE)


def new_namespaces() -> None:
    """Mounts and IPC of its own for this process, and processes of its own for its children."""
    _checked(_libc.unshare(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID), "unshare")


def mount_memory(folder: str, size: int) -> None:
    """A file system of at most so many bytes there."""
    flags = MS_NOSUID | MS_NODEV
    _checked(_mount(folder, flags, f"size={size},mode=0755"), "mount")


def make_readonly(folder: str) -> None:
    _checked(_mount(folder, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, ""), "remount")


def drop_capabilities() -> None:
    """All of them, for good. The bounding set ends where the kernel's list does."""
    for number in range(MOST_CAPABILITIES):
        if _libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break
    _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    _checked(_libc.syscall(CAPSET[os.uname().machine], header, bytes(24)), "capset")


def filter_calls(program: bytes) -> None:
    """From here on every system call goes through the program, and there is no way back."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if program:
        program = program.replace(struct.pack("=I", OWN_PID), struct.pack("=I", os.getpid()))
        pointer = ctypes.byref(_Program(len(program) // 8, program))
        _checked(_libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, pointer, 0, 0), "seccomp")


def _mount(folder: str, flags: int, options: str) -> int:
    data = options.encode()
    return int(_libc.mount(b"tmpfs", folder.encode(), b"tmpfs", ctypes.c_ulong(flags), data))


def _prctl(what: int, value: int) -> None:
    arguments = (ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)
    _checked(_libc.prctl(what, *arguments), f"prctl {what}")


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
