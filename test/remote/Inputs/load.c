/* Keeps requests on their way to a host until stdin ends: load MODEL DEVICES.

   Every answer is compared with that of a run in this process. For each line of
   stdin the program prints "answered" as soon as all requests that were sent
   before the line have an answer. At the end it prints the counts of requests
   (sent, right) and their milliseconds (median, 99 of 100, longest). */

#define _XOPEN_SOURCE 700
#include <glow/glow.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { window = 4, most = 4000000 };

static float image[784], expected[10];
static sem_t room;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t right, sent;
static float times[most]; /* 0 until the answer has come */
static volatile int ends;

static void check(glow_status status) {
  if (status == GLOW_OK)
    return;
  fprintf(stderr, "error: %s\n", glow_message());
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

struct request {
  double begin;
  float *time;
};

static void done(void *context, glow_status status, glow_result *result) {
  struct request *request = context;
  glow_tensor_info info;
  const void *data = NULL;
  int isRight = status == GLOW_OK &&
                glow_result_output(result, 0, &info, &data) == GLOW_OK &&
                memcmp(data, expected, sizeof expected) == 0;
  if (!isRight)
    fprintf(stderr, "wrong: %s\n", glow_message());
  pthread_mutex_lock(&mutex);
  right += isRight;
  *request->time = (float)(now() - request->begin);
  pthread_mutex_unlock(&mutex);
  glow_result_free(result);
  free(request);
  sem_post(&room);
}

static int areAnswered(size_t count) {
  size_t i = 0;
  pthread_mutex_lock(&mutex);
  while (i < count && times[i] != 0)
    ++i;
  pthread_mutex_unlock(&mutex);
  return i == count;
}

static size_t countSent(void) {
  size_t count;
  pthread_mutex_lock(&mutex);
  count = sent;
  pthread_mutex_unlock(&mutex);
  return count;
}

static void *followInput(void *none) {
  const struct timespec millisecond = {0, 1000000};
  int character;
  while ((character = getchar()) != EOF) {
    if (character != '\n')
      continue;
    for (size_t count = countSent(); !areAnswered(count);)
      nanosleep(&millisecond, NULL);
    puts("answered");
    fflush(stdout);
  }
  ends = 1;
  return none;
}

static int ascending(const void *left, const void *right) {
  float difference = *(const float *)left - *(const float *)right;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  const int64_t shape[] = {1, 1, 28, 28};
  const glow_tensor input = {GLOW_F32, 4, shape, image};
  const glow_serving everywhere = {0, 1, 0, 0};
  glow_options *options = glow_options_new();
  glow_model *model;
  glow_program *program;
  glow_call *call;
  glow_host *host;
  glow_model_id digits;
  pthread_t end;
  if (count != 3)
    return 2;
  for (int i = 0; i < 784; ++i)
    image[i] = (float)(i % 7) / 7;
  check(glow_options_set(options, "threads", "1"));
  check(glow_model_load(arguments[1], &model));
  check(glow_compile(model, options, &program));
  check(glow_call_new(program, &call));
  check(glow_bind(call, "image", image, sizeof image));
  check(glow_bind(call, "probabilities", expected, sizeof expected));
  check(glow_run(call));
  check(glow_host_new(NULL, &host));
  check(glow_host_add_devices(host, arguments[2]));
  check(glow_host_serve(host, "digits", &program, 1, &everywhere, &digits));
  puts("ready");
  fflush(stdout);
  sem_init(&room, 0, window);
  if (pthread_create(&end, NULL, followInput, NULL) != 0)
    return 1;
  while (!ends && sent < most) {
    struct request *one;
    sem_wait(&room);
    one = malloc(sizeof *one);
    if (!one)
      return 1;
    one->begin = now();
    pthread_mutex_lock(&mutex);
    one->time = &times[sent++];
    pthread_mutex_unlock(&mutex);
    check(glow_submit(host, digits, &input, 1, NULL, done, one, NULL));
  }
  for (int i = 0; i < window; ++i)
    sem_wait(&room);
  pthread_join(end, NULL);
  qsort(times, sent, sizeof *times, ascending);
  printf("{\"sent\": %zu, \"right\": %zu, \"median_ms\": %g, \"p99_ms\": %g, "
         "\"max_ms\": %g}\n",
         sent, right, (double)times[sent / 2], (double)times[sent * 99 / 100],
         (double)times[sent - 1]);
  glow_call_free(call);
  glow_host_free(host);
  glow_program_free(program);
  glow_model_free(model);
  glow_options_free(options);
  return right == sent ? 0 : 1;
}
