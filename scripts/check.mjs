// npm run check: every static check, in two lanes.
import { fileURLToPath } from 'node:url';
import { installTools } from './clients.mjs';
import { run } from './steps.mjs';

const bin = (name) => `node_modules/.bin/${name}`;
const lanes = [
  [
    // Checks types too, which `npm run build` would do with half a minute of CPU time more.
    ['lint', [bin('oxlint')]],
    ['openapi', ['scripts/openapi.mjs', '--check']],
    ['api-lint', ['scripts/api-lint.mjs']],
    ['migrations', ['scripts/migrations-lint.mjs']],
  ],
  [
    ['format', [bin('oxfmt'), '--check']],
    ['depcruise', [bin('depcruise'), '--output-type', 'err', 'src', 'migrations']],
    ['knip', [bin('knip')]],
    ['admin-sql', ['scripts/admin-sql.mjs']],
    ['names', ['scripts/names.mjs']],
    ['configuration', ['scripts/configuration.mjs', '--check']],
  ],
];

/**
 * Starts all checks in parallel lanes; each prints one line, and its output if it fails. Returns a promise
 * per lane with the numbers of passed and failed checks.
 */
export function startChecks() {
  return lanes.map(async (lane) => {
    const count = { passed: 0, failed: 0 };
    for (const [name, args] of lane) {
      const began = Date.now();
      const { ok, output } = await run(args, { capture: true });
      count[ok ? 'passed' : 'failed'] += 1;
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      console.log(
        `check ${name}: ${ok ? 'passed' : 'FAILED'} (${seconds} s)${ok ? '' : `\n${output.trimEnd()}`}`,
      );
    }
    return count;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await installTools();
  const counts = await Promise.all(startChecks());
  process.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1;
}
