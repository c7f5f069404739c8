import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';

interface Lists {
  readonly allSpecs: (env: Readonly<Record<string, string>>) => string[];
  readonly leftOut: (env: Readonly<Record<string, string>>) => string[];
  readonly longSpecs: () => string[];
}

const COMPLETE = { TESTS_COMPLETE: '1' };
const APART = { ...COMPLETE, LONG_SPECS: 'apart' };
const SIX_DAYS = [0, 1, 2, 3, 4, 5].map((day) => ({ DAY_SEED: String(20_786 + day) }));

describe('the specs of npm test', () => {
  const lists = async (): Promise<Lists> => (await import(resolve('scripts/spec-lists.mjs'))) as Lists;

  it('are all of them if it is complete', async () => {
    const { allSpecs, leftOut } = await lists();

    expect(leftOut(COMPLETE)).toEqual([]);
    expect(allSpecs(COMPLETE)).toContain('test/unit/spec-lists.spec.ts');
    expect(allSpecs(COMPLETE).some((spec) => spec.startsWith('test/processes/'))).toBe(true);
  });

  it('are otherwise all that need no servers of their own within six days, the long ones once', async () => {
    const { allSpecs, longSpecs } = await lists();
    const ran = SIX_DAYS.flatMap((day) => allSpecs(day));
    const long = longSpecs();

    expect(long.length).toBeGreaterThan(40);
    for (const spec of long) expect(ran.filter((one) => one === spec)).toEqual([spec]);
    const others = allSpecs(COMPLETE).filter((spec) => !/^test\/(processes|deploy)\//.test(spec));
    expect([...new Set(ran)].toSorted()).toEqual(others.toSorted());
    for (const spec of others)
      if (!long.includes(spec)) expect(ran.filter((one) => one === spec)).toHaveLength(6);
  });

  it('are, together with those that it leaves out, all of them', async () => {
    const { allSpecs, leftOut } = await lists();

    for (const day of [...SIX_DAYS, APART])
      expect([...allSpecs(day), ...leftOut(day)].toSorted()).toEqual(allSpecs(COMPLETE).toSorted());
  });
});
