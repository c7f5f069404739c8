import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const PROGRAM = `
  import { setOptimizing } from ${JSON.stringify(resolve('dist/src/kernel/start/optimizing.js'))};
  const isOptimized = new Function('f', 'return (%GetOptimizationStatus(f) & 16) !== 0');
  const square = (n) => n * n;
  const run = () => {
    const end = Date.now() + 20_000;
    let sum = 0;
    do for (let n = 0; n < 100_000; n += 1) sum += square(n);
    while (!isOptimized(square) && Date.now() < end && Number.isFinite(sum) && (isPatient || (rounds += 1) < 50));
    return isOptimized(square);
  };
  let isPatient = false;
  let rounds = 0;
  setOptimizing(false);
  const before = run();
  setOptimizing(true);
  isPatient = true;
  console.log(JSON.stringify([before, run()]));`;

it('hot code is optimized only once optimizing is turned on', () => {
  const output = execFileSync(
    process.execPath,
    ['--allow-natives-syntax', '--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8' },
  );
  expect(JSON.parse(output)).toEqual([false, true]);
});
