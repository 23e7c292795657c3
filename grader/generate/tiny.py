"""Programs for the tiny exercise, by profile: each is what random numbers seldom show."""

from grader.generate.draft import Profile
from grader.generate.tiny_checks import CHECKS
from grader.generate.tiny_depth import DEPTH
from grader.generate.tiny_refusals import REFUSALS
from grader.generate.tiny_rules import REQUESTS, RULES, SHARING, VALUES
from grader.generate.tiny_stretch import STRETCHES

PROFILES: dict[str, Profile] = {
    **VALUES,
    **REFUSALS,
    **RULES,
    **SHARING,
    **REQUESTS,
    **STRETCHES,
    **DEPTH,
    **CHECKS,
}
