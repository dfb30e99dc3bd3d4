//===- Status.cpp - statuses, and pairs of texts --------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Objects.h"
#include "library/Table.h"

using namespace glow;
using namespace glow::ort;

OrtStatus *entry::CreateStatus(int code, const char *message) {
  return new OrtStatus{code, message ? message : ""};
}

int entry::GetErrorCode(const OrtStatus *status) {
  return status ? status->code : int(ORT_OK);
}

const char *entry::GetErrorMessage(const OrtStatus *status) {
  return status ? status->text.c_str() : "";
}

void entry::ReleaseStatus(OrtStatus *status) { delete status; }

static int codeOf(glow_status status) {
  switch (status) {
  case GLOW_INVALID_ARGUMENT:
  case GLOW_SHAPE_MISMATCH:
    return ORT_INVALID_ARGUMENT;
  case GLOW_NOT_FOUND:
    return ORT_NO_SUCHFILE;
  case GLOW_UNSUPPORTED:
    return ORT_NOT_IMPLEMENTED;
  default:
    return ORT_FAIL;
  }
}

OrtStatus *ort::statusOfException() noexcept {
  try {
    throw;
  } catch (const Failure &failure) {
    return entry::CreateStatus(failure.code, failure.what());
  } catch (const api::Error &error) {
    return entry::CreateStatus(codeOf(error.status), error.what());
  } catch (const std::exception &error) {
    return entry::CreateStatus(ORT_FAIL, error.what());
  }
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

void OrtKeyValuePairs::list() {
  keys.clear();
  values.clear();
  for (const auto &[key, value] : entries) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
}

void OrtKeyValuePairs::set(const std::string &key, const std::string &value) {
  entries[key] = value;
  list();
}

void OrtKeyValuePairs::remove(const std::string &key) {
  entries.erase(key);
  list();
}

void entry::CreateKeyValuePairs(OrtKeyValuePairs **out) {
  if (out)
    *out = new OrtKeyValuePairs();
}

void entry::AddKeyValuePair(OrtKeyValuePairs *pairs, const char *key,
                            const char *value) {
  if (pairs && key && *key && value)
    pairs->set(key, value);
}

const char *entry::GetKeyValue(const OrtKeyValuePairs *pairs, const char *key) {
  if (!pairs || !key)
    return nullptr;
  auto found = pairs->entries.find(key);
  return found == pairs->entries.end() ? nullptr : found->second.c_str();
}

void entry::GetKeyValuePairs(const OrtKeyValuePairs *pairs,
                             const char *const **keys,
                             const char *const **values, size_t *count) {
  if (!keys || !values || !count)
    return;
  *keys = pairs ? pairs->keys.data() : nullptr;
  *values = pairs ? pairs->values.data() : nullptr;
  *count = pairs ? pairs->keys.size() : 0;
}

void entry::RemoveKeyValuePair(OrtKeyValuePairs *pairs, const char *key) {
  if (pairs && key)
    pairs->remove(key);
}

void entry::ReleaseKeyValuePairs(OrtKeyValuePairs *pairs) { delete pairs; }
