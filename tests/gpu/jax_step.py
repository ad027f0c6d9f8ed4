"""A jitted gradient step in JAX, for `warplens run --on gpu python3 jax_step.py`."""
import jax
import jax.numpy as jnp


def loss(weights, inputs, labels):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(inputs @ weights) * labels, axis=1))


keys = jax.random.split(jax.random.PRNGKey(0), 2)
weights, inputs = jax.random.normal(keys[0], (256, 64)), jax.random.normal(keys[1], (512, 256))
labels = jax.nn.one_hot(jnp.arange(512) % 64, 64)
step = jax.jit(lambda weights: weights - 0.1 * jax.grad(loss)(weights, inputs, labels))
for _ in range(3):
    weights = step(weights)
print(f"loss {loss(weights, inputs, labels):.4f}")
