//===- Kernels.td - nodes with kernels in the library ---------------------===//
// SPDX-License-Identifier: MIT
//
// Kernels by the element kind of the first operand. Kernels that only move elements
// exist once for each element size. Included by Cpu.td after its nodes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CPU_LIBRARY_KERNELS
#define GLOW_CPU_LIBRARY_KERNELS

include "glow/Glow.td"

class KernelBySize<Node node, string function, string failure = "", dag others = (kinds)> {
  list<Kernel> all = !listconcat(
      !foreach(kind, !listconcat(["i8", "u8", "bool"], SmallNames),
               Kernel<node, kind, function # "_1", Ulp<0>, others, failure>),
      !foreach(kind, ["i16", "u16", "f16", "bf16"],
               Kernel<node, kind, function # "_2", Ulp<0>, others, failure>),
      !foreach(kind, ["i32", "u32", "f32"],
               Kernel<node, kind, function # "_4", Ulp<0>, others, failure>),
      !foreach(kind, ["i64", "u64", "f64"],
               Kernel<node, kind, function # "_8", Ulp<0>, others, failure>));
}

class KernelByKind<Node node, string function, Kinds of, Ulp bound = Ulp<0>, string failure = "",
                   dag others = (kinds)> {
  list<Kernel> all = !foreach(kind, of.names,
                              Kernel<node, kind, function # "_" # kind, bound, others, failure>);
}

defvar LibraryKernels = !listconcat(
    [Kernel<Softmax, "f32", "softmax_f32", Ulp<8>>,
     Kernel<LogSoftmax, "f32", "log_softmax_f32", Ulp<8>>,
     Kernel<LayerNorm, "f32", "layer_norm_f32", Ulp<16>>,
     Kernel<RMSNorm, "f32", "rms_norm_f32", Ulp<16>>,
     Kernel<ReduceSum, "f32", "reduce_sum_f32", Ulp<64>>,
     Kernel<ReduceMean, "f32", "reduce_mean_f32", Ulp<64>>,
     Kernel<ReduceMax, "f32", "reduce_max_f32">,
     Kernel<ReduceMin, "f32", "reduce_min_f32">,
     Kernel<ArgMax, "f32", "arg_max_f32">,
     Kernel<ArgMax, "i32", "arg_max_i32">,
     Kernel<ArgMax, "i64", "arg_max_i64">,
     Kernel<ArgMin, "f32", "arg_min_f32">,
     Kernel<ArgMin, "i32", "arg_min_i32">,
     Kernel<ArgMin, "i64", "arg_min_i64">,
     Kernel<TopK, "f32", "top_k_f32">,
     Kernel<TopK, "i32", "top_k_i32">,
     Kernel<TopK, "i64", "top_k_i64">,
     Kernel<Conv, "f32", "conv_f32", Ulp<64>>,
     Kernel<Conv, "i32", "conv_i32">,
     Kernel<MatMul, "i32", "matmul_i32">,
     Kernel<MatMulInteger, "i8", "matmul_integer", Ulp<0>, (kinds Bytes:$B)>,
     Kernel<MatMulInteger, "u8", "matmul_integer", Ulp<0>, (kinds Bytes:$B)>,
     Kernel<MaxPool, "f32", "max_pool_f32">,
     Kernel<AvgPool, "f32", "avg_pool_f32", Ulp<8>>,
     Kernel<Pad, "f32", "pad_f32">,
     Kernel<Resize, "f32", "resize_f32", Ulp<64>>,
     Kernel<MarkedPlaces, "bool", "marked_places", Ulp<0>, (kinds),
            "there are more marks than were counted">,
     Kernel<CpuPack, "f32", "cpu_pack_f32">,
     Kernel<CpuUnpack, "f32", "cpu_unpack_f32">],
    KernelByKind<ArgSort, "arg_sort", Numbers>.all,
    KernelByKind<Determinant, "determinant", Floats, Ulp<64>>.all,
    KernelByKind<NonMaxSuppression, "non_max_suppression", Floats>.all,
    KernelByKind<Inverse, "inverse", Floats, Ulp<64>>.all,
    KernelByKind<TreeLeaves, "tree_leaves", Numbers, Ulp<0>, "a tree leads to no leaf">.all,
    KernelByKind<CpuTreeLeaves, "cpu_tree_leaves", SingleAndDouble, Ulp<0>,
                 "a tree leads to no leaf">.all,
    KernelByKind<CpuTreeSums, "cpu_tree_sums", SingleAndDouble, Ulp<64>,
                 "a tree leads to no leaf">.all,
    KernelBySize<GatherND, "gather_nd", "an index is out of range", (kinds Indices:$I)>.all,
    KernelByKind<ScatterND, "scatter_nd", NumbersAndBool, Ulp<0>, "an index is out of range",
                 (kinds Indices:$I)>.all,
    KernelBySize<Transpose, "transpose">.all,
    KernelBySize<Reshape, "reshape">.all,
    KernelBySize<BitCast, "bit_cast">.all,
    KernelBySize<Tile, "tile">.all,
    KernelBySize<Slice, "slice">.all,
    KernelBySize<Concat, "concat">.all,
    KernelBySize<Split, "split">.all,
    KernelBySize<PadEdge, "pad_edge">.all,
    KernelBySize<PadWrap, "pad_wrap">.all,
    KernelBySize<PadReflect, "pad_reflect">.all);

#endif // GLOW_CPU_LIBRARY_KERNELS
