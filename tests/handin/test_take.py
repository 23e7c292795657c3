"""A hand-in is the same however it was sent, and nothing that is sent does harm."""

import contextlib
import io
import os
import struct
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.handin import HandInError, LeftOut, take_in, write_down
from grader.handin import take as module
from grader.handin.member import MOST_FILE, MOST_TAKEN
from tests.handin.senders import WAYS, as_bundle, as_folder, as_tar, as_zip, git

ENGINE = b"def autograd(request):\n    return {}\n"
SENT = {
    "candidate/tiny.py": ENGINE,
    "candidate/parts/rules.py": b"\xef\xbb\xbfONE = 1\r\n",
    "tests/test_it.py": "NAME = 'é'\n".encode(),
    "README.md": b"read me\n",
    "conftest.py": b"raise SystemExit\n",
}
TAKEN = {name: content for name, content in SENT.items() if "/" in name}

ways = pytest.mark.parametrize("way", WAYS)


@ways
@pytest.mark.parametrize("around", ["", "kim/", "kim/work/"])
def test_the_same_files_are_taken_however_they_are_sent(
    way: str, around: str, tmp_path: Path
) -> None:
    sent = WAYS[way]({around + name: content for name, content in SENT.items()}, tmp_path)
    hand_in = take_in(sent)
    assert dict(hand_in.files) == TAKEN
    assert {left.name.rpartition("/")[2] for left in hand_in.left_out} >= {"README.md"}
    (tmp_path / "again").mkdir()
    assert hand_in.sha256 == take_in(as_folder(TAKEN, tmp_path / "again")).sha256


