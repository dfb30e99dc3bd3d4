//===- Labels.h - classes whose names are texts -----------------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_LABELS_H
#define GLOW_LIB_IMPORTER_LABELS_H

#include "Model.h"

namespace glow {

/// Where a classifier has `classlabels_strings`, and its import record numbers
/// in their place, its labels become the places of the texts; a LabelEncoder of
/// the first version, which runs on the host, makes texts of them under the
/// name that they had.
void numberLabels(Model &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_LABELS_H
