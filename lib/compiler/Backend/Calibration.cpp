//===- Calibration.cpp - measured numbers of cost models ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Calibration.h"
#include <map>

using namespace glow;

static std::map<std::string, const Calibration *> &calibrations() {
  static std::map<std::string, const Calibration *> all;
  return all;
}

void glow::registerCalibration(const std::string &backend,
                               const Calibration &calibration) {
  calibrations()[backend] = &calibration;
}

const Calibration *glow::findCalibration(const std::string &backend) {
  auto found = calibrations().find(backend);
  return found == calibrations().end() ? nullptr : found->second;
}
