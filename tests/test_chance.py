"""Drawing by a seed: always the same, and even."""

from collections import Counter

from grader.chance import below, one_of, seeded, shuffled


def test_the_same_seed_draws_the_same_and_another_one_does_not() -> None:
    drawn = [below(seeded("a", seed), 1000) for seed in range(50)]
    assert drawn == [below(seeded("a", seed), 1000) for seed in range(50)]
    assert len(set(drawn)) > 40


def test_it_draws_what_it_has_always_drawn() -> None:
    chance = seeded("tiny", 7)
    assert [below(chance, 100) for _ in range(6)] == PINNED


PINNED = [66, 28, 63, 53, 0, 85]


def test_every_item_comes_up_about_as_often() -> None:
    chance = seeded(1)
    counts = Counter(one_of(chance, "abcd") for _ in range(4000))
    assert set(counts) == set("abcd")
    assert all(850 <= count <= 1150 for count in counts.values())


def test_any_order_keeps_every_item() -> None:
    chance = seeded(2)
    orders = {tuple(shuffled(chance, [1, 2, 3])) for _ in range(100)}
    assert all(sorted(order) == [1, 2, 3] for order in orders)
    assert len(orders) == 6
