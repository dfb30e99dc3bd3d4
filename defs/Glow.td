//===- Glow.td - the table of contents ------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW
#define GLOW

// The vocabulary.
include "glow/Base.td"
include "glow/Functions.td"

// Nodes, by family.
include "glow/nodes/Elementwise.td"
include "glow/nodes/Activation.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Convolution.td"
include "glow/nodes/Pooling.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Recurrent.td"
include "glow/nodes/RecurrentGradients.td"
include "glow/nodes/Quantization.td"
include "glow/nodes/BlockQuantization.td"
include "glow/nodes/Embedding.td"
include "glow/nodes/Attention.td"
include "glow/nodes/Loss.td"
include "glow/nodes/Optimizer.td"
include "glow/nodes/Vision.td"
include "glow/nodes/Signal.td"
include "glow/nodes/Random.td"

// Instructions of which more must be said than what follows from the node.
include "glow/instrs/MatMul.td"
include "glow/instrs/Shape.td"
include "glow/instrs/Vision.td"

// Equations that make graphs smaller.
include "glow/rewrites/Shape.td"
include "glow/rewrites/Indexing.td"
include "glow/rewrites/Elementwise.td"
include "glow/rewrites/Activation.td"
include "glow/rewrites/Convolution.td"
include "glow/rewrites/Normalization.td"
include "glow/rewrites/Attention.td"
include "glow/rewrites/Quantization.td"
include "glow/rewrites/BlockQuantization.td"

// How ONNX operators become nodes.
include "glow/import/MicrosoftAttention.td"
include "glow/import/OnnxActivation.td"
include "glow/import/OnnxAttention.td"
include "glow/import/OnnxConvolution.td"
include "glow/import/OnnxDomains.td"
include "glow/import/OnnxEinsum.td"
include "glow/import/OnnxElementwise.td"
include "glow/import/OnnxIndexing.td"
include "glow/import/OnnxLoss.td"
include "glow/import/OnnxMatMul.td"
include "glow/import/OnnxMl.td"
include "glow/import/OnnxNormalization.td"
include "glow/import/OnnxPooling.td"
include "glow/import/OnnxQuantization.td"
include "glow/import/OnnxRandom.td"
include "glow/import/OnnxRecurrent.td"
include "glow/import/OnnxReduction.td"
include "glow/import/OnnxShape.td"
include "glow/import/OnnxSignal.td"
include "glow/import/OnnxVision.td"

// How operators of Caffe2 become nodes.
include "glow/import/caffe2/Convolution.td"
include "glow/import/caffe2/DataDependent.td"
include "glow/import/caffe2/Elementwise.td"
include "glow/import/caffe2/Fill.td"
include "glow/import/caffe2/Hints.td"
include "glow/import/caffe2/Int8.td"
include "glow/import/caffe2/MatMul.td"
include "glow/import/caffe2/Normalization.td"
include "glow/import/caffe2/Recurrent.td"
include "glow/import/caffe2/Shape.td"
include "glow/import/caffe2/Sparse.td"
include "glow/import/caffe2/Unsupported.td"
include "glow/import/caffe2/Vision.td"

// Operators of our own domain.
include "glow/import/GlowOperators.td"

// ONNX operators that run between programs, on the host.
include "glow/import/OnnxControlFlow.td"
include "glow/import/OnnxDataDependent.td"
include "glow/import/OnnxMaps.td"
include "glow/import/OnnxSequence.td"
include "glow/import/OnnxString.td"

#endif // GLOW