def test_a_single_file_is_a_hand_in(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_bytes(ENGINE)
    (tmp_path / "beside.py").write_bytes(ENGINE)
    (tmp_path / "link.py").symlink_to("tiny.py")
    assert take_in(tmp_path / "tiny.py").files == {"tiny.py": ENGINE}
    assert take_in(tmp_path / "link.py").files == {"tiny.py": ENGINE}


def test_the_folder_candidate_by_itself_is_what_it_is_in_its_hand_in(tmp_path: Path) -> None:
    inside = as_folder(SENT, tmp_path) / "candidate"
    hand_in = take_in(inside)
    wanted = {name: content for name, content in SENT.items() if name.startswith("candidate/")}
    assert dict(hand_in.files) == wanted
    assert hand_in.left_out == ()


def test_what_is_written_down_is_what_was_taken(tmp_path: Path) -> None:
    hand_in = take_in(as_zip(SENT, tmp_path))
    place = tmp_path / "place"
    place.mkdir()
    write_down(hand_in, place)
    found = {
        file.relative_to(place).as_posix(): file for file in place.rglob("*") if file.is_file()
    }
    assert {name: file.read_bytes() for name, file in found.items()} == TAKEN


def test_the_hash_tells_files_apart_and_no_order(tmp_path: Path) -> None:
    hashes = set()
    for number, files in enumerate(
        [{"a.py": b"x"}, {"a.py": b"y"}, {"b.py": b"x"}, {"a.py": b"x", "b.py": b""}]
    ):
        place = tmp_path / str(number)
        place.mkdir()
        hashes.add(take_in(as_zip(files, place)).sha256)
    assert len(hashes) == 4
    backwards = dict(reversed(list({"a.py": b"x", "b.py": b""}.items())))
    assert take_in(as_zip(backwards, tmp_path)).sha256 in hashes


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_python_in_utf_16_is_read_and_noted(encoding: str, tmp_path: Path) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    (tmp_path / "tiny.py").write_bytes(mark + "x = 'é'\r\n".encode(encoding))
    hand_in = take_in(tmp_path)
    assert hand_in.files == {"tiny.py": "x = 'é'\r\n".encode()}
    assert hand_in.notes == ("tiny.py was UTF-16, and was read as UTF-8",)


# --- links and other things that are no files -----------------------------------------------------


def test_links_and_devices_in_a_folder_are_left_out(tmp_path: Path) -> None:
    folder = as_folder({"candidate/tiny.py": ENGINE}, tmp_path)
    (tmp_path / "secret.py").write_bytes(b"SECRET = 1\n")
    (folder / "candidate" / "link.py").symlink_to(tmp_path / "secret.py")
    (folder / "candidate" / "up").symlink_to(tmp_path)
    (folder / "candidate" / "lost.py").symlink_to("nowhere")
    os.mkfifo(folder / "candidate" / "pipe.py")
    hand_in = take_in(folder)
    assert list(hand_in.files) == ["candidate/tiny.py"]
    assert {left.name: left.why for left in hand_in.left_out} == {
        "candidate/link.py": "a link",
        "candidate/up": "a link",
        "candidate/lost.py": "a link",
        "candidate/pipe.py": "no ordinary file",
    }


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
def test_links_and_devices_in_a_tar_are_left_out(kind: bytes, tmp_path: Path) -> None:
    path = as_tar({"candidate/tiny.py": ENGINE}, tmp_path, "")
    with tarfile.open(path, "a") as archive:
        info = tarfile.TarInfo("candidate/odd.py")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    hand_in = take_in(path)
    assert list(hand_in.files) == ["candidate/tiny.py"]
    assert [left.name for left in hand_in.left_out] == ["candidate/odd.py"]


def test_links_in_a_zip_are_left_out(tmp_path: Path) -> None:
    path = as_zip({"candidate/tiny.py": ENGINE}, tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo("candidate/link.py")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    assert take_in(path).left_out == (LeftOut("candidate/link.py", "a link"),)


def test_links_and_history_in_a_bundle_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    as_bundle({"candidate/tiny.py": ENGINE, "candidate/old.py": b"OLD = 1\n"}, tmp_path / "one")
    folder = tmp_path / "one" / "folder"
    (folder / "candidate" / "old.py").unlink()
    (folder / "candidate" / "link.py").symlink_to("/etc/passwd")
    (folder / ".gitattributes").write_text("*.py filter=evil export-subst\n", encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=again")
    git(folder, "bundle", "create", "--quiet", "../sent.bundle", "HEAD")
    hand_in = take_in(tmp_path / "one" / "sent.bundle")
    assert dict(hand_in.files) == {"candidate/tiny.py": ENGINE}
    assert {left.why for left in hand_in.left_out} == {"a link", "hidden"}


# --- too much -------------------------------------------------------------------------------------


@ways
def test_a_file_may_be_so_large_and_no_larger(way: str, tmp_path: Path) -> None:
    large = bytes(range(256)) * (MOST_FILE // 256)
    sent = {"tests/a.bin": large, "tests/b.bin": large + b"x", "tiny.py": ENGINE}
    hand_in = take_in(WAYS[way](sent, tmp_path))
    assert list(hand_in.files) == ["tests/a.bin", "tiny.py"]
    assert hand_in.left_out == (LeftOut("tests/b.bin", "larger than 1 MiB"),)


@pytest.mark.parametrize("way", ["folder", "zip", "tar"])
def test_there_may_be_so_many_files_and_no_more(way: str, tmp_path: Path) -> None:
    sent = {f"tests/{n}.txt": b"" for n in range(MOST_TAKEN + 1)}
    with pytest.raises(HandInError, match=f"more than {MOST_TAKEN} files"):
        take_in(WAYS[way](sent, tmp_path))


def test_all_together_may_not_be_more_than_so_much(tmp_path: Path) -> None:
    with pytest.raises(HandInError, match="more than 8 MiB"):
        take_in(as_zip({f"tests/{n}.txt": bytes(MOST_FILE) for n in range(9)}, tmp_path))


@pytest.mark.parametrize("packed", ["gz", "bz2", "xz"])
def test_a_tar_that_unpacks_to_gigabytes_is_given_up(
    packed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.handin.archive.MOST_UNPACKED", 3 << 20)
    path = as_tar({"tests/zeros": bytes(8 << 20), "tiny.py": ENGINE}, tmp_path, packed)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(HandInError, match="unpacks to more than"):
        take_in(path)


def test_a_zip_that_unpacks_to_gigabytes_costs_one_file(tmp_path: Path) -> None:
    path = as_zip({"tests/zeros": bytes(64 << 20), "tiny.py": ENGINE}, tmp_path)
    hand_in = take_in(path)
    assert list(hand_in.files) == ["tiny.py"]


def test_a_size_that_a_zip_claims_is_not_believed(tmp_path: Path) -> None:
    path = as_zip({"tiny.py": bytes(8 << 20)}, tmp_path)
    body = path.read_bytes()
    path.write_bytes(body.replace(struct.pack("<I", 8 << 20), struct.pack("<I", 10)))
    with pytest.raises(HandInError, match="damaged"):
        take_in(path)


def test_an_archive_may_be_so_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ARCHIVE", 100)
    with pytest.raises(HandInError, match="larger than 64 MiB"):
        take_in(as_zip({"tiny.py": ENGINE}, tmp_path))


# --- what cannot be taken -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("nothing", None, "there is no such file or folder"),
        ("tiny.txt", ENGINE, "of no kind that can be read; a hand-in is a folder, a .py file"),
        ("empty.zip", b"", "of no kind that can be read"),
        ("sent.7z", b"7z\xbc\xaf\x27\x1c", "is a 7z archive; send a .zip or a .tar.gz"),
        ("sent.rar", b"Rar!\x1a\x07", "is a rar archive"),
        ("cut.zip", b"PK\x03\x04rest", "is damaged"),
        ("cut.tar.gz", b"\x1f\x8brest", "is damaged"),
        ("cut.bundle", b"# v2 git bundle\n\n", "is a git bundle"),
        (
            "odd.bundle",
            b"# v3 git bundle\n@filter=x\n" + b"0" * 40 + b" HEAD\n\nPACK",
            "git bundle",
        ),
    ],
)
def test_what_cannot_be_taken_is_told_in_one_line(
    name: str, content: bytes | None, why: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(HandInError) as caught:
        take_in(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert why in str(caught.value)
    assert str(caught.value).isprintable()


@ways
def test_a_hand_in_with_nothing_to_grade_says_what_is_in_it(way: str, tmp_path: Path) -> None:
    with pytest.raises(HandInError) as caught:
        take_in(WAYS[way]({"notes\x1b[2J.txt": b"x"}, tmp_path))
    assert (
        r"has no candidate/ and no .py file at its top; in it: notes\x1b[2J.txt"
        in str(caught.value)
        or way == "bundle"
    )
    assert str(caught.value).isprintable()


def test_an_encrypted_zip_says_so(tmp_path: Path) -> None:
    path = as_zip({"tiny.py": ENGINE}, tmp_path)
    body = bytearray(path.read_bytes())
    body[6] |= 1  # the flag, where the file begins
    body[body.index(b"PK\x01\x02") + 8] |= 1  # and in the list of files
    path.write_bytes(body)
    with pytest.raises(HandInError, match="is encrypted; send it without a password"):
        take_in(path)


def test_a_bundle_of_several_branches_names_them(tmp_path: Path) -> None:
    as_bundle({"tiny.py": ENGINE}, tmp_path)
    folder = tmp_path / "folder"
    git(folder, "branch", "--move", "mine")
    git(folder, "branch", "other")
    git(folder, "bundle", "create", "--quiet", "../two.bundle", "mine", "other")
    with pytest.raises(HandInError, match=r"no HEAD \(branches: mine, other\)"):
        take_in(tmp_path / "two.bundle")


def test_a_bundle_that_needs_what_it_does_not_bring_says_so(tmp_path: Path) -> None:
    as_bundle({"tiny.py": ENGINE}, tmp_path)
    folder = tmp_path / "folder"
    (folder / "tiny.py").write_bytes(ENGINE * 2)
    git(folder, "commit", "--quiet", "--all", "--message=again")
    git(folder, "bundle", "create", "--quiet", "../thin.bundle", "HEAD", "^HEAD~1")
    with pytest.raises(HandInError, match="is a git bundle that git cannot read"):
        take_in(tmp_path / "thin.bundle")


def test_without_git_a_bundle_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_bundle({"tiny.py": ENGINE}, tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HandInError, match="git is not installed"):
        take_in(path)


def test_nothing_is_left_of_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_bundle({"tiny.py": ENGINE}, tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    take_in(path)
    assert list(temporary.iterdir()) == []


# --- whatever comes -------------------------------------------------------------------------------

MAGIC = st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0"])


@settings(deadline=None, max_examples=60)
@given(MAGIC, st.binary(max_size=600))
def test_any_bytes_are_taken_or_refused_in_one_line(magic: bytes, rest: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sent"
        path.write_bytes(magic + rest)
        with pytest.raises(HandInError) as caught:
            take_in(path)
        assert str(caught.value).isprintable()


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(["zip", "tar", "tar.gz"]), st.data())
def test_a_damaged_archive_is_refused_or_what_is_taken_was_sent(
    way: str, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = WAYS[way](SENT, Path(folder))
        body = bytearray(path.read_bytes())
        if data.draw(st.booleans()):
            del body[data.draw(st.integers(1, len(body) - 1)) :]
        else:
            body[data.draw(st.integers(0, len(body) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        path.write_bytes(body)
        with contextlib.suppress(HandInError):
            files = take_in(path).files
            assert way == "tar" or {*files.values()} <= {*SENT.values()}


def test_a_tar_in_memory_is_read_as_a_stream(tmp_path: Path) -> None:
    """A header may claim anything of what follows."""
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as archive:
        info = tarfile.TarInfo("tests/long.txt")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"12345"))
    path = tmp_path / "sent.tar"
    path.write_bytes(body.getvalue()[: 512 + 3])
    with pytest.raises(HandInError, match="damaged"):
        take_in(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_is_packed_as_everybody_does(tmp_path: Path, method: int) -> None:
    """The library unpacks the others whole, whatever it is asked for."""
    path = tmp_path / "sent.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("tiny.py"), ENGINE, method)
    with pytest.raises(HandInError, match=r"few can unpack; make a plain \.zip"):
        take_in(path)


def test_a_header_of_a_tar_may_be_so_long(tmp_path: Path) -> None:
    path = tmp_path / "sent.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("tiny.py")
        info.pax_headers = {"comment": "1" * 200_000}
        archive.addfile(info)
    with pytest.raises(HandInError, match="damaged"):
        take_in(path)


@pytest.mark.parametrize("cut", [512, 1024, 10 * 1024])
def test_a_tar_without_an_end_has_lost_something(tmp_path: Path, cut: int) -> None:
    path = as_tar({f"tests/{n}.txt": bytes(700) for n in range(9)}, tmp_path, "")
    path.write_bytes(path.read_bytes().rstrip(b"\0")[:-cut])
    with pytest.raises(HandInError, match="damaged"):
        take_in(path)


def test_a_tar_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.handin.archive.MOST_SECONDS", 0.0)
    with pytest.raises(HandInError, match="takes more than"):
        take_in(as_tar({"tiny.py": ENGINE}, tmp_path))
