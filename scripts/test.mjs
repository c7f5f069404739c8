// npm test [-- <spec files>]: build, static checks and jest. jest's global setup starts the servers that the tests
// need. Ends with one line `N passed, N failed` (`, N skipped`); each static check counts as one.
// `--faults` runs the project `faults` instead, without the checks.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';
import { startChecks } from './check.mjs';
import { allSpecs, compileSpecs } from './compile-specs.mjs';
import { run } from './steps.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const faults = process.argv.includes('--faults');
const given = process.argv.slice(2).filter((arg) => arg !== '--faults');
const count = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(join(tmpdir(), 'forgeplane-results-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

// Client and fault tests start the product from dist. Types are the business of the checks.
try {
  await buildIfStale();
} catch (error) {
  console.log(`build: FAILED: ${error.message}`);
  count.failed += 1;
}
const checks = !faults && given.length === 0 ? startChecks() : [];
// The last lane ends beside the first tests: neither core waits.
if (checks.length > 0) await Promise.race(checks);
await runJest();
for (const { passed, failed } of await Promise.all(checks)) {
  count.passed += passed;
  count.failed += failed;
}
console.log(
  `${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
);
process.exit(count.failed === 0 ? 0 : 1);

async function runJest() {
  const file = join(folder, 'results.json');
  const named = given.filter((arg) => !arg.startsWith('-'));
  const specs = named.length > 0 ? named.map((path) => relative(root, resolve(path))) : allSpecs();
  const paths = faults ? named : await compileSpecs(specs);
  const { ok } = await run([
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    // What a request leaves behind is gone before it would be moved to the old generation.
    '--max-semi-space-size=32',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${file}`,
    // Each of them starts many processes of its own.
    ...(faults ? ['--maxWorkers=2'] : []),
    ...(faults ? ['--selectProjects', 'faults'] : []),
    ...given.filter((arg) => arg.startsWith('-')),
    ...(paths.length > 0 ? ['--runTestsByPath', ...paths] : []),
  ]);
  const results = readResults(file);
  if (!results) {
    console.log('jest: FAILED without results');
    count.failed += 1;
    return;
  }
  count.passed += results.numPassedTests;
  // A file that cannot even be loaded has no tests of its own to count.
  count.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
  count.skipped += results.numPendingTests + results.numTodoTests;
  if (results.numTotalTests === 0) {
    console.log('jest: FAILED, there was no test to run');
    count.failed += 1;
  } else if (!ok && count.failed === 0) {
    console.log('jest: FAILED outside of any test');
    count.failed += 1;
  }
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
