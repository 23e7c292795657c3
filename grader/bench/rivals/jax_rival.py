"""JAX: one compiled loop (`lax.scan`), the upper rival. Compiling is not timed."""

from typing import Any

import jax
import jax.numpy as jnp

from grader.bench.inside import LAYERS_OF_SMALL, NUMBER, ROW, Run, weight

jax.config.update("jax_enable_x64", True)  # noqa: FBT003
jax.config.update("jax_platforms", "cpu")


def prepared(workload: str, size: int) -> Run:
    kind, layers = ("residual", LAYERS_OF_SMALL) if workload == "small" else (workload, size)
    x = jnp.array(ROW)
    w = jnp.array(weight(layers) if kind == "residual" else [[NUMBER]])

    def total(x: Any, w: Any) -> Any:
        def body(h: Any, _: None) -> tuple[Any, None]:
            if kind == "chain":
                return h + w, None
            return h + jax.nn.relu(h @ w if kind == "residual" else x * w), None

        return jnp.sum(jax.lax.scan(body, x, None, length=layers)[0])

    gradient = jax.jit(jax.grad(total, (0, 1)))
    if workload == "small":
        return lambda: [jax.block_until_ready(gradient(x, w)) for _ in range(size)]
    return lambda: jax.block_until_ready(gradient(x, w))
