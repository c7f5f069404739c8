// The order of test files: the longest first, so that none of them is left alone at the end. Of a clean clone jest only knows sizes, and a group
// (scripts/group-specs.mjs) is as large as the specs in it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import TestSequencer from '@jest/test-sequencer';

const root = fileURLToPath(new URL('../', import.meta.url));
const MEMBER = /^describe\('([^']+\.spec\.ts)'/gm;

/** What starts processes of its own takes longer for its size; what walks all routes the longest. */
const FACTORS = [
  [/hostile-walk/, 100],
  [/^test\/clients\//, 4],
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const weights = new Map(Array.from(tests, ({ path }) => [path, weightOf(path)]));
    return Array.from(tests).sort((one, other) => weights.get(other.path) - weights.get(one.path));
  }
}

function weightOf(path) {
  const members = [...readFileSync(path, 'utf8').matchAll(MEMBER)].map(([, spec]) => spec);
  const specs = members.length > 0 ? members : [path.slice(root.length)];
  return specs.reduce((sum, spec) => sum + sizeOf(spec) * factorOf(spec), 0);
}

const sizeOf = (spec) => (existsSync(root + spec) ? statSync(root + spec).size : 0);
const factorOf = (spec) => FACTORS.find(([pattern]) => pattern.test(spec))?.[1] ?? 1;
