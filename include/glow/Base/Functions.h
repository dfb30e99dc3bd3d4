//===- Functions.h - functions on compile-time values ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The C++ of the Function records in defs/Functions.td, one function each, by
// the same name: functions that the records' language cannot express, and
// functions that C++ calls too.
//
// They are total: no argument makes them fail or read out of bounds, since a
// model's attributes reach them before they are checked. Without a right answer
// they return 0 or the unchanged list. Generated code includes this header,
// since it may call any of them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_H
#define GLOW_BASE_FUNCTIONS_H

#include "glow/Base/Activations.h"
#include "glow/Base/Functions/Lists.h"
#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Functions/Shapes.h"

#endif // GLOW_BASE_FUNCTIONS_H
