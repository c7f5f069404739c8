import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';

interface Test {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

interface File {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly assertionResults: readonly Test[];
}

interface Timed {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
}

interface Results {
  readonly longest: (files: readonly Timed[], count: number) => unknown;
  tally(first: readonly File[], again: readonly File[]): Record<string, unknown>;
}

const file = (name: string, ...statuses: string[]): File => ({
  name,
  status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({
    status,
    fullName: `it ${status}`,
    failureMessages: status === 'failed' ? ['\u001B[2mexpected\u001B[22m\n  1'] : [],
  })),
});

describe('the totals of npm test', () => {
  const tally = async (first: readonly File[], again: readonly File[]) =>
    ((await import(resolve('scripts/results.mjs'))) as Results).tally(first, again);

  it('count the tests of all files', async () => {
    const files = [file('a', 'passed', 'pending'), file('b', 'passed', 'passed', 'todo')];
    expect(await tally(files, [])).toEqual({ passed: 3, failed: 0, skipped: 2, flaky: [], broken: [] });
  });

  it('list specs that failed in parallel and passed alone, and those that failed again, and count the second run', async () => {
    const first = [file('a', 'passed', 'failed'), file('b', 'passed'), file('c', 'failed')];
    const again = [file('a', 'passed', 'passed'), file('c', 'failed')];
    expect(await tally(first, again)).toEqual({
      passed: 3,
      failed: 1,
      skipped: 0,
      flaky: [{ name: 'a', why: 'it failed: expected 1' }],
      broken: [{ name: 'c', why: 'it failed: expected 1' }],
    });
  });

  it('count a file that cannot be loaded as one failure', async () => {
    const sums = {
      passed: 0,
      failed: 1,
      skipped: 0,
      flaky: [],
      broken: [{ name: 'a', why: 'no such module' }],
    };
    const unloaded = { ...file('a'), message: 'no such module' };
    expect(await tally([unloaded], [unloaded])).toEqual(sums);
    expect(await tally([unloaded], [])).toEqual(sums);
  });
});

it('the longest specs are named with their seconds', async () => {
  const { longest } = (await import(resolve('scripts/results.mjs'))) as Results;
  const files = [1_400, 9_600, 3_000].map((endTime) => ({ name: `${endTime}`, startTime: 0, endTime }));
  expect(longest(files, 2)).toEqual([
    { name: '9600', seconds: 10 },
    { name: '3000', seconds: 3 },
  ]);
});
