//===- Functions.h - functions on compile-time values ---------*- C++ -*-===//
//
// The C++ of the Function records in defs/Functions.td, one each, by the same
// names: what the language cannot say itself, and what C++ calls too. Total: no
// argument makes them fail or read out of bounds, since a model's attributes
// reach them before they are checked. Where there is no right answer the result
// is 0, or the list unchanged. Generated code includes this header, since it
// may call any of them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_H
#define GLOW_BASE_FUNCTIONS_H

#include "glow/Base/Activations.h"
#include "glow/Base/Functions/Lists.h"
#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Functions/Shapes.h"

#endif // GLOW_BASE_FUNCTIONS_H
