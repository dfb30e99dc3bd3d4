/* A host: devices, versions, many requests, and what is refused.

   host DIGITS DEVICES: the model takes image, f32[1,1,28,28]. */

#define _XOPEN_SOURCE 700
#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { each = 200 };

static glow_host *host;
static glow_model_id digits;
static float image[784], expected[10];
static const int64_t shape[] = {1, 1, 28, 28};
static const glow_tensor input = {GLOW_F32, 4, shape, image};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int right, statuses[GLOW_POISON + 1], answers;
static char last[256];

static int agrees(const glow_result *result) {
  const void *data = NULL;
  glow_tensor_info info;
  return glow_result_outputs(result) == 1 &&
         glow_result_output(result, 0, &info, &data) == GLOW_OK &&
         strcmp(info.name, "probabilities") == 0 &&
         info.bytes == sizeof expected &&
         memcmp(data, expected, sizeof expected) == 0 &&
         glow_result_output(result, 1, &info, &data) == GLOW_NOT_FOUND;
}

static void done(void *context, glow_status status, glow_result *result) {
  pthread_mutex_lock(&mutex);
  snprintf(last, sizeof last, "%s", glow_message());
  right += result && context == &mutex && agrees(result);
  ++statuses[status];
  ++answers;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  glow_result_free(result);
}

static void waitFor(int count) {
  pthread_mutex_lock(&mutex);
  while (answers < count)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void clear(void) {
  memset(statuses, 0, sizeof statuses);
  answers = right = 0;
}

static void *send(void *failed) {
  glow_request_options options = {0, 0};
  for (int i = 0; i < each; ++i) {
    options.priority = i % 3;
    options.deadline_ms = i % 2 ? 1e6 : 0;
    if (glow_submit(host, digits, &input, 1, &options, done, &mutex, NULL) !=
        GLOW_OK)
      return failed;
  }
  return NULL;
}

static int show(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, status == GLOW_OK ? "" : glow_message());
  return status == GLOW_OK;
}

/* One request and its answer. */
static void ask(const char *what, const glow_tensor *tensor, size_t count,
                double deadline) {
  const glow_request_options options = {0, deadline};
  clear();
  if (glow_submit(host, digits, tensor, count, &options, done, &mutex, NULL) !=
      GLOW_OK) {
    printf("%s: not sent, %s\n", what, glow_message());
    return;
  }
  waitFor(1);
  printf("%s: answered, %s\n", what, last);
}

static int prepare(const char *path, glow_program **program) {
  glow_model *model = NULL;
  glow_call *call = NULL;
  glow_options *options = glow_options_new();
  int good = glow_options_set(options, "threads", "1") == GLOW_OK &&
             glow_model_load(path, &model) == GLOW_OK &&
             glow_compile(model, options, program) == GLOW_OK &&
             glow_call_new(*program, &call) == GLOW_OK &&
             glow_bind(call, "image", image, sizeof image) == GLOW_OK &&
             glow_bind(call, "probabilities", expected, sizeof expected) ==
                 GLOW_OK &&
             glow_run(call) == GLOW_OK;
  glow_call_free(call);
  glow_options_free(options);
  glow_model_free(model);
  return good;
}

/* Threads send; then a child that has no thread of the host's uses it. */
static int serveMany(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, send, image);
  for (int i = 0; i < 2; ++i) {
    void *failed = NULL;
    pthread_join(threads[i], &failed);
    if (failed)
      return 0;
  }
  waitFor(2 * each);
  printf("%d of %d right\n", right, answers);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    clear();
    if (send(image))
      _exit(1);
    waitFor(each);
    glow_host_free(host);
    _exit(right == each ? 0 : 2);
  }
  int state = 1;
  waitpid(child, &state, 0);
  printf("the child ended with %d\n", state);
  return 1;
}

static void cancelOne(void) {
  glow_request *request = NULL;
  clear();
  for (int i = 0; i < each; ++i)
    glow_submit(host, digits, &input, 1, NULL, done, &mutex,
                i == each - 1 ? &request : NULL);
  show("cancel", glow_cancel(host, request));
  glow_request_free(request);
  waitFor(each);
  printf("%d right or cancelled of %d\n",
         right + statuses[GLOW_CANCELLED], answers);
}

int main(int count, char **arguments) {
  glow_program *program = NULL;
  glow_program *none = NULL;
  glow_model_id id = 0, second = 0;
  const char *json = "";
  const glow_host_settings wrong = {0, 0, -1};
  const glow_serving everywhere = {0, 0, 0, 0};
  const int64_t narrow[] = {1, 1, 28, 27}, open[] = {1, 1, 28, -1};
  const glow_tensor other = {GLOW_F32, 4, narrow, image};
  const glow_tensor symbolic = {GLOW_F32, 4, open, image};
  const glow_tensor unknown = {(glow_kind)99, 4, shape, image};
  const glow_tensor null = {GLOW_F32, 4, shape, NULL};
  for (int i = 0; i < 784; ++i)
    image[i] = (float)(i % 7) / 7;
  if (count != 3 || !prepare(arguments[1], &program)) {
    printf("%s\n", glow_message());
    return 1;
  }
  show("settings", glow_host_new(&wrong, &host));
  show("host", glow_host_new(NULL, &host));
  show("no device",
       glow_host_serve(host, "digits", &program, 1, NULL, &digits));
  show("no file", glow_host_add_devices(host, "nowhere.json"));
  show("devices", glow_host_add_devices(host, arguments[2]));
  show("name", glow_host_add_device(host, "left", "cpu", 1, 0));
  show("backend", glow_host_add_device(host, NULL, "abacus", 1, 0));
  show("threads", glow_host_add_device(host, NULL, "cpu", 1025, 0));
  show("device", glow_host_add_device(host, NULL, "cpu", 1, 0));
  show("none", glow_host_serve(host, "digits", &none, 1, NULL, &digits));
  show("empty", glow_host_serve(host, "digits", &program, 0, NULL, &digits));
  show("serve",
       glow_host_serve(host, "digits", &program, 1, &everywhere, &digits));
  show("find", glow_host_find(host, "digits", &id));
  show("find nothing", glow_host_find(host, "letters", &second));
  if (id != digits || !serveMany())
    return 1;

  ask("shape", &other, 1, 0);
  ask("symbolic", &symbolic, 1, 0);
  ask("kind", &unknown, 1, 0);
  ask("null", &null, 1, 0);
  ask("inputs", &input, 0, 0);
  ask("deadline", &input, 1, -1);
  ask("too late", &input, 1, 1e-6);
  cancelOne();

  show("again",
       glow_host_serve(host, "digits", &program, 1, NULL, &second));
  ask("older", &input, 1, 0);
  printf("%d right, ready %d\n", right, glow_host_is_ready(host));
  show("report", glow_host_report(host, &json));
  printf("%s\n", json);
  show("listen", glow_host_listen(host, "host.socket"));
  show("listen twice", glow_host_listen(host, "host.socket"));
  show("end", glow_host_end(host, second));
  show("end twice", glow_host_end(host, second));
  glow_program_free(program);
  glow_host_free(host);
  return 0;
}
