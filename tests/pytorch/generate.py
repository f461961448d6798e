"""Writes vectors.txt: random tensor graphs with PyTorch's values and gradients in float64.

    python -m venv venv && venv/bin/pip install torch
    venv/bin/python generate.py

The output depends on SEED and on nothing else of the machine, up to the last bits of what another
build of PyTorch computes. README.md explains the format and tests/pytorch_vectors.rs reads it.
"""

import math
import pathlib
import random
from collections import Counter

import torch

SEED = 20261129
GRAPHS = 660
EXTENTS = [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4]
MAX_RANK = 4
MAX_ELEMENTS = 48
# Values and adjoints stay below this, so that an error of a few ulp stays far below 1e-12
# even where large terms cancel.
LIMIT = 300.0
LEAST_USES = 50
OPERATIONS = [
    "add",
    "mul",
    "reshape",
    "transpose",
    "broadcast_to",
    "sum_axis",
    "mean_axis",
    "detach",
]
WEIGHTS = [22, 22, 12, 12, 12, 8, 9, 3]


class Refused(Exception):
    """The operation does not fit the operand it met; the caller tries another."""


def elements(shape):
    return math.prod(shape)


def shape_text(shape):
    return "[" + ",".join(map(str, shape)) + "]"


def numbers(tensor):
    values = tensor.detach().contiguous().reshape(-1).tolist()
    return "".join(" " + repr(float(value)) for value in values)


