//===- Wheel.cpp - a package of Python ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Wheel.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SHA256.h"
#include <algorithm>
#include <sys/utsname.h>

using namespace glow;

static std::string ownPlatform() {
  utsname system{};
  ::uname(&system);
  return std::string("linux_") + system.machine;
}

/// "sha256=" and the hash, as a list of files has it.
static std::string hashOf(std::string_view bytes) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(bytes));
  std::string text = llvm::encodeBase64(hash.final());
  text.erase(text.find('='));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return "sha256=" + text;
}

Wheel::Wheel(const std::string &folder, const std::string &name,
             const std::string &version)
    : name(name), version(version), platform(ownPlatform()),
      thePath(folder + "/" + name + "-" + version + "-py3-none-" + platform +
              ".whl"),
      archive(thePath) {}

Status Wheel::add(const std::string &file, std::string_view bytes,
                  bool isExecutable) {
  record +=
      file + "," + hashOf(bytes) + "," + std::to_string(bytes.size()) + "\n";
  return archive.add(file, bytes, isExecutable);
}

Status Wheel::addLicence(const std::string &file, std::string_view text) {
  licences += "License-File: " + file + "\n";
  return add(info() + "licenses/" + file, text);
}

Status Wheel::finish(const std::string &summary) {
  if (Status status =
          add(info() + "METADATA",
              "Metadata-Version: 2.4\nName: " + name + "\nVersion: " + version +
                  "\nSummary: " + summary + "\n" + licences);
      !status.ok())
    return status;
  if (Status status =
          add(info() + "WHEEL", "Wheel-Version: 1.0\nGenerator: glow\n"
                                "Root-Is-Purelib: false\nTag: py3-none-" +
                                    platform + "\n");
      !status.ok())
    return status;
  record += info() + "RECORD,,\n";
  if (Status status = archive.add(info() + "RECORD", record, false);
      !status.ok())
    return status;
  return archive.finish();
}

bool Wheel::isVersion(const std::string &text) {
  return llvm::Regex("^[0-9]+(\\.[0-9]+)*((a|b|rc)[0-9]+)?(\\.post[0-9]+)?"
                     "(\\.dev[0-9]+)?(\\+[a-z0-9]+(\\.[a-z0-9]+)*)?$")
      .match(text);
}
