/* Functions that are told of something call the library themselves.

   reentrant DIGITS: the model takes image, f32[1,1,28,28]. */

#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static glow_model *model;
static int told, refused;

/* Succeeds, fails, and asks for what goes on around it. */
static void hear(void *context, glow_log_level level, const char *text) {
  glow_tensor_info info;
  glow_program *program;
  (void)context, (void)text;
  ++told;
  glow_model_input(model, 0, &info);
  glow_model_input(model, 99, &info);
  if (level == GLOW_LOG_INFO &&
      glow_compile(model, NULL, &program) == GLOW_INVALID_ARGUMENT &&
      strstr(glow_message(), "is being compiled by this thread"))
    ++refused;
}

static void logs(void) {
  glow_options *options = glow_options_new();
  glow_program *program = NULL;
  glow_log_to(GLOW_LOG_INFO, hear, NULL);
  printf("fails: %d ", glow_options_set(options, "threads", "many"));
  printf("%s, told %d\n", glow_message(), told);
  told = 0;
  printf("compiles: %d ", glow_compile(model, NULL, &program));
  printf("'%s', told %d, refused %d\n", glow_message(), told > 0, refused > 0);
  glow_log_to(GLOW_LOG_OFF, NULL, NULL);
  glow_program_free(program);
  glow_options_free(options);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int answered;

/* The request is freed before the submission returns, or on another thread. */
struct sent {
  glow_request *request;
  int is_freed_here;
};
static void answer(void *context, glow_status status, glow_result *result) {
  struct sent *sent = context;
  if (sent->is_freed_here)
    glow_request_free(sent->request);
  if (status == GLOW_OK)
    glow_result_free(result);
  pthread_mutex_lock(&mutex);
  ++answered;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void requests(void) {
  enum { count = 200 };
  static struct sent sent[count];
  static float image[784];
  const int64_t right[] = {1, 1, 28, 28}, wrong[] = {1, 1, 28, 27};
  glow_host *host = NULL;
  glow_program *program = NULL;
  glow_model_id id = 0;
  int failed = glow_compile(model, NULL, &program) != GLOW_OK ||
               glow_host_new(NULL, &host) != GLOW_OK ||
               glow_host_add_device(host, NULL, "cpu", 1, 0) != GLOW_OK ||
               glow_host_serve(host, "digits", &program, 1, NULL, &id) !=
                   GLOW_OK;
  for (int i = 0; i < count && !failed; ++i) {
    /* Every second one is refused at once. */
    const glow_tensor input = {GLOW_F32, 4, i % 2 ? wrong : right, image};
    sent[i].is_freed_here = i % 2;
    failed = glow_submit(host, id, &input, 1, NULL, answer, &sent[i],
                         &sent[i].request) != GLOW_OK;
    if (!failed && !sent[i].is_freed_here) {
      glow_cancel(host, sent[i].request);
      glow_request_free(sent[i].request);
    }
  }
  if (failed)
    printf("failed: %s\n", glow_message());
  pthread_mutex_lock(&mutex);
  while (!failed && answered < count)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  printf("%d of %d answered\n", answered, count);
  glow_host_free(host);
  glow_program_free(program);
}

/* A function that is told of a run has returned when the call was waited for. */
static int returned;
static void slow(void *context, glow_status status) {
  (void)status;
  glow_call_wait(context); /* itself is not waited for */
  for (volatile int i = 0; i < 1000000; ++i)
    ;
  __atomic_add_fetch(&returned, 1, __ATOMIC_SEQ_CST);
}

static void waits(void) {
  static float image[784], result[10];
  glow_program *program = NULL;
  glow_call *call = NULL;
  int right = 0;
  if (glow_compile(model, NULL, &program) != GLOW_OK ||
      glow_call_new(program, &call) != GLOW_OK ||
      glow_bind(call, "image", image, sizeof image) != GLOW_OK ||
      glow_bind(call, "probabilities", result, sizeof result) != GLOW_OK)
    printf("failed: %s\n", glow_message());
  for (int i = 0; i < 50; ++i) {
    glow_run_async(call, slow, call);
    glow_call_wait(call);
    right += __atomic_load_n(&returned, __ATOMIC_SEQ_CST) == i + 1;
  }
  printf("%d of 50 had returned\n", right);
  glow_call_free(call);
  glow_program_free(program);
}

int main(int count, char **arguments) {
  if (count != 2 || glow_model_load(arguments[1], &model) != GLOW_OK)
    return 2;
  logs();
  requests();
  waits();
  glow_model_free(model);
  return 0;
}
