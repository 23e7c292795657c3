"""Tiny autograd: an engine on plain Python lists.

Every value is a matrix, a list of rows. A program is a list of steps, [name, operation,
input names...], and autograd() works out values and gradients:

    autograd({"op": "grad", "inputs": {"x": [[3]]}, "steps": [["y", "mul", "x", "x"]], "output": "y"})
"""

import math

ARITY = {"matmul": 2, "add": 2, "sub": 2, "mul": 2, "tanh": 1, "sum": 1, "mean": 1}


def rounded(x):
    """6 decimals everywhere, in numbers, in matrices and in a dict of them."""
    if isinstance(x, dict):
        return {name: rounded(m) for name, m in x.items()}
    if isinstance(x, list):
        return [rounded(item) for item in x]
    x = round(x, 6)
    return 0.0 if x == 0 else x


# ---- matrices


def shape(m):
    return len(m), len(m[0])


def zeros(rows, cols):
    return [[0.0] * cols for _ in range(rows)]


def transpose(m):
    rows, cols = shape(m)
    return [[m[i][j] for i in range(rows)] for j in range(cols)]


def matmul(a, b):
    n, k = shape(a)
    k2, m = shape(b)
    if k != k2:
        raise ValueError(f"shape mismatch: {n}x{k} times {k2}x{m}")
    return [[sum(a[i][t] * b[t][j] for t in range(k)) for j in range(m)] for i in range(n)]


def stretched_size(p, q):
    if p == q or q == 1:
        return p
    if p == 1:
        return q
    raise ValueError(f"shape mismatch: sizes {p} and {q}")


def entry(m, i, j):
    """m[i][j] of a matrix stretched as far as needed."""
    rows, cols = shape(m)
    return m[i if rows > 1 else 0][j if cols > 1 else 0]


def elementwise(f, a, b):
    rows = stretched_size(len(a), len(b))
    cols = stretched_size(len(a[0]), len(b[0]))
    return [[f(entry(a, i, j), entry(b, i, j)) for j in range(cols)] for i in range(rows)]


def apply(f, m):
    return [[f(item) for item in row] for row in m]


def add(a, b):
    return elementwise(lambda x, y: x + y, a, b)


def sub(a, b):
    return elementwise(lambda x, y: x - y, a, b)


def mul(a, b):
    return elementwise(lambda x, y: x * y, a, b)


def tanh(m):
    return apply(math.tanh, m)


def total(m):
    return sum(sum(row) for row in m)


def mean(m):
    rows, cols = shape(m)
    return total(m) / (rows * cols)


# ---- reading the request


def check_matrix(name, m):
    if not isinstance(m, list) or len(m) == 0:
        raise ValueError(f"{name}: not a matrix")
    for row in m:
        if not isinstance(row, list) or len(row) == 0:
            raise ValueError(f"{name}: not a matrix, every row must be a non-empty list")
        if len(row) != len(m[0]):
            raise ValueError(f"{name}: not a matrix, rows differ in length")
        for x in row:
            if isinstance(x, bool) or not isinstance(x, (int, float)):
                raise ValueError(f"{name}: not a matrix of numbers")
            if not math.isfinite(x):
                raise ValueError(f"{name}: the matrix has a number that is not finite")


def check_step(step, known):
    if not isinstance(step, list) or len(step) < 2:
        raise ValueError(f"bad step: {step!r}")
    name, operation, args = step[0], step[1], step[2:]
    if not isinstance(name, str) or not isinstance(operation, str) or operation not in ARITY:
        raise ValueError(f"bad step, unknown operation: {step!r}")
    if len(args) != ARITY[operation]:
        raise ValueError(f"bad step: {operation} takes {ARITY[operation]} inputs")
    for arg in args:
        if not isinstance(arg, str):
            raise ValueError(f"bad step: {step!r}")
        if arg not in known:
            raise ValueError(f"undefined name {arg!r}")
    if name in known:
        raise ValueError(f"name {name!r} is already taken")


def check_request(request):
    for name, m in request["inputs"].items():
        check_matrix(name, m)
    known = set(request["inputs"])
    for step in request["steps"]:
        check_step(step, known)
        known.add(step[0])
    if request["output"] not in known:
        raise ValueError(f"undefined name {request['output']!r} as output")


# ---- forward


