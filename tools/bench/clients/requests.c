/* SPDX-License-Identifier: MIT */
/* Requests a second through the interface for C.

   requests MODEL BACKEND SECONDS WINDOW: two threads, first with runs that
   wait, then each with WINDOW requests on their way; then one thread with one
   request after the other, each from before it is sent to when it is answered.
   Prints a JSON object: runs and requests a second, nanoseconds in order (the
   median, and the one that 99 of 100 are not above), and the memory of the
   process, in bytes, before and after the requests on their way. */

#define _XOPEN_SOURCE 700
#include <glow/glow.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { most = 16 };

static glow_program *program;
static glow_host *host;
static glow_model_id model;
static glow_tensor inputs[most];
static size_t inputCount, outputCount;
static double seconds, until;
static unsigned window;
static sem_t one;

static void check(glow_status status) {
  if (status == GLOW_OK)
    return;
  fprintf(stderr, "error: %s\n", glow_message());
  exit(1);
}

static void *memory(size_t bytes) {
  void *data = calloc(1, bytes ? bytes : 1);
  if (!data) {
    fprintf(stderr, "error: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return data;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void *runAndWait(void *count) {
  glow_call *call;
  check(glow_call_new(program, &call));
  for (size_t i = 0; i < inputCount + outputCount; ++i) {
    glow_tensor_info info;
    check(i < inputCount ? glow_program_input(program, i, &info)
                         : glow_program_output(program, i - inputCount, &info));
    check(glow_bind(call, info.name, memory(info.bytes), info.bytes));
  }
  for (; now() < until; ++*(size_t *)count)
    check(glow_run(call));
  glow_call_free(call);
  return NULL;
}

static void done(void *context, glow_status status, glow_result *result) {
  check(status);
  glow_result_free(result);
  sem_post(context);
}

static void *sendOn(void *count) {
  sem_t room;
  sem_init(&room, 0, window);
  for (; now() < until; ++*(size_t *)count) {
    sem_wait(&room);
    check(
        glow_submit(host, model, inputs, inputCount, NULL, done, &room, NULL));
  }
  for (unsigned i = 0; i < window; ++i)
    sem_wait(&room);
  sem_destroy(&room);
  return NULL;
}

static size_t residentBytes(void) {
  unsigned long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu %lu", &size, &resident) != 2)
    exit(1);
  fclose(file);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* Of one request after the other. */
enum { samples = 100000 };
static double times[samples];

static void answered(void *context, glow_status status, glow_result *result) {
  check(status);
  *(double *)context = now() - *(double *)context;
  glow_result_free(result);
  sem_post(&one);
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

static size_t sampleTimes(void) {
  size_t count = 0;
  sem_init(&one, 0, 0);
  for (double end = now() + seconds; now() < end && count < samples; ++count) {
    times[count] = now();
    check(glow_submit(host, model, inputs, inputCount, NULL, answered,
                      &times[count], NULL));
    while (sem_trywait(&one) != 0)
      sched_yield();
  }
  qsort(times, count, sizeof *times, ascending);
  return count;
}

static double rateOf(void *(*work)(void *), double during) {
  size_t counts[2] = {0, 0};
  pthread_t threads[2];
  double begin = now();
  until = begin + during;
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&threads[i], NULL, work, &counts[i]) != 0)
      exit(1);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return (double)(counts[0] + counts[1]) / (now() - begin);
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "requests MODEL BACKEND SECONDS WINDOW\n");
    return 2;
  }
  seconds = atof(arguments[3]);
  window = (unsigned)atoi(arguments[4]);
  glow_model *file;
  glow_options *options = glow_options_new();
  check(glow_options_set(options, "backend", arguments[2]));
  check(glow_options_set(options, "threads", "1"));
  check(glow_model_load(arguments[1], &file));
  check(glow_compile(file, options, &program));
  inputCount = glow_program_inputs(program);
  outputCount = glow_program_outputs(program);
  if (inputCount > most)
    return 2;
  for (size_t i = 0; i < inputCount; ++i) {
    glow_tensor_info info;
    check(glow_program_input(program, i, &info));
    inputs[i].kind = info.kind;
    inputs[i].rank = info.rank;
    inputs[i].shape = info.shape;
    inputs[i].data = memory(info.bytes);
  }
  check(glow_host_new(NULL, &host));
  check(glow_host_add_device(host, "device", arguments[2], 1, 0));
  check(glow_host_serve(host, "model", &program, 1, NULL, &model));
  double waiting = rateOf(runAndWait, seconds);
  rateOf(sendOn, seconds / 10);
  size_t before = residentBytes();
  double sending = rateOf(sendOn, seconds);
  size_t after = residentBytes();
  size_t taken = sampleTimes();
  printf("{\"waiting\": %.0f, \"sending\": %.0f, \"median_ns\": %.0f, "
         "\"p99_ns\": %.0f, \"resident_before\": %zu, \"resident_after\": "
         "%zu, \"sent\": %.0f}\n",
         waiting, sending, times[taken / 2] * 1e9,
         times[taken * 99 / 100] * 1e9, before, after, sending * seconds);
  glow_host_free(host);
  glow_program_free(program);
  glow_model_free(file);
  glow_options_free(options);
  return 0;
}
