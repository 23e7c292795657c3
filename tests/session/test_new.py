"""A session on disk: whole or not at all, its repository the same wherever it is made."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.project import ROOT, ProjectError
from grader.session import new
from grader.session.commit import GitError, commit
from grader.session.new import Wish, new_session
from grader.session.record import SessionError, read_record
from tests.kit.project import clean_environment

WISH = Wish("tiny", 7, zip=True)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "kim"
    new_session(folder, WISH)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],  # noqa: S607
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()


def pytest_in(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {**clean_environment(), "PYTHONPATH": ""}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_same_seed_makes_the_same_session_bit_for_bit(session: Path, tmp_path: Path) -> None:
    again = tmp_path / "somebody-else"
    new_session(again, WISH)
    assert contents(again) == contents(session)


def test_it_is_a_clean_repository_with_one_commit(session: Path) -> None:
    kit = session / "kit"
    assert git(kit, "rev-list", "--count", "--all") == "1"
    assert git(kit, "status", "--porcelain") == ""
    tracked = git(kit, "ls-files").splitlines()
    assert sorted(tracked) == sorted(read_record(session).files)


def test_the_zip_is_the_kit_with_its_repository(session: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(session / "kit.zip") as archive:
        archive.extractall(tmp_path)
    assert contents(tmp_path / "tiny").keys() == contents(session / "kit").keys()
    assert git(tmp_path / "tiny", "status", "--porcelain") == ""


def test_stage1_fails_as_handed_out_and_passes_with_the_reference(tmp_path: Path) -> None:
    new_session(tmp_path / "kim", Wish("tiny", 7))
    kit = tmp_path / "kim" / "kit"
    broken = pytest_in(kit, "-k", "stage1", "-q")
    assert broken.returncode == 1, broken.stdout
    assert "failed" in broken.stdout
    assert pytest_in(kit, "-k", "contract", "-q").returncode == 0
    assert pytest_in(kit, "tests", "-q").returncode == 0
    engine = kit / "candidate" / "tiny.py"
    engine.write_bytes((ROOT / "reference" / "tiny.py").read_bytes())
    mended = pytest_in(kit, "-q")
    assert mended.returncode == 0, mended.stdout


def test_a_kit_of_the_tensor_exercise_runs_too(tmp_path: Path) -> None:
    new_session(tmp_path / "kim", Wish("tensor", 7))
    kit = tmp_path / "kim" / "kit"
    skeleton = pytest_in(kit, "-k", "stage1 or test_example", "-q")
    assert skeleton.returncode == 1, skeleton.stdout
    engine = kit / "candidate" / "tensor.py"
    engine.write_bytes((ROOT / "reference" / "tensor.py").read_bytes())
    written = pytest_in(kit, "-k", "stage1 or stage2 or test_example", "-q")
    assert written.returncode == 0, written.stdout


def test_the_sealed_requirement_lies_with_the_interviewer(tmp_path: Path) -> None:
    record = new_session(tmp_path / "kim", Wish("tensor", 7, twist="no_grad"))
    assert record.twist == "no_grad"
    sealed = contents(tmp_path / "kim" / "interviewer" / "twist")
    assert b"no_grad" in sealed["NEW_REQUIREMENT.md"]
    assert "fixtures/tensor/twists/no_grad/blocks.yaml" in sealed
    assert not any(b"guards:" in content for content in sealed.values())
    assert (tmp_path / "kim" / "kit" / "README.md").read_text("utf-8").count("new requirement") == 1


def test_the_seed_draws_the_requirement_and_none_can_be_asked_for(tmp_path: Path) -> None:
    drawn = {
        new_session(tmp_path / str(seed), Wish("tensor", seed)).twist for seed in (1, 2, 3, 4, 5)
    }
    assert len(drawn) > 1
    assert None not in drawn
    without = new_session(tmp_path / "without", Wish("tensor", 1, twist="none"))
    assert without.twist is None
    assert not (tmp_path / "without" / "interviewer" / "twist").exists()


# --- refused -------------------------------------------------------------------------------------


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(SessionError, match="is not empty; name a folder"):
        new_session(tmp_path, WISH)
    with pytest.raises(SessionError, match="is there and no folder"):
        new_session(tmp_path / "mine", WISH)
    with pytest.raises(SessionError, match="there is no folder"):
        new_session(tmp_path / "not" / "there", WISH)
    assert contents(tmp_path) == {"mine": b"mine"}


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    new_session(tmp_path, Wish("tiny", 7))
    assert read_record(tmp_path).seed == 7


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (Wish("nothing", 1), "there is no exercise 'nothing'"),
        (Wish("tensor", 1, twist="nothing"), "there is no twist 'nothing' of tensor; there is "),
        (Wish("tiny", 1, start="skeleton"), "the tiny exercise has no skeleton"),
    ],
)
def test_what_there_is_not_is_said(wish: Wish, said: str, tmp_path: Path) -> None:
    with pytest.raises((SessionError, ProjectError), match=said):
        new_session(tmp_path / "kim", wish)
    assert list(tmp_path.iterdir()) == []


def test_what_goes_wrong_on_the_way_leaves_nothing_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(folder: Path) -> str:
        assert (folder / "README.md").exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(new, "commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        new_session(tmp_path / "kim", WISH)
    assert list(tmp_path.iterdir()) == []


def test_without_git_it_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed"):
        new_session(tmp_path / "kim", WISH)
    assert list(tmp_path.iterdir()) == []


def test_what_git_says_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="git commit failed: "):
        commit(tmp_path)  # there is nothing in it
