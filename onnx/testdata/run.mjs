// Runs ONNX models by onnxruntime-web: node run.mjs FOLDER TASKS OUTPUTS. FOLDER is one in
// which the package was installed. TASKS is a JSON list of {model, inputs: {name: {type, dims,
// data}}}, and OUTPUTS is what this writes: for each of them {outputs: {name: {type, dims,
// data}}} or {error}. Numbers that are not finite are texts.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder, tasks, outputs] = process.argv.slice(2);
const ort = createRequire(join(resolve(folder), 'here.js'))('onnxruntime-web');
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const arrays = { float32: Float32Array, float64: Float64Array };
const tensor = ({ type, dims, data }) =>
  new ort.Tensor(type, type in arrays ? arrays[type].from(data, Number) : data, dims);
const plain = ({ type, dims, data }) => ({
  type,
  dims,
  data: Array.from(data, (v) => (typeof v === 'number' && Number.isFinite(v) ? v : String(v))),
});
const each = (object, of) => Object.fromEntries(Object.entries(object).map(([name, v]) => [name, of(v)]));

const results = [];
for (const task of JSON.parse(readFileSync(tasks, 'utf8'))) {
  try {
    const session = await ort.InferenceSession.create(readFileSync(task.model));
    const result = await session.run(each(task.inputs, tensor));
    results.push({ outputs: each(Object.fromEntries(session.outputNames.map((name) => [name, result[name]])), plain) });
    await session.release();
  } catch (error) {
    results.push({ error: String(error.message ?? error) });
  }
}
writeFileSync(outputs, JSON.stringify(results));
