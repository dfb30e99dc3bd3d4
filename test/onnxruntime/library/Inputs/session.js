// SPDX-License-Identifier: MIT
// Sessions of npm's onnxruntime-node: session.js FOLDER_OF_MODELS DIGITS
const path = require('path');
const ort = require('onnxruntime-node');

async function failure(call) {
  try {
    await call();
    return 'no failure';
  } catch (error) {
    return error.message;
  }
}

async function main(folder, digits) {
  const model = (name) => path.join(folder, name);
  console.log(ort.listSupportedBackends().map((backend) => backend.name).join(' '));

  let session = await ort.InferenceSession.create(model('scale.onnx'), {
    intraOpNumThreads: 1, executionProviders: ['cpu'], graphOptimizationLevel: 'all'});
  console.log(session.inputNames, session.outputNames, JSON.stringify(session.inputMetadata));
  const x = new ort.Tensor('float32', Float32Array.from({length: 6}, (_, i) => i), [2, 3]);
  const {y, z} = await session.run({x});
  console.log(y.type, y.dims, Array.from(y.data), Array.from(z.data));
  const given = new ort.Tensor('float32', new Float32Array(6), [2, 3]);
  await session.run({x}, {y: given}, {logSeverityLevel: 3});
  console.log('given', Array.from(given.data));
  const wrong = new ort.Tensor('float32', new Float32Array(2), [1, 2]);
  console.log('size:', await failure(() => session.run({x: wrong})));
  const whole = new ort.Tensor('int32', new Int32Array(3), [1, 3]);
  console.log('type:', await failure(() => session.run({x: whole})));
  await session.release();

  session = await ort.InferenceSession.create(model('words.onnx'));
  const words = new ort.Tensor('string', ['bc', '', 'a'], [3]);
  const {same, ids} = await session.run({words});
  console.log(same.data, Array.from(ids.data, String));
  await session.release();

  const bytes = require('fs').readFileSync(digits);
  session = await ort.InferenceSession.create(bytes);
  const image = new ort.Tensor('float32', new Float32Array(784), [1, 1, 28, 28]);
  const runs = await Promise.all([1, 2, 3].map(() => session.run({image})));
  const sums = runs.map((run) => run.probabilities.data.reduce((sum, p) => sum + p));
  console.log('sums', sums.map((sum) => sum.toFixed(3)).join(' '));
  await session.release();

  console.log('absent:', await failure(() => ort.InferenceSession.create(model('none.onnx'))));
  console.log('profile:', await failure(() => ort.InferenceSession.create(
    model('scale.onnx'), {enableProfiling: true, profileFilePrefix: 'x'})));
}

main(process.argv[2], process.argv[3]);
