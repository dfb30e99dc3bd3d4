/* Values that are no tensors of numbers: made, looked at, and refused. */

#include <glow/glow.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, glow_message());
}

static glow_value *strings(size_t count, const char *const *texts,
                           const size_t *lengths) {
  const int64_t shape[] = {(int64_t)count};
  glow_value *value = NULL;
  if (glow_value_new_strings(1, shape, texts, lengths, &value) != GLOW_OK)
    printf("no strings: %s\n", glow_message());
  return value;
}

static glow_value *numbers(size_t count, const int64_t *elements) {
  const int64_t shape[] = {(int64_t)count};
  const glow_tensor tensor = {GLOW_I64, 1, shape, elements};
  glow_value *value = NULL;
  if (glow_value_new_tensor(&tensor, &value) != GLOW_OK)
    printf("no tensor: %s\n", glow_message());
  return value;
}

int main(void) {
  const char *texts[] = {"b\0c", "a"}, *twice[] = {"a", "a"};
  const size_t lengths[] = {3, 1};
  const int64_t elements[] = {7, 8}, wrong[] = {2, -1};
  glow_value *keys = strings(2, texts, lengths), *same = strings(2, twice, NULL),
             *values = numbers(2, elements), *other = numbers(1, elements),
             *map = NULL, *list = NULL, *part = NULL, *nothing = NULL;
  glow_tensor_info info;
  const void *data;
  const char *text;
  size_t length;

  show("map", glow_value_new_map(keys, values, &map));
  show("keys", glow_value_keys(map, &part));
  for (size_t i = 0; i < glow_value_count(part); ++i)
    if (glow_value_text(part, i, &text, &length) == GLOW_OK)
      printf("%zu bytes, '%s'\n", length, text);
  glow_value_free(part);
  show("values", glow_value_values(map, &part));
  show("info", glow_value_info(part, &info, &data));
  printf("kind %d of %d, %zu bytes: %d %d\n", info.kind, (int)info.shape[0],
         info.bytes, (int)((const int64_t *)data)[0],
         (int)((const int64_t *)data)[1]);
  const glow_value *two[] = {map, map}, *mixed[] = {map, keys};
  show("sequence", glow_value_new_sequence(two, 2, &list));
  glow_value_free(map);
  glow_value_free(part);
  show("element", glow_value_element(list, 1, &part));
  glow_value_free(list);
  show("info", glow_value_info(part, &info, NULL));
  printf("kind %d, count %zu\n", info.kind, glow_value_count(part));
  show("nothing", glow_value_new_nothing(&nothing));
  show("info", glow_value_info(nothing, &info, NULL));
  printf("kind %d, count %zu\n", info.kind, glow_value_count(nothing));

  mixed[0] = part;
  show("mixed", glow_value_new_sequence(mixed, 2, &list));
  show("twice", glow_value_new_map(same, values, &map));
  show("fewer", glow_value_new_map(keys, other, &map));
  show("no map", glow_value_keys(keys, &map));
  show("no list", glow_value_element(keys, 0, &map));
  show("no text", glow_value_text(values, 0, &text, NULL));
  show("beyond", glow_value_text(keys, 2, &text, NULL));
  show("negative", glow_value_new_strings(2, wrong, texts, NULL, &map));
  show("null", glow_value_new_strings(1, elements, NULL, NULL, &map));
  const glow_tensor tensor = {GLOW_STRING, 1, elements, texts};
  show("kind", glow_value_new_tensor(&tensor, &map));
  glow_value *all[] = {keys, same, values, other, part, nothing, NULL};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    glow_value_free(all[i]);
  return 0;
}
