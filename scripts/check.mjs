// npm run check: every static check, in two lanes.
import { fileURLToPath } from 'node:url';
import { run } from './steps.mjs';

const bin = (name) => `node_modules/.bin/${name}`;
const lanes = [
  [
    // Type errors too: what `npm run build` says of them takes half a minute of CPU more.
    ['lint', ['scripts/lint.mjs']],
    ['openapi', ['scripts/openapi.mjs', '--check']],
    ['api-lint', ['scripts/api-lint.mjs']],
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
 * Starts all checks, in lanes side by side; each prints one line, and its output where it fails. A promise a lane: how many passed and failed
 * there, at its end.
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
  const counts = await Promise.all(startChecks());
  process.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1;
}
