"""What a hand-in reaches for is noted with its line; what it only talks about is not."""

from pathlib import Path

import pytest

from grader.integrity import notes_on

REACHES = {
    "import torch.autograd": "torch.autograd",
    "from torch import autograd": "torch.autograd",
    "from torch.autograd import Function": "torch.autograd",
    "import torch\ng = torch.autograd.grad": "torch.autograd",
    "import torch\nx = torch.func.grad(f)": "torch.func",
    "from torch.func import grad": "torch.func",
    "import torch as t\ng = t.autograd.grad": "torch.autograd",
    "import torch as t\nx = t.ones(3, requires_grad=True)": "requires_grad=",
    "import torch\nx = getattr(torch, 'autograd')": "torch.autograd",
    "import torch\nx = torch._C._EngineBase": "torch._C",
    "x.requires_grad_()": "requires_grad_",
    "x = getattr(t, 'requires_grad_')": "requires_grad_",
    "y.backward()": ".backward(",
    "y.sum().backward(retain_graph=True)": ".backward(",
    "import torch\nwith torch.enable_grad(): pass": "enable_grad",
    "from torch import enable_grad": "enable_grad",
    "import torch\ntorch.set_grad_enabled(True)": "set_grad_enabled",
    "import torch\nwith torch.inference_mode(False): pass": "inference_mode",
    "import torch\nx = torch.tensor(1.0, requires_grad=True)": "requires_grad=",
    "f = y.grad_fn": "grad_fn",
}


@pytest.mark.parametrize("source", REACHES)
def test_what_is_reached_for_is_noted_with_its_line(source: str, tmp_path: Path) -> None:
    file = tmp_path / "tensor.py"
    file.write_text(f"# first\n{source}\n", encoding="utf-8")
    notes = notes_on(file, stands_alone=True)
    assert REACHES[source] in [note.what for note in notes]
    assert {note.line for note in notes} == {1 + len(source.splitlines())}
    assert all(str(note).startswith(f"tensor.py:{note.line}: ") for note in notes)


@pytest.mark.parametrize(
    "source",
    [
        "# torch.autograd would do y.backward() here",
        '''"""Does not use torch.autograd, requires_grad_ or y.backward()."""''',
        "import torch\nx = torch.tensor(1.0)",
        "x = Tensor(data, requires_grad=True)",
        "class Tensor:\n    def backward(self): self.requires_grad = True",
        "def no_grad(): pass",
        "autograd = {}",
        "def broken(:",
    ],
)
def test_what_is_only_talked_about_or_is_its_own_is_not(source: str, tmp_path: Path) -> None:
    file = tmp_path / "tensor.py"
    file.write_text(source, encoding="utf-8")
    assert notes_on(file, stands_alone=True) == []


def test_modules_beside_an_engine_that_is_a_folder_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "tensor.py").write_text("import rules\n", encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "rules.py").write_text("\nx.requires_grad_()\n", encoding="utf-8")
    file = tmp_path / "tensor.py"
    assert [str(note) for note in notes_on(file, stands_alone=False)] == [
        "parts/rules.py:2: requires_grad_: makes torch record"
    ]
    assert notes_on(file, stands_alone=True) == []


def test_a_mention_is_noted_once_a_line(tmp_path: Path) -> None:
    file = tmp_path / "tensor.py"
    file.write_text("a.requires_grad_(); b.requires_grad_()\nc.requires_grad_()\n")
    assert [note.line for note in notes_on(file, stands_alone=True)] == [1, 2]
