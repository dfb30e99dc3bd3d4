//===- Here.cpp - plug-ins of a program that shares LLVM ------------------===//
// SPDX-License-Identifier: MIT

#include "../cli/Plugins.h"
#include "glow/Base/Plugin.h"
#include "glow/Toolchain/Toolchain.h"

using namespace glow;

Status tool::loadPluginOf(const std::string &file) { return loadPlugin(file); }

Status tool::loadPassesOf(const std::string &file) { return loadPasses(file); }
