//===- OnnxSignal.td - ONNX operators on sounds ---------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXSIGNAL
#define GLOW_IMPORT_ONNXSIGNAL

include "glow/functions/Kinds.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/Signal.td"

// a + b cos(t) + c cos(2t), while t goes once around.
class OnnxWindow<string operator, string a_, string b_, string c_>
    : OnnxImport<operator, 17, (ins "size"), (ins 1:$output_datatype, 1:$periodic), [{
  n = intOf(size);
  turn = 6.283185307179586 / max(1, if(periodic != 0, n, n - 1));
  k = elementKind("f64");
  once = Cos(Iota(0.0, turn, 0, [n], k));
  twice = Cos(Iota(0.0, 2.0 * turn, 0, [n], k));
  output = Cast(a + b * once + c * twice, onnxKind(output_datatype));
}]> {
  let with = (bind a_:$a, b_:$b, c_:$c);
}
def : OnnxWindow<"HannWindow", "0.5", "-0.5", "0.0">;
def : OnnxWindow<"HammingWindow", "0.5434782608695652", "-0.4565217391304348", "0.0">;
def : OnnxWindow<"BlackmanWindow", "0.42", "-0.5", "0.08">;

// Along axis `a`. The inverse of a half spectrum is a real sequence.
def dft : Let<(ins Tensor:$input, Tensor:$dft_length, Int:$a, Int:$inverse, Int:$onesided), [{
  s = shape(input);
  require(a >= 0 && a < rank(input) - 1,
          "axis {a} is not one of those before the last of shape {s}");
  isReal = onesided != 0 && inverse != 0;
  n = if(present(dft_length), intOf(dft_length), if(isReal, 2 * (s[a] - 1), s[a]));
  rows = if(isReal, n / 2 + 1, n);
  none0 = repeat(0, size(s));
  cut = if(rows < s[a], Slice(input, none0, repeat(1, size(s)), set(s, a, rows)), input);
  x = if(rows > s[a], Pad(cut, none0, set(none0, a, rows - s[a]), 0.0), cut);
  output = if(isReal, InverseRealDft(x, a, n), Dft(x, a, onesided != 0, inverse != 0));
}]>;
def : OnnxImport<"DFT", 17, (ins "input", "dft_length?"), (ins 1:$axis, 0:$inverse, 0:$onesided),
                 [{output = dft(input, dft_length, wrapAxis(axis, rank(input)), inverse,
                   onesided);}]>;
def : OnnxImport<"DFT", 20, (ins "input", "dft_length?", "axis?"), (ins 0:$inverse, 0:$onesided), [{
  given = if(present(axis), intOf(axis), -2);
  output = dft(input, dft_length, wrapAxis(given, rank(input)), inverse, onesided);
}]>;
def : OnnxImport<"STFT", 17, (ins "signal", "frame_step", "window?", "frame_length?"),
                 (ins 1:$onesided), [{
  require(rank(signal) == 2 || rank(signal) == 3,
          "the signal must have 2 or 3 axes: batch, samples, and 1 or 2 parts");
  require(present(window) || present(frame_length), "neither window nor frame_length is given");
  n = if(present(frame_length), intOf(frame_length), shape(window)[0]);
  parts = if(rank(signal) == 2, Reshape(signal, [*shape(signal), 1]), signal);
  frames = Frames(parts, 1, n, intOf(frame_step));
  shaped = if(present(window),
              widenedFloat(frames) * Broadcast(widenedFloat(window), shape(frames), axis: 2),
              frames);
  output = asKind(Dft(shaped, 2, onesided != 0, false), kind(signal));
}]>;

def : OnnxImport<"MelWeightMatrix", 17,
    (ins "num_mel_bins", "dft_length", "sample_rate", "lower_edge_hertz", "upper_edge_hertz"),
    (ins 1:$output_datatype), [{
  mel = 2595.0 / log(10.0);
  low = mel * log(1.0 + realOf(lower_edge_hertz) / 700.0);
  high = mel * log(1.0 + realOf(upper_edge_hertz) / 700.0);
  output = MelWeights(intOf(num_mel_bins), intOf(dft_length), intOf(sample_rate), low, high,
                      onnxKind(output_datatype));
}]>;

#endif // GLOW_IMPORT_ONNXSIGNAL
