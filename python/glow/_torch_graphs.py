# SPDX-License-Identifier: MIT
"""Graphs that dynamo gives to a backend, as modules for the exporter.

Dynamo lifts parameters, buffers and symbolic sizes: they are arguments of the
graph. A module for the exporter holds the former, and reads the latter from its
tensors.
"""

from __future__ import annotations

import operator
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch

from ._errors import Unsupported

# Types without one in numpy, as their bits.
_BITS = {torch.bfloat16: torch.uint16, torch.float8_e4m3fn: torch.uint8,
         torch.float8_e4m3fnuz: torch.uint8, torch.float8_e5m2: torch.uint8,
         torch.float8_e5m2fnuz: torch.uint8}
_KINDS = {"bf16": torch.bfloat16, "f8e4m3fn": torch.float8_e4m3fn,
          "f8e4m3fnuz": torch.float8_e4m3fnuz, "f8e5m2": torch.float8_e5m2,
          "f8e5m2fnuz": torch.float8_e5m2fnuz}


def array_of(tensor: torch.Tensor) -> Any:
    """The memory of a tensor as an array."""
    tensor = tensor.detach()
    bits = _BITS.get(tensor.dtype)
    return (tensor.view(bits) if bits else tensor).numpy()


def tensor_of(array: Any, kind: str) -> torch.Tensor:
    """The memory of an array as a tensor of Glow's kind."""
    tensor = torch.from_numpy(array)
    dtype = _KINDS.get(kind)
    return tensor.view(dtype) if dtype else tensor


class Size(NamedTuple):
    """A symbolic size: an axis of an argument, and its bounds."""
    argument: int
    axis: int
    symbol: str
    least: int
    most: Optional[int]


def _source_of(node: torch.fx.Node) -> str:
    name = getattr(getattr(node.meta.get("grapharg"), "source", None), "name", "")
    return str(name() if callable(name) else name)


def _is_weight(node: torch.fx.Node, example: Any) -> bool:
    """Whether an argument is a parameter or a buffer of a module. Tensors of
    inference mode count no changes, so that they are given to each run."""
    if not isinstance(example, torch.Tensor) or example.is_inference():
        return False
    source = _source_of(node)
    return (isinstance(example, torch.nn.Parameter) or "._buffers[" in source
            or "._parameters[" in source)


def _bounds(size: Any) -> Tuple[int, Optional[int]]:
    """Of a symbol; dynamo has no runs of other sizes."""
    limits = size.node.shape_env.bound_sympy(size.node.expr)
    # Infinity is a number of torch's own, which has an order.
    finite = bool(limits.upper < 2**62)
    return int(limits.lower), int(limits.upper) if finite else None


def _encoder_layer(
        x: Any, width: int, heads: int, in_weight: Any, in_bias: Any,
        out_weight: Any, out_bias: Any, has_gelu: bool, norm_first: bool,
        eps: float, *tensors: Any) -> Any:
    """torch._transformer_encoder_layer_fwd, which has no form in ONNX. The
    `tensors` are those of two norms and two linear layers, and of a mask."""
    nn = torch.nn.functional
    if tensors[8:] and tensors[8] is not None:
        raise Unsupported("a TransformerEncoderLayer has a mask; call "
                          "torch.backends.mha.set_fastpath_enabled(False)")

    def normed(value: Any, first: int) -> Any:
        return nn.layer_norm(value, (width,), *tensors[first:first + 2], eps)

    def attended(value: Any) -> Any:
        parts = nn.linear(value, in_weight, in_bias).chunk(3, -1)
        q, k, v = (part.unflatten(-1, (heads, -1)).transpose(-2, -3)
                   for part in parts)
        mixed = nn.scaled_dot_product_attention(q, k, v)
        return nn.linear(mixed.transpose(-2, -3).flatten(-2), out_weight, out_bias)

    def forward(value: Any) -> Any:
        inner = nn.linear(value, *tensors[4:6])
        inner = nn.gelu(inner) if has_gelu else nn.relu(inner)
        return nn.linear(inner, *tensors[6:8])

    if norm_first:
        x = x + attended(normed(x, 0))
        return x + forward(normed(x, 2))
    x = normed(x + attended(x), 0)
    return normed(x + forward(x), 2)


_WRITTEN_OUT = {torch._transformer_encoder_layer_fwd: _encoder_layer}


