// Runs the module of small.c: wasm.cjs MODULE WEIGHTS INPUT OUTPUT, files of bytes as
// they are in memory.

const fs = require('fs');
const [code, weights, input, output] = process.argv.slice(2);

// Of libm, what WebAssembly has no instruction for.
const functions = {};
for (const name of ['exp', 'log', 'pow', 'sin', 'cos', 'tan', 'tanh']) {
  functions[name] = Math[name];
  functions[name + 'f'] = (...x) => Math.fround(Math[name](...x));
}

WebAssembly.instantiate(fs.readFileSync(code), {env: functions}).then(({instance}) => {
  const it = instance.exports;
  const region = (place, bytes) => new Uint8Array(it.memory.buffer, place, bytes);
  region(it.weights(), it.weightsBytes()).set(fs.readFileSync(weights));
  region(it.input(), it.inputBytes()).set(fs.readFileSync(input));
  if (it.run() !== 0)
    throw new Error('the model found a wrong value');
  fs.writeFileSync(output, region(it.output(), it.outputBytes()));
});
