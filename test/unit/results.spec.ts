import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';

interface File {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly assertionResults: readonly { readonly status: string }[];
}

interface Results {
  tally(first: readonly File[], again: readonly File[]): Record<string, unknown>;
}

const file = (name: string, ...statuses: string[]): File => ({
  name,
  status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ status })),
});

describe('the totals of npm test', () => {
  const tally = async (first: readonly File[], again: readonly File[]) =>
    ((await import(resolve('scripts/results.mjs'))) as Results).tally(first, again);

  it('count the tests of all files', async () => {
    const files = [file('a', 'passed', 'pending'), file('b', 'passed', 'passed', 'todo')];
    expect(await tally(files, [])).toEqual({ passed: 3, failed: 0, skipped: 2, flaky: [] });
  });

  it('list specs that failed in parallel and passed alone, and count their second run', async () => {
    const first = [file('a', 'passed', 'failed'), file('b', 'passed'), file('c', 'failed')];
    const again = [file('a', 'passed', 'passed'), file('c', 'failed')];
    expect(await tally(first, again)).toEqual({ passed: 3, failed: 1, skipped: 0, flaky: ['a'] });
  });

  it('count a file that cannot be loaded as one failure', async () => {
    expect(await tally([file('a')], [file('a')])).toEqual({ passed: 0, failed: 1, skipped: 0, flaky: [] });
    expect(await tally([file('a')], [])).toEqual({ passed: 0, failed: 1, skipped: 0, flaky: [] });
  });
});
