/* SPDX-License-Identifier: MIT */
/* ONNX Runtime's header by the name that applications include: PyPI's package
   has the library alone. */
#include "Interface.h"
