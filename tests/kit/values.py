"""Plain data of every kind, for property tests."""

from typing import Any

from hypothesis import strategies as st

# Control characters are in, lone surrogates and DEL are not: YAML has no place for them.
TEXT = st.text(
    st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"], exclude_characters="\x7f"),
    max_size=12,
)
NAMES = st.sampled_from(["a", "b", "x", "value", "grads", "errors", "passed"])
FINITE = st.floats(allow_nan=False, allow_infinity=False)
ROUNDED = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))


def json_values(numbers: st.SearchStrategy[float] = FINITE) -> st.SearchStrategy[Any]:
    """Anything that JSON can carry."""
    leaves = st.none() | st.booleans() | st.integers() | numbers | TEXT
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(NAMES | TEXT, inner, max_size=4)
        ),
        max_leaves=20,
    )


@st.composite
def matrices(
    draw: st.DrawFn, numbers: st.SearchStrategy[float] = ROUNDED, most: int = 4
) -> list[list[float]]:
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    return [[draw(numbers) for _ in range(columns)] for _ in range(rows)]


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    """What an engine answers to one of the three questions."""
    grads = draw(st.dictionaries(st.sampled_from("abxw"), matrices(), min_size=1, max_size=3))
    kinds: list[dict[str, Any]] = [
        {"value": draw(matrices())},
        {"value": draw(ROUNDED), "grads": grads},
        {"passed": draw(st.booleans()), "errors": {name: draw(ROUNDED) for name in grads}},
    ]
    return draw(st.sampled_from(kinds))
