//===- Here.cpp - plug-ins of a program that shares LLVM ------------------===//

#include "../Plugins.h"
#include "glow/Base/Plugin.h"

using namespace glow;

Status tool::loadPluginOf(const std::string &file) { return loadPlugin(file); }
