/*===- fast.c - the usual run of a program, for Python --------------------===*/
/* SPDX-License-Identifier: MIT
 *
 * A run on arrays of the program's types and shapes takes three microseconds in
 * Python, most of them for the addresses of arrays. Here it takes a part of
 * one. The module is of Python's stable interface, of which buffers are a part
 * from version 3.11 on. It is optional: _program.py does the same without it,
 * and all that is unusual.
 *
 *===----------------------------------------------------------------------===*/

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* glow_run_on of glow.h, whose address is given. */
typedef int (*run_on)(void *call, const void *const *inputs,
                      void *const *outputs);

enum { most = 32 };

/* The buffers that a run holds. */
typedef struct {
  Py_buffer all[most];
  Py_ssize_t count;
} views;

static void release(views *held) {
  while (held->count)
    PyBuffer_Release(&held->all[--held->count]);
}

/* Holds the buffer of an array. Returns 0 with an exception if it has none. */
static Py_buffer *hold(views *held, PyObject *array, int flags) {
  Py_buffer *view = &held->all[held->count];
  if (PyObject_GetBuffer(array, view, flags))
    return NULL;
  ++held->count;
  return view;
}

/* Whether a buffer has the elements and the shape that bytes of numbers have. */
static int fits(const Py_buffer *view, PyObject *format, PyObject *shape) {
  const Py_ssize_t bytes = view->ndim * (Py_ssize_t)sizeof(Py_ssize_t);
  return view->format && PyBytes_Size(shape) == bytes &&
         strcmp(view->format, PyBytes_AsString(format)) == 0 &&
         (!bytes ||
          memcmp(view->shape, PyBytes_AsString(shape), (size_t)bytes) == 0) &&
         (uintptr_t)view->buf % (uintptr_t)view->itemsize == 0;
}

/* Finds the inputs. Returns 1, 0 if one is unusual, or -1 with an exception. */
static int take(PyObject *takes, PyObject *feed, PyObject *type, views *held,
                const void **inputs) {
  const Py_ssize_t count = PyTuple_Size(takes);
  if (PyDict_Size(feed) != count)
    return 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *one = PyTuple_GetItem(takes, i);
    PyObject *array = PyDict_GetItemWithError(feed, PyTuple_GetItem(one, 0));
    if (!array)
      return PyErr_Occurred() ? -1 : 0;
    if ((PyObject *)Py_TYPE(array) != type)
      return 0;
    Py_buffer *view = hold(held, array, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT);
    if (!view) {
      PyErr_Clear(); /* it is not dense */
      return 0;
    }
    if (!fits(view, PyTuple_GetItem(one, 1), PyTuple_GetItem(one, 2)))
      return 0;
    inputs[i] = view->buf;
  }
  return 1;
}

/* Makes an array for each output. Returns a dictionary of them, or NULL with an
   exception. */
static PyObject *make(PyObject *gives, PyObject *empty, views *held,
                      void **outputs) {
  PyObject *results = PyDict_New();
  if (!results)
    return NULL;
  for (Py_ssize_t i = 0, count = PyTuple_Size(gives); i < count; ++i) {
    PyObject *one = PyTuple_GetItem(gives, i);
    PyObject *array = PyObject_CallObject(empty, PyTuple_GetItem(one, 1));
    Py_buffer *view = array ? hold(held, array, PyBUF_WRITABLE) : NULL;
    const int failed =
        !view || PyDict_SetItem(results, PyTuple_GetItem(one, 0), array);
    Py_XDECREF(array);
    if (failed) {
      Py_DecRef(results);
      return NULL;
    }
    outputs[i] = view->buf;
  }
  return results;
}

/* run(plan, feed): the dictionary of the outputs, the status of a run that
   failed, or None if the inputs are unusual.

   plan   (address of glow_run_on, address of the call, takes, gives, the type
          of arrays, the function that makes one)
   takes  (name, format of the elements, bytes of the sizes) of each input
   gives  (name, arguments of that function) of each output */
static PyObject *run(PyObject *module, PyObject *const *arguments,
                     Py_ssize_t count) {
  (void)module;
  if (count != 2 || !PyTuple_Check(arguments[0]) ||
      PyTuple_Size(arguments[0]) != 6) {
    PyErr_SetString(PyExc_TypeError, "run takes a plan and inputs");
    return NULL;
  }
  PyObject *plan = arguments[0], *feed = arguments[1];
  PyObject *takes = PyTuple_GetItem(plan, 2), *gives = PyTuple_GetItem(plan, 3);
  if (!PyDict_Check(feed) || PyTuple_Size(takes) + PyTuple_Size(gives) > most)
    Py_RETURN_NONE;
  const void *inputs[most];
  void *outputs[most];
  views held;
  held.count = 0;
  PyObject *results = NULL;
  const int is_usual =
      take(takes, feed, PyTuple_GetItem(plan, 4), &held, inputs);
  if (is_usual > 0)
    results = make(gives, PyTuple_GetItem(plan, 5), &held, outputs);
  if (results) {
    const run_on function = (run_on)PyLong_AsVoidPtr(PyTuple_GetItem(plan, 0));
    void *call = PyLong_AsVoidPtr(PyTuple_GetItem(plan, 1));
    int status;
    Py_BEGIN_ALLOW_THREADS
    status = function(call, inputs, outputs);
    Py_END_ALLOW_THREADS
    if (status) {
      Py_DecRef(results);
      results = PyLong_FromLong(status);
    }
  }
  release(&held);
  if (is_usual == 0)
    Py_RETURN_NONE;
  return results;
}

static PyMethodDef methods[] = {
    {"run", (PyCFunction)(void (*)(void))run, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL}};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "glow._fast", NULL, 0,
                             methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__fast(void) { return PyModule_Create(&module); }