class Graph:
    """A graph and what its arguments are. Dynamo's notes on them are read when
    it is made, as they go with dynamo's trace."""

    def __init__(self, module: torch.fx.GraphModule,
                 examples: Sequence[Any]) -> None:
        self.module = module
        nodes = [node for node in module.graph.nodes
                 if node.op == "placeholder"]
        #: Arguments that the exported module holds.
        self.weights = [number for number, (node, example)
                        in enumerate(zip(nodes, examples))
                        if _is_weight(node, example)]
        #: Arguments that a run reads.
        self.inputs = [number for number, example in enumerate(examples)
                       if isinstance(example, torch.Tensor)
                       and number not in set(self.weights)]
        #: The open sizes of these, each symbol as often as it occurs.
        self.sizes: List[Size] = []
        #: Axes of arguments whose size is a sum or a product of symbols.
        self.derived: List[Tuple[int, int]] = []
        for number in self.inputs:
            self._add_sizes(number, nodes[number].meta.get(
                "example_value", examples[number]))
        self._nodes = nodes
        #: The axis of each argument that is a size.
        self._axes = {node: self._axis_of(node.meta.get("example_value", example))
                      for node, example in zip(nodes, examples)
                      if not isinstance(example, torch.Tensor)}
        (output,) = [node for node in module.graph.nodes if node.op == "output"]
        self._returned = list(output.args[0])
        #: Results that the exported module gives.
        self.outputs = [number for number, node in enumerate(self._returned)
                        if isinstance(node, torch.fx.Node)
                        and node not in nodes]
        #: Why Glow does not take the graph; empty if it may.
        self.reason_against = self._reason_against(examples)

    def _add_sizes(self, number: int, value: Any) -> None:
        for axis, size in enumerate(value.shape):
            # A symbol may have turned out to be a number.
            if not isinstance(size, torch.SymInt) or size.node.expr.is_number:
                continue
            if not size.node.expr.is_symbol:
                self.derived.append((number, axis))
                continue
            self.sizes.append(Size(number, axis, str(size.node.expr),
                                   *_bounds(size)))

    def _reason_against(self, examples: Sequence[Any]) -> str:
        for node, example in zip(self._nodes, examples):
            if isinstance(example, torch.Tensor):
                if example.device.type != "cpu":
                    return f"{node.name} is on {example.device}, not on cpu"
                if example.requires_grad and torch.is_grad_enabled():
                    return ("it is to have a gradient; call it in "
                            "torch.no_grad(), where none is needed")
            elif node.users and not self._axes[node]:
                return f"{node.name} is a number that no tensor has as a size"
        if torch.is_grad_enabled() and any(
                one.requires_grad for one in self.module.parameters()):
            return "it is to have a gradient; call it in torch.no_grad()"
        if not self.outputs:
            return "it computes no tensor"
        return ""

    def _axis_of(self, value: Any) -> Optional[Size]:
        """The axis of an input whose size an argument is."""
        symbol = str(value.node.expr) if isinstance(value, torch.SymInt) else ""
        return next((size for size in self.sizes if size.symbol == symbol), None)

    def for_export(self, weights: Sequence[torch.Tensor]) -> torch.nn.Module:
        """A module of the inputs alone, that gives the outputs."""
        graph = torch.fx.Graph()
        of: Dict[torch.fx.Node, Any] = {}
        held: Dict[str, Any] = {}
        for number in self.inputs:
            of[self._nodes[number]] = graph.placeholder(f"x{number}")
        for number, weight in zip(self.weights, weights):
            name = self._nodes[number].name
            held[name] = weight
            of[self._nodes[number]] = graph.get_attr(name)
        for node, size in self._axes.items():
            if size is not None:
                of[node] = graph.call_method(
                    "size", (of[self._nodes[size.argument]], size.axis))
        for node in self.module.graph.nodes:
            if node.op == "output":
                graph.output(tuple(of[self._returned[number]]
                                   for number in self.outputs))
            elif node.op != "placeholder":
                of[node] = graph.node_copy(node, of.__getitem__)
                of[node].target = _WRITTEN_OUT.get(node.target, node.target)
                if node.op in ("get_attr", "call_module"):
                    held[node.target] = operator.attrgetter(node.target)(
                        self.module)
        return torch.fx.GraphModule(held, graph)

    def dynamic_shapes(self) -> Any:
        """Open axes as torch.export has them."""
        axes: Dict[int, Dict[int, Any]] = {number: {} for number in self.inputs}
        for number, axis in [*((size.argument, size.axis) for size in self.sizes),
                             *self.derived]:
            axes[number][axis] = torch.export.Dim.DYNAMIC
        return tuple(axes.values())

    def results(self, found: Sequence[torch.Tensor],
                arguments: Sequence[Any]) -> List[Any]:
        """The results of the graph, of the exported module's."""
        values = dict(zip(self.outputs, found))
        numbers = {node: number for number, node in enumerate(self._nodes)}
        return [values[number] if number in values
                else arguments[numbers[node]] if isinstance(node, torch.fx.Node)
                else node for number, node in enumerate(self._returned)]

    def place(self) -> str:
        """The line of the program that the graph begins with, or its module."""
        nodes = [node for node in self.module.graph.nodes
                 if node.op not in ("placeholder", "output")]
        for node in nodes:
            for line in reversed((node.stack_trace or "").splitlines()):
                if line.lstrip().startswith('File "'):
                    return line.strip()[5:].replace('"', "")
        for node in nodes:
            for _, kind in node.meta.get("nn_module_stack", {}).values():
                return f"a graph of {getattr(kind, '__name__', kind)}"
        return "a graph"


def check_exported(program: Any) -> None:
    """Raises Unsupported for an exported program that changes a tensor."""
    signature = program.graph_signature
    changed = {*signature.buffers_to_mutate.values(),
               *signature.user_inputs_to_mutate.values()}
    if changed:
        raise Unsupported(f"it changes {', '.join(sorted(changed))} in place")
