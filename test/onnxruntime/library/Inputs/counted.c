/* SPDX-License-Identifier: MIT */
/* Counts the entries of the table in a library of another maker. */
#define _GNU_SOURCE
#include "Interface.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
  const char *name;
  int since;
};

static int since;
static struct entry entries[sizeof(OrtApi) / sizeof(void *)];

static void list(void) {
  size_t count = 0;
#define ORT_SINCE(VERSION) since = VERSION;
#define ORT_ENTRY(HOW, RESULT, NAME, ARGUMENTS)                                \
  entries[count].name = #NAME;                                                 \
  entries[count++].since = since;
#include "table/Table.def"
}

/* Each entry up to the library's version is a function of the library. */
int main(void) {
  const OrtApiBase *base = OrtGetApiBase();
  const int version = atoi(base->GetVersionString() + 2);
  const int common = version < ORT_API_VERSION ? version : ORT_API_VERSION;
  void *const *table = (void *const *)base->GetApi((uint32_t)common);
  Dl_info own, info;
  size_t count = 0;
  list();
  if (!table || !dladdr((void *)table, &own))
    return 1;
  for (; count < sizeof entries / sizeof *entries; ++count) {
    if (entries[count].since > version)
      break;
    if (!table[count] || !dladdr(table[count], &info) ||
        info.dli_fbase != own.dli_fbase) {
      printf("entry %d, %s, is no function of the library\n", (int)count,
             entries[count].name);
      return 1;
    }
  }
  printf("version 1.%d: %d entries, each in the library\n", version,
         (int)count);
  return 0;
}