class Graph:
    """One random graph: its nodes as tensors, and the line that rebuilds each of them."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes = []
        self.lines = []
        self.parameters = []
        self.uses = Counter()
        self.consumers = Counter()

    def leaf(self, shape, parameter):
        # Two decimals keep the file small; they are exact after a round trip like any float.
        values = [self.rng.randint(-180, 180) / 100 for _ in range(elements(shape))]
        tensor = torch.tensor(values, dtype=torch.float64).reshape(shape)
        if parameter:
            tensor.requires_grad_()
            self.parameters.append(len(self.nodes))
        kind = "parameter" if parameter else "constant"
        self.lines.append(f"{kind} {shape_text(shape)}{numbers(tensor)}")
        self.nodes.append(tensor)
        return len(self.nodes) - 1

    def shape(self, rank=None):
        while True:
            count = self.rng.randint(0, MAX_RANK) if rank is None else rank
            shape = [self.rng.choice(EXTENTS) for _ in range(count)]
            # Graphs of nothing but empty tensors prove little: halve their share.
            if 0 in shape and self.rng.random() < 0.5:
                continue
            if elements(shape) <= MAX_ELEMENTS:
                return shape

    def recent(self):
        """An operand: mostly the newest node, so that few branches are left unreachable."""
        newest = len(self.nodes) - 1
        if self.rng.random() < 0.9:
            return newest
        return self.rng.randint(max(0, newest - 6), newest)

    def partner_shape(self, shape):
        """A shape that broadcasts together with `shape`, in either direction or in both."""
        partner = list(shape)
        for axis, extent in enumerate(partner):
            if self.rng.random() < 0.3:
                partner[axis] = 1
            elif extent == 1 and self.rng.random() < 0.5:
                partner[axis] = self.rng.choice(EXTENTS)
        choice = self.rng.random()
        if choice < 0.3:
            partner = partner[self.rng.randint(0, len(partner)) :]
        elif choice < 0.5 and len(partner) < MAX_RANK:
            partner = [self.rng.choice([1, 2, 3])] + partner
        return partner

    def partner(self, first):
        choice = self.rng.random()
        if choice < 0.2:
            return first
        if choice < 0.6:
            fitting = []
            for other in range(len(self.nodes)):
                if other == first:
                    continue
                try:
                    torch.broadcast_shapes(self.nodes[first].shape, self.nodes[other].shape)
                except RuntimeError:
                    continue
                fitting.append(other)
            if not fitting:
                raise Refused
            loose = [other for other in fitting if not self.consumers[other]]
            return self.rng.choice(loose if loose and self.rng.random() < 0.6 else fitting)
        shape = self.partner_shape(self.nodes[first].shape)
        if elements(shape) > MAX_ELEMENTS:
            raise Refused
        return self.leaf(shape, self.rng.random() < 0.6)

    def reshape_target(self, shape):
        count = elements(shape)
        if count == 0:
            for _ in range(40):
                target = self.shape()
                if elements(target) == 0:
                    return target
            return list(shape)
        target = []
        while count > 1:
            factor = self.rng.choice([d for d in range(2, count + 1) if count % d == 0])
            target.append(factor)
            count //= factor
        for _ in range(self.rng.randint(0, 2)):
            target.insert(self.rng.randint(0, len(target)), 1)
        if len(target) > MAX_RANK:
            raise Refused
        return target

    def broadcast_target(self, shape):
        target = [
            self.rng.choice(EXTENTS) if extent == 1 and self.rng.random() < 0.8 else extent
            for extent in shape
        ]
        while len(target) < MAX_RANK and self.rng.random() < 0.45:
            target.insert(0, self.rng.choice(EXTENTS))
        return target

    def step(self):
        name = self.rng.choices(OPERATIONS, WEIGHTS)[0]
        saved = (len(self.nodes), len(self.lines), len(self.parameters))
        try:
            line, tensor = self.operation(name)
            if tensor.dim() > MAX_RANK or tensor.numel() > MAX_ELEMENTS:
                raise Refused
            if tensor.numel() and tensor.detach().abs().max().item() > LIMIT:
                raise Refused
        except Refused:
            del self.nodes[saved[0] :], self.lines[saved[1] :], self.parameters[saved[2] :]
            return False
        self.nodes.append(tensor)
        self.lines.append(line)
        self.uses[name] += 1
        words = line.split()
        self.consumers.update(map(int, words[1:3] if name in ("add", "mul") else words[1:2]))
        return True

    def operation(self, name):
        rng = self.rng
        first = self.recent()
        operand = self.nodes[first]
        shape = list(operand.shape)
        if name in ("add", "mul"):
            second = self.partner(first)
            if rng.random() < 0.4:
                first, second = second, first
            function = torch.add if name == "add" else torch.mul
            return f"{name} {first} {second}", function(self.nodes[first], self.nodes[second])
        if name == "reshape":
            target = self.reshape_target(shape)
            return f"{name} {first} {shape_text(target)}", operand.reshape(target)
        if name == "broadcast_to":
            target = self.broadcast_target(shape)
            if elements(target) > MAX_ELEMENTS:
                raise Refused
            return f"{name} {first} {shape_text(target)}", operand.broadcast_to(target)
        if name == "detach":
            return f"{name} {first}", operand.detach()
        if not shape:
            raise Refused
        axis = rng.randrange(len(shape))
        if name == "transpose":
            other = rng.randrange(len(shape))
            return f"{name} {first} {axis} {other}", operand.transpose(axis, other)
        if name == "mean_axis" and shape[axis] == 0:
            raise Refused
        keep = rng.random() < 0.5
        function = operand.sum if name == "sum_axis" else operand.mean
        word = "keep" if keep else "drop"
        return f"{name} {first} {axis} {word}", function(dim=axis, keepdim=keep)

    def grow(self):
        rng = self.rng
        for _ in range(rng.randint(1, 2)):
            self.leaf(self.shape(), parameter=True)
        if rng.random() < 0.3:
            self.leaf(self.shape(), parameter=False)
        for _ in range(rng.randint(4, 15)):
            while not self.step():
                pass

    def finish(self):
        """The recorded text, or None where an adjoint leaves the moderate range."""
        rng = self.rng
        output = self.nodes[-1]
        lines = self.lines + [f"output {len(self.nodes) - 1} {shape_text(output.shape)}"]
        lines[-1] += numbers(output)
        if not output.requires_grad:
            return "\n".join(lines + ["untracked"])
        if rng.random() < 0.15:
            seed = torch.ones(output.shape, dtype=torch.float64)
        else:
            values = [rng.randint(-200, 200) / 100 for _ in range(output.numel())]
            seed = torch.tensor(values, dtype=torch.float64).reshape(output.shape)
        tracked = [node for node in self.nodes if node.requires_grad]
        for node in tracked:
            node.retain_grad()
        output.backward(seed)
        for node in tracked:
            if node.grad is not None and node.numel() and node.grad.abs().max().item() > LIMIT:
                return None
        lines.append(f"seed{numbers(seed)}")
        for parameter in self.parameters:
            leaf = self.nodes[parameter]
            # PyTorch says None where no path reaches the leaf; a parameter of ours keeps zeros.
            gradient = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
            lines.append(f"gradient {parameter}{numbers(gradient + 0.0)}")
        return "\n".join(lines)


def main():
    torch.set_num_threads(1)
    rng = random.Random(SEED)
    uses = Counter()
    texts = []
    untracked = 0
    empty = 0
    while len(texts) < GRAPHS:
        graph = Graph(rng)
        graph.grow()
        text = graph.finish()
        if text is None:
            continue
        if text.endswith("untracked"):
            if untracked >= GRAPHS // 30:
                continue
            untracked += 1
        if graph.nodes[-1].numel() == 0:
            if empty >= GRAPHS // 15:
                continue
            empty += 1
        texts.append(f"graph {len(texts)}\n{text}\n")
        uses.update(graph.uses)
    for name in OPERATIONS:
        assert uses[name] >= LEAST_USES, f"{name} was used {uses[name]} times"
    version = torch.__version__.split("+")[0]
    counts = " ".join(f"{name}={uses[name]}" for name in OPERATIONS)
    head = (
        f"# Written by generate.py (seed {SEED}) with PyTorch {version}, float64, CPU.\n"
        f"# {len(texts)} graphs; output untracked in {untracked}, without elements in {empty}\n"
        f"# {counts}\n\n"
    )
    path = pathlib.Path(__file__).with_name("vectors.txt")
    path.write_text(head + "\n".join(texts), encoding="ascii")
    print(head + f"{path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
