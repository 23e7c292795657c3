"""A hand-in as a zip or a tar: members are read one by one, and none is ever unpacked to disk."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from grader.handin.choice import problem
from grader.handin.member import (
    LINK,
    MIB,
    MOST_FILE,
    MOST_UNPACKED,
    NO_FILE,
    HandInError,
    Member,
    counted,
)

MOST_KEPT = 64 * MIB
MOST_SECONDS = 20.0
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Headers that describe another one, and how long they may be.
LONG_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
MOST_HEADER = 8 << 10
DAMAGED = "is damaged, or not what its first bytes say; make it anew"


@contextmanager
def told() -> Iterator[None]:
    """Whatever the library stumbles over is the archive's fault."""
    try:
        yield
    except NotImplementedError:
        raise HandInError("is packed in a way that few can unpack; make a plain .zip") from None
    except RuntimeError as error:
        if "encrypted" not in str(error):
            raise HandInError(DAMAGED) from None
        raise HandInError("is encrypted; send it without a password") from None
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        OSError,
        ValueError,
        OverflowError,
        MemoryError,
    ):
        raise HandInError(DAMAGED) from None


def zipped(content: bytes) -> list[Member]:
    """Raises HandInError; so does reading a member of it."""
    with told():
        archive = zipfile.ZipFile(io.BytesIO(content))
        entries = [info for info in archive.infolist() if info.orig_filename[-1:] not in "/\\"]
        found = [_of_zip(archive, info) for info in entries]
    counted(found)
    return found


def _of_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    # `filename` ends at a NUL; the original name says what is really there.
    if info.compress_type not in METHODS:
        raise NotImplementedError  # some of them the library unpacks without a limit
    kind = stat.S_IFMT(info.external_attr >> 16)  # 0 where whoever made it knows no modes
    if kind not in (0, stat.S_IFREG):
        return Member(info.orig_filename, LINK if kind == stat.S_IFLNK else NO_FILE)

    def read() -> bytes:
        with told(), archive.open(info) as file:
            return file.read(MOST_FILE + 1)

    return Member(info.orig_filename, "", read)


def tarred(content: bytes) -> list[Member]:
    """Plain, or packed with gzip, bzip2 or xz. Raises HandInError."""
    found: list[Member] = []
    kept = 0
    with told():
        stream = Counted(_unpacked(content))
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=Header) as archive:
            for info in archive:
                if info.isdir():
                    continue
                member, size = _of_tar(archive, info)
                found.append(member)
                kept += size
                counted(found)
                if kept > MOST_KEPT:
                    raise HandInError("holds more than 64 MiB; send candidate/ and tests/ only")
        while stream.read(MIB):  # to the very end, where what packed it has put a checksum
            pass
    return found


def _of_tar(archive: tarfile.TarFile, info: tarfile.TarInfo) -> tuple[Member, int]:
    """What has to be read now, for a stream goes by only once."""
    if info.issym() or info.islnk():
        return Member(info.name, LINK), 0
    if not info.isreg() or info.issparse():
        return Member(info.name, NO_FILE), 0
    if (why := problem(info.name)) != "":
        return Member(info.name, why), 0
    file = archive.extractfile(info)
    body = file.read(MOST_FILE + 1) if file is not None else b""
    if len(body) < min(info.size, MOST_FILE):
        raise HandInError(DAMAGED)
    return Member(info.name, "", lambda: body), len(body)


def _unpacked(content: bytes) -> io.BufferedIOBase:
    packed = io.BytesIO(content)
    if content.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=packed)
    if content.startswith(b"BZh"):
        return bz2.BZ2File(packed)
    if content.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(packed)
    return packed


class Header(tarfile.TarInfo):
    """The library ends quietly at a damaged header, and reads any that describes another.

    With the latter it may take time that grows with the square of the length (CVE-2024-6232).
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises HandInError."""
        try:
            info = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError:
            if buf.count(0) == tarfile.BLOCKSIZE:  # the end, as it should be
                raise
            raise HandInError(DAMAGED) from None
        if info.size < 0 or (info.type in LONG_HEADERS and info.size > MOST_HEADER):
            raise HandInError(DAMAGED)
        return info


class Counted(io.RawIOBase):
    """Reads on until more has come out, or more time has passed, than for any hand-in."""

    def __init__(self, file: io.BufferedIOBase) -> None:
        self.file = file
        self.left = MOST_UNPACKED
        self.until = time.monotonic() + MOST_SECONDS

    def read(self, size: int = -1) -> bytes:
        """Raises HandInError."""
        body = self.file.read(min(size, MIB) if size >= 0 else MIB)
        self.left -= len(body)
        if self.left < 0:
            raise HandInError("unpacks to more than 256 MiB; send candidate/ and tests/ only")
        if time.monotonic() > self.until:
            raise HandInError(f"takes more than {MOST_SECONDS:g} s to unpack; make it anew")
        return body
