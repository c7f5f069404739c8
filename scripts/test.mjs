// npm test [-- <spec files>]: build, static checks and jest. jest's global setup starts the servers that the
// tests need. Ends with a line `flaky: <spec>: <why>` for each spec that failed in parallel and passed alone, one
// `failed: <spec>: <why>` for each that failed both times, and one line `N passed, N failed` (`, N skipped`); each
// static check counts as one. `--faults` runs the fault specs and those that were left out instead, without the
// checks.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';
import { startChecks } from './check.mjs';
import { installClients, installTools } from './clients.mjs';
import { compileSpecs, sourceOf } from './compile-specs.mjs';
import { isFailed, longest, tally } from './results.mjs';
import { allFaults, allSpecs, FAULTS_BY_NAME, leftOut, writeLongSpecs } from './spec-lists.mjs';
import { run } from './steps.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const faults = process.argv.includes('--faults');
const given = process.argv.slice(2).filter((arg) => arg !== '--faults');
const count = { passed: 0, failed: 0, skipped: 0 };
/** The closing lines about single specs. */
const remarks = [];
const specOf = (name) => sourceOf(name) ?? relative(root, name);
const folder = mkdtempSync(join(tmpdir(), 'forgeplane-results-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

// Client and fault tests start the product from dist. Types are checked by the static checks.
try {
  await buildIfStale();
} catch (error) {
  console.log(`build: FAILED: ${error.message}`);
  count.failed += 1;
}
await installTools().catch((error) => {
  console.log(`tools: FAILED: ${error.message}`);
  count.failed += 1;
});
const checks = !faults && given.length === 0 ? startChecks() : [];
// The last lane finishes alongside the first tests, so that no core idles.
if (checks.length > 0) await Promise.race(checks);
await runJest();
for (const { passed, failed } of await Promise.all(checks)) {
  count.passed += passed;
  count.failed += failed;
}
for (const remark of remarks) console.log(remark);
console.log(
  `${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
);
process.exit(count.failed === 0 ? 0 : 1);

async function runJest() {
  const named = given.filter((arg) => !arg.startsWith('-'));
  const specs =
    named.length > 0 ? named.map((path) => relative(root, resolve(path))) : faults ? allFaults() : allSpecs();
  if (faults && named.length === 0)
    for (const [spec, why] of FAULTS_BY_NAME) console.log(`NOT RUN, only by name: ${spec} (${why})`);
  if (!faults && named.length === 0 && leftOut().length > 0)
    console.log(
      `Left out: ${leftOut().length} specs: those that start servers of their own (test/processes, test/deploy), ` +
        `and the long ones (test/long-specs.txt) that are not due today (DAY_SEED=${process.env.DAY_SEED}). ` +
        '`npm run test:faults` or `TESTS_COMPLETE=1 npm test` runs them.',
    );
  const paths = await compileSpecs(specs);
  await installClients(specs).catch((error) => {
    console.log(`clients: FAILED: ${error.message}`);
    count.failed += 1;
  });
  const first = await jest('results.json', paths);
  if (!first) return;
  if (named.length === 0) {
    const slow = longest(first.testResults, 10).map(({ name, seconds }) => `${specOf(name)} (${seconds} s)`);
    console.log(`Longest: ${slow.join(', ')}`);
    if (process.env.UPDATE_LONG_SPECS === '1')
      writeLongSpecs(
        longest(first.testResults).map(({ name, seconds }) => ({ spec: specOf(name), seconds })),
      );
  }
  // Specs share the machine with others, and those loaded by Node also their process, so a failed one is run
  // again alone. Both runs are shown, the second counts, and the spec is reported as flaky if it passes.
  const failed = first.testResults.filter(isFailed).map(({ name }) => name);
  let again = [];
  if (failed.length > 0) {
    console.log(`\nRun again, each by itself: ${failed.map(specOf).join(', ')}`);
    again = (await jest('again.json', failed, 1))?.testResults ?? [];
  }
  const sums = tally(first.testResults, again);
  for (const kind of Object.keys(count)) count[kind] += sums[kind];
  remarks.push(
    ...sums.flaky.map(({ name, why }) => `flaky: ${specOf(name)}: ${why}`),
    ...sums.broken.map(({ name, why }) => `failed: ${specOf(name)}: ${why}`),
  );
}

/** Runs jest on specs, `atOnce` in parallel; undefined, and counted as failed, if there are no results. */
async function jest(name, paths, atOnce) {
  const file = join(folder, name);
  const { ok } = await run([
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    // Garbage of a request is collected before it would be moved to the old generation.
    '--max-semi-space-size=32',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${file}`,
    // Each of the fault specs starts many processes of its own.
    ...((atOnce ?? faults) ? [`--maxWorkers=${atOnce ?? 2}`] : []),
    ...given.filter((arg) => arg.startsWith('-')),
    ...(paths.length > 0 ? ['--runTestsByPath', ...paths] : []),
  ]);
  const results = readResults(file);
  const nothing = !results || results.numTotalTests === 0;
  const outside = !nothing && !ok && results.numFailedTests + results.numRuntimeErrorTestSuites === 0;
  if (!nothing && !outside) return results;
  console.log(`jest: FAILED ${nothing ? 'without any test' : 'outside of any test'}`);
  count.failed += 1;
  return nothing ? undefined : results;
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
