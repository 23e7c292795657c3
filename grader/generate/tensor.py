"""Programs for the tensor exercise, by profile: each is what random numbers seldom show."""

from grader.generate.draft import Profile
from grader.generate.tensor_graphs import DEPTH, ORDER, REQUESTS, UPSTREAM
from grader.generate.tensor_rules import REFUSALS, RULES, VALUES
from grader.generate.tensor_stretch import STRETCHES

PROFILES: dict[str, Profile] = {
    **VALUES,
    **REFUSALS,
    **RULES,
    **STRETCHES,
    **ORDER,
    **DEPTH,
    **REQUESTS,
}

# What only a hand-in is asked whose session has this new requirement: to others it is not known.
TWIST_PROFILES: dict[str, dict[str, Profile]] = {"upstream": UPSTREAM}
