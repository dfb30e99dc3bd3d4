// ONNX Runtime, measured as `glow bench --slices` is: it runs the model once,
// prints what that took, and then obeys the same lines of stdin.
//
// peer.js MODEL THREADS NAME=FILE.npy...
//
// PEER_OPTIMIZATION=disabled runs the nodes as they stand in the model.

'use strict';

const fs = require('fs');
const path = require('path');
const readline = require('readline');
const {Tensor} = require('onnxruntime-node');
// The native session: around it, the public one adds some microseconds of
// promises to every run, which are not ONNX Runtime's.
const {binding, initOrt} = require('onnxruntime-node/dist/binding');

// The types that models have at their ends.
const kinds = [
  {dtype: '<f4', type: 'float32', array: Float32Array},
  {dtype: '<f2', type: 'float16', array: Uint16Array},
  {dtype: '<f8', type: 'float64', array: Float64Array},
  {dtype: '|u1', type: 'uint8', array: Uint8Array},
  {dtype: '|i1', type: 'int8', array: Int8Array},
  {dtype: '<i4', type: 'int32', array: Int32Array},
  {dtype: '<i8', type: 'int64', array: BigInt64Array},
  {dtype: '|b1', type: 'bool', array: Uint8Array},
];

// A file of numpy: 8 bytes of magic, u16 length of the header, the header, the
// elements at a multiple of 64 bytes.
function readTensor(file) {
  const bytes = fs.readFileSync(file);
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', 10, start);
  const dtype = /'descr': '([^']*)'/.exec(header)[1];
  const kind = kinds.find((kind) => kind.dtype === dtype);
  if (!kind) throw new Error(`${file}: elements are ${dtype}`);
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1];
  const elements = new kind.array(new Uint8Array(bytes.subarray(start)).buffer);
  return new Tensor(kind.type, elements,
                    shape.split(',').filter((n) => n.trim()).map(Number));
}

function writeTensor(file, tensor) {
  const kind = kinds.find((kind) => kind.type === tensor.type);
  if (!kind) throw new Error(`${file}: elements are ${tensor.type}`);
  const shape = tensor.dims.map((n) => n + ',').join('');
  let header = `{'descr': '${kind.dtype}', 'fortran_order': False, ` +
      `'shape': (${shape}), }`;
  header = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
  const start = Buffer.from('\x93NUMPY\x01\x00\0\0', 'latin1');
  start.writeUInt16LE(header.length, 8);
  const data = tensor.data;
  fs.writeFileSync(file, Buffer.concat([
    start, Buffer.from(header, 'latin1'),
    Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
}

// The most memory the process has had, in bytes.
function peakBytes() {
  const status = fs.readFileSync('/proc/self/status', 'latin1');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)[1]) * 1024;
}

function answer(json) {
  process.stdout.write(JSON.stringify(json) + '\n');
}

// A session, what it is given, and what it gave first.
class Model {
  constructor(file, threads, feeds) {
    this.feeds = feeds;
    this.session = new binding.InferenceSession();
    this.session.loadModel(file, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: threads,
      executionMode: 'sequential',
      graphOptimizationLevel: process.env.PEER_OPTIMIZATION || 'all',
      logSeverityLevel: 3, // errors
    });
    this.fetches = Object.fromEntries(
        this.session.outputMetadata.map(({name}) => [name, null]));
  }

  run() {
    return this.session.run(this.feeds, this.fetches, {});
  }

  times(milliseconds) {
    // The first run finds the caches as the other program left them.
    this.run();
    const times = [];
    const begin = performance.now();
    let now = begin;
    while (now - begin < milliseconds || times.length === 0) {
      const start = performance.now();
      this.run();
      now = performance.now();
      times.push(now - start);
    }
    return times;
  }
}

function writeOutputs(folder, outputs) {
  fs.mkdirSync(folder, {recursive: true});
  for (const name in outputs)
    writeTensor(path.join(folder, name + '.npy'), outputs[name]);
}

function obey(line, model, outputs) {
  const [, command, operand] = /^(\S*) *(.*)$/.exec(line);
  if (command === 'run') {
    answer({times_ms: model.times(Number(operand))});
  } else if (command === 'write') {
    writeOutputs(operand, outputs);
    answer({written: operand});
  } else {
    throw new Error(
        `line '${line}' should be 'run MILLISECONDS' or 'write DIR'`);
  }
}

async function main([file, threads, ...inputs]) {
  initOrt();
  const idle = peakBytes();
  const feeds = {};
  for (const input of inputs) {
    const equals = input.indexOf('=');
    feeds[input.slice(0, equals)] = readTensor(input.slice(equals + 1));
  }
  const start = performance.now();
  const model = new Model(file, Number(threads), feeds);
  const loaded = performance.now();
  const outputs = model.run();
  answer({
    first_result_ms: performance.now() - start,
    load_ms: loaded - start,
    idle_bytes: idle,
  });
  for await (const line of readline.createInterface({input: process.stdin}))
    obey(line, model, outputs);
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`peer: error: ${error.message}\n`);
  process.exit(1);
});
