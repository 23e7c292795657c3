"""A benchmark made up of laws, so that what is said of it is known."""

from collections.abc import Callable

from grader.bench.benchmark import Benchmark
from grader.bench.measure import LADDER, LADDERS, Climb, Held
from grader.kit.growth import Growth, Point

JITTER = (1.0, 1.1, 0.95)
SQUARE = Growth("quadratic", (Point(4, 300), Point(8, 1_100)), 100_000, "rounds", 1.8e11)
STRAIGHT = Growth(
    "linear", (Point(4, 800), Point(8, 1_500), Point(12, 2_200)), 100_000, "rounds", 1.7e7
)


def climb(
    engine: str,
    workload: str,
    law: Callable[[int], float],
    deepest: int = 100_000,
    stopped: str = "",
    work: Growth | None = None,
) -> Climb:
    """Seconds by a law of the size, a little more or less in each round."""
    sizes = [size for size in LADDERS.get(workload, LADDER) if size <= deepest]
    laps = {size: tuple(law(size) * jitter for jitter in JITTER) for size in sizes}
    held: tuple[Held, ...] = ()
    if workload != "small" and deepest >= 1_000:
        held = (Held(deepest // 10, 40_000_000), Held(deepest, 40_000_000 + 900 * deepest))
    return Climb(engine, workload, laps, stopped, work, held)


def benchmark(slow: str = "candidate") -> Benchmark:
    """`slow` is the name of an engine that does badly."""
    failed = "at 3: ValueError: 'no'"
    climbs = (
        climb("reference", "residual", lambda n: 1e-5 * n, work=STRAIGHT),
        climb(slow, "residual", lambda n: 1e-6 * n * n, 1_000, "at 3,000: late", SQUARE),
        climb("torch", "residual", lambda n: 3e-5 * n),
        climb("reference", "small", lambda n: 7e-5 * n),
        climb(slow, "small", lambda n: 2e-4 * n, 0, failed),
        climb("torch", "small", lambda n: 2e-4 * n),
    )
    return Benchmark(
        exercise="tiny",
        width=2,
        rounds=3,
        budget=1.0,
        titles={"reference": "reference", slow: slow, "torch": "PyTorch, eager"},
        absent={"jax": "jax: cannot be imported: No module named 'jax'"},
        climbs=climbs,
        python="CPython 3.11.7",
        system="Linux x86_64",
        cores=2,
        started="2026-01-02T03:04:05+00:00",
    )
