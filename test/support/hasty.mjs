// For `node --import`: time-outs of half a minute or more pass HASTE times as fast.
const { setTimeout: real } = globalThis;
const haste = Number(process.env['HASTE'] ?? 1);

globalThis.setTimeout = Object.assign(
  (work, ms, ...values) => real(work, ms >= 10_000 ? ms / haste : ms, ...values),
  real,
);
