"""What candidates start from: engines made of the catalogue, and a skeleton written by hand."""

import inspect
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.bugs import apply, catalogue
from grader.bugs.starter import (
    STARTER,
    source_without_follow_ups,
    starter_file,
    starter_source,
)
from grader.project import ROOT, read_exercise

each_exercise = pytest.mark.parametrize("exercise", STARTER)


def module_of(source: str) -> Any:
    module = ModuleType("engine")
    exec(compile(source, "engine.py", "exec"), module.__dict__)  # noqa: S102  # noqa: S102
    return module


@each_exercise
def test_it_has_not_drifted_from_the_catalogue(exercise: str) -> None:
    written = starter_file(exercise).read_text(encoding="utf-8")
    assert written == starter_source(exercise), "renew it: python -m grader.bugs.starter"


@each_exercise
def test_its_bugs_are_of_every_stage_after_the_contract_and_of_no_twist(exercise: str) -> None:
    stages = {catalogue(exercise)[bug].stage for bug in STARTER[exercise].bugs}
    assert stages == set(read_exercise(exercise).stages) - {"contract"}


@each_exercise
def test_its_stage_1_bugs_are_of_at_least_four_kinds(exercise: str) -> None:
    bugs = [catalogue(exercise)[bug_id] for bug_id in STARTER[exercise].bugs]
    stage1 = [bug for bug in bugs if bug.stage == "stage1"]
    assert len(stage1) >= 4
    assert len({bug.kind for bug in stage1}) >= 4


def methods(cls: type) -> dict[str, Any]:
    return {name: it for name, it in vars(cls).items() if inspect.isfunction(it)}


def test_the_follow_ups_of_tensor_are_cut_out_and_nothing_else() -> None:
    source = source_without_follow_ups("tensor")
    assert "# ---" not in source
    assert not source.endswith("\n\n")
    module = module_of(source)
    names = {name for name in vars(module) if not name.startswith("__")}
    functions = {"accumulate", "add_to_leaf", "inputs_first", "result", "unbroadcast"}
    assert names == {"torch", "Tensor", *functions}
    operations = {"__add__", "__mul__", "__matmul__", "relu", "sum"}
    assert set(methods(module.Tensor)) == {"__init__", "backward", *operations}
    assert list(inspect.signature(module.Tensor.backward).parameters) == ["self"]


@each_exercise
def test_bugs_of_the_stages_fit_the_engine_without_follow_ups(exercise: str) -> None:
    source = source_without_follow_ups(exercise)
    stages = read_exercise(exercise).stages
    for bug in catalogue(exercise).values():
        if bug.stage in stages:
            module_of(apply([bug], source))


def test_the_engine_to_be_debugged_works_where_it_is_right() -> None:
    tensor = module_of(starter_source("tensor")).Tensor
    x = tensor(torch.tensor([[1.0, 2.0]]), requires_grad=True)
    w = tensor(torch.tensor([[3.0], [4.0]]), requires_grad=True)
    y = (x @ w + x @ w).sum()
    y.backward()
    assert y.data == 22
    assert x.grad.tolist() == [[6, 8]]
    assert w.grad.tolist() == [[2], [4]]


SKELETON: Any = module_of((ROOT / "candidate" / "tensor.py").read_text(encoding="utf-8"))


def test_the_skeleton_has_all_that_stages_1_to_3_ask_for() -> None:
    right = methods(module_of(source_without_follow_ups("tensor")).Tensor)
    bare = methods(SKELETON.Tensor)
    assert set(bare) == set(right)
    for name, method in right.items():
        wanted = inspect.signature(method).parameters.values()
        given = inspect.signature(bare[name]).parameters.values()
        assert [(p.name, p.default) for p in given] == [(p.name, p.default) for p in wanted]
        assert bare[name].__doc__, name
    assert set(inspect.get_annotations(SKELETON.Tensor)) == {"data", "grad", "requires_grad"}


@pytest.mark.parametrize("name", sorted(methods(SKELETON.Tensor)))
def test_the_skeleton_says_what_is_to_be_written(name: str) -> None:
    method = methods(SKELETON.Tensor)[name]
    arguments = [None] * (method.__code__.co_argcount - len(method.__defaults__ or ()))
    with pytest.raises(NotImplementedError) as caught:
        method(*arguments)
    assert str(caught.value)


def test_the_example_in_the_skeleton_is_right() -> None:
    tensor = module_of(source_without_follow_ups("tensor")).Tensor
    x = tensor(torch.tensor([[2.0, -3.0]]), requires_grad=True)
    w = tensor(torch.tensor([[1.0, 4.0], [-1.0, 2.0]]), requires_grad=True)
    y = (x @ w).relu().sum()
    y.backward()
    assert y.data == 7
    assert x.grad.tolist() == [[5, 1]]
    assert w.grad.tolist() == [[2, 2], [-3, -3]]
