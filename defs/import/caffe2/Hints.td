//===- Hints.td - arguments of Caffe2 that are skipped --------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_HINTS
#define GLOW_IMPORT_CAFFE2_HINTS

include "glow/Import.td"

foreach argument = ["allow_tensor_cores", "convolution_transform_strategy",
                    "cudnn_exhaustive_search", "cudnn_state", "disable_memory_sharing",
                    "enable_tensor_core", "exhaustive_search", "float16_compute", "init_params",
                    "math_mode", "net_pos", "shared_buffer", "use_cudnn", "use_grad_hack",
                    "use_gpu_transform", "ws_nbytes_limit"] in
  def : Caffe2Hint<argument>;

#endif // GLOW_IMPORT_CAFFE2_HINTS
