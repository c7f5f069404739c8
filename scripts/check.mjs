// npm run check: every static check, in two lanes.
import { fileURLToPath } from 'node:url';
import { run } from './steps.mjs';

const bin = (name) => `node_modules/.bin/${name}`;
const lanes = [
  [['eslint', [bin('eslint'), '--max-warnings', '0', '.']]],
  [
    ['prettier', [bin('prettier'), '--check', '--log-level', 'warn', '.']],
    ['tsc', [bin('tsc'), '-p', 'tsconfig.json']],
    ['depcruise', [bin('depcruise'), '--output-type', 'err', 'src', 'migrations']],
    ['knip', [bin('knip')]],
    ['openapi', ['scripts/openapi.mjs', '--check']],
  ],
];

/** Runs all checks, prints one line each and the output of those that fail; returns how many passed and failed. */
export async function runChecks() {
  const count = { passed: 0, failed: 0 };
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [name, args] of lane) {
        const began = Date.now();
        const { ok, output } = await run(args, { capture: true });
        count[ok ? 'passed' : 'failed'] += 1;
        const seconds = ((Date.now() - began) / 1000).toFixed(1);
        console.log(
          `check ${name}: ${ok ? 'passed' : 'FAILED'} (${seconds} s)${ok ? '' : `\n${output.trimEnd()}`}`,
        );
      }
    }),
  );
  return count;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await runChecks()).failed === 0 ? 0 : 1;
}
