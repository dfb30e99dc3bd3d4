//===- LibraryForm.cpp - bundles as libraries of builds -------------------===//
// SPDX-License-Identifier: MIT
//
// CMake takes a folder with a CMakeLists.txt. The Arduino tools take a folder
// with a library.properties, whose code is below src; a library that is
// compiled already is below the name of its processor.
//
//===----------------------------------------------------------------------===//

#include "LibraryForm.h"

using namespace glow;
using namespace glow::cpu;

static void addCMake(std::vector<EmittedFile> &files,
                     const EmitRequest &request) {
  const std::string &name = request.name;
  std::string code = name + files.front().suffix;
  std::string text = "# add_subdirectory(FOLDER) and "
                     "target_link_libraries(PROGRAM " +
                     name + ")\ncmake_minimum_required(VERSION 3.13)\n";
  if (request.isPortable())
    text += "project(" + name + " LANGUAGES C)\nadd_library(" + name +
            " STATIC " + code + ")\ntarget_include_directories(" + name +
            " PUBLIC ${CMAKE_CURRENT_LIST_DIR})\n";
  else
    text += "add_library(" + name + " STATIC IMPORTED GLOBAL)\n" +
            "set_target_properties(" + name +
            " PROPERTIES\n  IMPORTED_LOCATION ${CMAKE_CURRENT_LIST_DIR}/" +
            code +
            "\n  INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR})\n";
  // Functions that the processor has no instruction for.
  text += "if(UNIX)\n  target_link_libraries(" + name +
          (request.isPortable() ? " PUBLIC" : " INTERFACE") + " m)\nendif()\n";
  files.push_back({"", std::move(text), "CMakeLists.txt"});
}

static void addArduino(std::vector<EmittedFile> &files,
                       const EmitRequest &request,
                       const std::string &processor) {
  const std::string &name = request.name;
  for (EmittedFile &file : files)
    file.path = "src/" + name + file.suffix;
  std::string text = "name=" + name +
                     "\nversion=1.0.0\nauthor=Glow\nmaintainer=Glow\n"
                     "sentence=The model " +
                     name +
                     "\nparagraph=Made by glow compile.\n"
                     "category=Data Processing\nurl=\narchitectures=*\n"
                     "includes=" +
                     name + ".h\n";
  if (!request.isPortable()) {
    files.front().path = "src/" + processor + "/lib" + name + ".a";
    text += "precompiled=true\nldflags=-l" + name + "\n";
  }
  files.push_back({"", std::move(text), "library.properties"});
}

void cpu::addForm(std::vector<EmittedFile> &files, const EmitRequest &request,
                  const std::string &processor) {
  if (request.form == BundleForm::CMake)
    addCMake(files, request);
  if (request.form == BundleForm::Arduino)
    addArduino(files, request, processor);
}
