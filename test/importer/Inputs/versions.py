"""The opsets at which ONNX changes an operator of the default domain, of those that
are newer than the packaged schemas (docs/rationale/Importer.md)."""

FEW_BITS = """Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear
Reshape Scan Shape Size Squeeze Transpose Unsqueeze"""
NEWER = {
    18: """BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im GroupNormalization LpPool Mish
OptionalGetElement OptionalHasElement Pad ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean
ReduceMin ReduceProd ReduceSumSquare Resize ScatterElements ScatterND Split""",
    19: """AveragePool Cast CastLike Constant DeformConv DequantizeLinear Equal Identity If Loop Pad QuantizeLinear
Reshape Resize Scan Shape Size""",
    20: """AffineGrid ConstantOfShape DFT Gelu GridSample ImageDecoder IsInf IsNaN ReduceMax ReduceMin RegexFullMatch
StringConcat StringSplit""",
    21: FEW_BITS + " GroupNormalization QLinearMatMul",
    22: """Acos Acosh Asin Asinh Atan Atanh AveragePool Bernoulli Conv ConvTranspose Cos Cosh DeformConv Det Dropout
Elu EyeLike GRU GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample HardSigmoid HardSwish InstanceNormalization
LSTM LpNormalization LpPool MaxPool MaxRoiPool MaxUnpool Mish Multinomial NegativeLogLikelihoodLoss RNN RandomNormal
RandomNormalLike RandomUniform RandomUniformLike RoiAlign Round Selu Sin Sinh Softplus Softsign Tan
ThresholdedRelu""",
    23: FEW_BITS + " Attention RMSNormalization RotaryEmbedding",
    24: FEW_BITS + " Attention SplitToSequence Swish TensorScatter TopK",
    25: FEW_BITS + " Attention",
    26: "BitCast CumProd",
    27: "CausalConvWithState LinearAttention Range",
    28: """BitShift Cast Celu Compress DepthToSpace DequantizeLinear Einsum Mod OneHot Optional OptionalGetElement
OptionalHasElement QuantizeLinear ReduceLogSum ReduceLogSumExp ReverseSequence SpaceToDepth SwiGLU Unique""",
}
CHANGES = {opset: names.split() for opset, names in NEWER.items()}
