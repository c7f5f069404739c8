// Which specs a run has: `npm test`, complete or as on this day, and `npm run test:faults`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const DAY_MS = 86_400_000;

// Tests sample by it too (test/support/day-sample.ts), and a run may last beyond midnight.
process.env.DAY_SEED ??= String(Math.floor(Date.now() / DAY_MS));

/**
 * The longest specs, a line each. On two cores they take most of the time of all, mainly because they start many
 * processes, so `npm test` runs only a part of them, another one each day.
 * `UPDATE_LONG_SPECS=1 TESTS_COMPLETE=1 npm test` writes the list.
 */
const LONG_SPECS = 'test/long-specs.txt';
/** One in so many is due on a day. */
const LONG_SHARE = 6;
/** The list names the longest specs that together take this part of the time. */
const LONG_PART = 0.75;

/** Whether everything runs; tests ask test/support/complete.ts. */
const isComplete = (env) => env.TESTS_COMPLETE === '1';

/** Files of a folder and of those in it, with this end, as paths from the root. */
export const filesOf = (folder, end) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(end) && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`);

/** Specs that start servers of their own or need large packages: a third of the time of all. */
const ownServers = () => specsOf('processes', 'deploy');

/** Long specs that are not due today. */
const notDue = ({ DAY_SEED }) =>
  longSpecs().filter((_, place) => (place + Number(DAY_SEED)) % LONG_SHARE !== 0);

/**
 * Specs that `npm test` leaves to `npm run test:faults`. With `LONG_SPECS=apart` these are all long ones: `.ci/run`
 * runs them by name, some at a time, until the time of a slow machine is used up.
 */
export function leftOut(env = process.env) {
  if (env.LONG_SPECS === 'apart') return [...ownServers(), ...longSpecs()];
  return isComplete(env) ? [] : [...ownServers(), ...notDue(env)];
}

/** Every spec of `npm test`. */
export function allSpecs(env = process.env) {
  const out = new Set(leftOut(env));
  const all = [...filesOf('src', '.spec.ts'), ...specsOf('api', 'unit', 'clients', 'processes', 'deploy')];
  return all.filter((spec) => !out.has(spec));
}

/** Fault specs that run only by name, and why; `.ci/run` runs them last, each alone. */
export const FAULTS_BY_NAME = new Map([
  [
    'test/faults/deploy.spec.ts',
    'four pods, a proxy and 50 requests a second need both cores for themselves',
  ],
]);

/** Every other spec of `npm run test:faults`. */
export const allFaults = () => [
  ...specsOf('faults').filter((spec) => !FAULTS_BY_NAME.has(spec)),
  ...leftOut(),
];

/** The listed specs; one that was removed or renamed since is not among them. */
export const longSpecs = () =>
  readFileSync(join(root, LONG_SPECS), 'utf8')
    .split('\n')
    .filter((spec) => spec !== '' && existsSync(join(root, spec)));

/** Lists the longest of these specs, which are given with their seconds, longest first. */
export function writeLongSpecs(specs) {
  const own = new Set(ownServers());
  const others = specs.filter(({ spec }) => !own.has(spec));
  const part = LONG_PART * others.reduce((sum, { seconds }) => sum + seconds, 0);
  let taken = 0;
  const long = [];
  for (const { spec, seconds } of others) {
    if (taken >= part) break;
    taken += seconds;
    // Those that take a sample of their own have some of it to show each day.
    if (!readFileSync(join(root, spec), 'utf8').includes('support/day-sample.js')) long.push(spec);
  }
  writeFileSync(join(root, LONG_SPECS), `${long.toSorted().join('\n')}\n`);
}

const specsOf = (...folders) => folders.flatMap((folder) => filesOf(`test/${folder}`, '.spec.ts'));
