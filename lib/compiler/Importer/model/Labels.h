//===- Labels.h - class labels of classifiers -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_MODEL_LABELS_H
#define GLOW_LIB_IMPORTER_MODEL_LABELS_H

#include "file/Model.h"

namespace glow {

/// Replaces a classifier's `classlabels_strings` by the indices of the texts,
/// if its import record has integer labels. A LabelEncoder of the first
/// version, which runs on the host, maps the indices to texts under the old
/// output name.
void numberLabels(ParsedModel &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_MODEL_LABELS_H