def compute(operation, args):
    if operation == "matmul":
        return matmul(args[0], args[1])
    if operation == "add":
        return add(args[0], args[1])
    if operation == "sub":
        return sub(args[0], args[1])
    if operation == "mul":
        return mul(args[0], args[1])
    if operation == "tanh":
        return tanh(args[0])
    if operation == "sum":
        return [[total(args[0])]]
    return [[mean(args[0])]]


def forward(inputs, steps):
    values = {name: [list(row) for row in m] for name, m in inputs.items()}
    for step in steps:
        values[step[0]] = compute(step[1], [values[arg] for arg in step[2:]])
    return values


# ---- backward


def unbroadcast(grad, rows, cols):
    """Bring the gradient of a stretched operand back to the operand's own shape."""
    # TODO: rows, columns and single cells; equal shapes are done
    return grad


def local_gradients(operation, args, out, g):
    """What each input of one step gets, given the gradient g of the step's result."""
    if operation == "matmul":
        a, b = args
        return [matmul(g, transpose(b)), matmul(transpose(a), g)]
    if operation == "add":
        a, b = args
        return [unbroadcast(g, *shape(a)), unbroadcast(g, *shape(b))]
    if operation == "sub":
        a, b = args
        return [unbroadcast(g, *shape(a)), unbroadcast(apply(lambda x: -x, g), *shape(b))]
    if operation == "mul":
        a, b = args
        return [unbroadcast(mul(g, b), *shape(a)), unbroadcast(mul(g, a), *shape(b))]
    if operation == "tanh":
        return [mul(g, apply(lambda t: 1 - t * t, args[0]))]
    rows, cols = shape(args[0])
    if operation == "sum":
        return [[[g[0][0]] * cols for _ in range(rows)]]
    return [[[g[0][0] / len(args[0])] * cols for _ in range(rows)]]


def collect(grads, name, g):
    """Add one more contribution to the gradient of a name."""
    if name in grads:
        for row, more in zip(grads[name], g):
            for j, x in enumerate(more):
                row[j] += x
    else:
        grads[name] = g


def backward(steps, values, output):
    grads = {}
    made_by = {step[0]: step for step in steps}

    def push(name, g):
        if name not in made_by:
            collect(grads, name, g)
            return
        operation, names = made_by[name][1], made_by[name][2:]
        args = [values[arg] for arg in names]
        pieces = local_gradients(operation, args, values[name], g)
        for arg, piece in zip(names, pieces):
            push(arg, piece)

    push(output, [[1.0]])
    return grads


# ---- the three kinds of request


def check_output(values, output):
    if shape(values[output]) != (1, 1):
        raise ValueError(f"the output {output!r} must be 1 by 1")


def input_gradients(inputs, steps, output):
    values = forward(inputs, steps)
    check_output(values, output)
    grads = backward(steps, values, output)
    return {name: grads[name] for name in inputs if name in grads}


def numeric_gradient(inputs, steps, output, name, i, j):
    h = 1e-5
    results = []
    for delta in (h, 0):
        moved = [list(row) for row in inputs[name]]
        moved[i][j] += delta
        results.append(forward({**inputs, name: moved}, steps)[output][0][0])
    return (results[0] - results[1]) / h


def gradcheck(inputs, steps, output):
    grads = input_gradients(inputs, steps, output)
    errors = {}
    passed = True
    for name, m in inputs.items():
        worst = 0.0
        for i in range(len(m)):
            for j in range(len(m[0])):
                error = abs(grads[name][i][j] - numeric_gradient(inputs, steps, output, name, i, j))
                if not error < 0.00001:
                    passed = False
                worst = max(worst, error)
        errors[name] = round(worst, 4)
    return {"passed": passed, "errors": errors}


def autograd(request):
    op = request["op"]
    if op not in ("value", "grad", "gradcheck"):
        raise ValueError(f"unknown op {op!r}")
    check_request(request)
    inputs, steps, output = request["inputs"], request["steps"], request["output"]
    if op == "value":
        return {"value": rounded(forward(inputs, steps)[output])}
    if op == "grad":
        values = forward(inputs, steps)
        grads = input_gradients(inputs, steps, output)
        return {"value": rounded(values[output][0][0]), "grads": rounded(grads)}
    return gradcheck(inputs, steps, output)
