"""The tensor catalogue holds a bug for each public report that a class over torch can show."""

import ast

from grader.bugs import base_source, catalogue
from grader.project import read_exercise

BUGS = catalogue("tensor")
STAGES = read_exercise("tensor").with_every_twist().stages

REPORTED = """
    relu-at-zero-one relu-at-zero-half relu-mask-from-gradient relu-mask-times-inf
    one-dimensional-transpose second-backward-counts-inner-nodes grad-set-by-the-user-is-replaced
    recursive-sort raised-recursion-limit closure-holds-its-result graph-kept-after-backward
    constants-recorded default-argument-is-shared needs-both-operands first-operand-decides
    frozen-leaf-gets-a-gradient op-not-wired-into-the-graph backward-on-untracked
    no-grad-leaks-after-exception inner-exit-switches-on acts-when-built
    equality-by-value-in-visited eq-without-hash id-reused random-ids-clash softmax-overflow
    log-of-underflowed-probability softmax-wrong-axis mean-factor-for-sum softmax-diagonal-only
    log-softmax-adds-upstream masked-logit small-integers-wrap count-in-half-precision
"""


def test_there_is_a_bug_for_each_report_and_it_is_cited() -> None:
    for bug_id in REPORTED.split():
        assert BUGS[bug_id].report, bug_id


def test_every_stage_and_every_twist_has_bugs_and_they_are_of_many_kinds() -> None:
    assert {bug.stage for bug in BUGS.values()} == set(STAGES)
    assert len({bug.kind for bug in BUGS.values()}) >= 12


def test_the_correct_engine_leaves_torchs_own_autograd_alone() -> None:
    tree = ast.parse(base_source("tensor"))
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert names.isdisjoint({"autograd", "requires_grad_", "grad_fn", "detach", "retain_grad"})
