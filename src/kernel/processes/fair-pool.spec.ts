import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairPool, PoolBusy, type Claim } from './fair-pool.js';

const LIMITS = { width: 4, share: 2, waiting: 20, waitMs: Infinity };
const of = (...holders: string[]): Claim => ({ holders });
const anonymous = (...holders: string[]): Claim => ({ holders, group: 'anonymous' });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests slots and records which were granted, in order. */
class Desk {
  readonly served: string[] = [];
  readonly releases: (() => void)[] = [];

  constructor(readonly pool: FairPool) {}

  ask(name: string, claim: Claim, signal?: AbortSignal): Promise<void> {
    return this.pool.take(claim, signal).then((release) => {
      this.served.push(name);
      this.releases.push(release);
    });
  }
}

describe('slots', () => {
  it('are not granted beyond a share, even if others are free', async () => {
    const desk = new Desk(new FairPool(LIMITS));
    for (let number = 0; number < 5; number += 1) void desk.ask('a', of('project a', `user ${number}`));
    void desk.ask('b', of('project b', 'user 0'));
    await settle();
    expect(desk.served).toEqual(['a', 'a', 'b']);
    expect([desk.pool.running, desk.pool.waiting]).toEqual([3, 3]);
  });

  it('are shared by all anonymous callers together', async () => {
    const desk = new Desk(new FairPool(LIMITS));
    for (let number = 0; number < 5; number += 1)
      void desk.ask('nobody', anonymous(`p${number}`, `ip ${number}`));
    void desk.ask('user', of('p', 'user'));
    await settle();
    expect(desk.served).toEqual(['nobody', 'nobody', 'user']);
  });

  it('are granted in turn, however many one caller requests', async () => {
    const desk = new Desk(new FairPool({ ...LIMITS, width: 1, share: 1 }));
    for (let number = 0; number < 6; number += 1) void desk.ask('many', of('project', 'many'));
    void desk.ask('few', of('other', 'few'));
    void desk.ask('few', of('other', 'few'));
    for (let number = 0; number < 5; number += 1) {
      await settle();
      desk.releases.shift()?.();
    }
    expect(desk.served.slice(0, 5)).toEqual(['many', 'many', 'few', 'many', 'few']);
  });

  it('are needed only if that would serve a waiting claim', async () => {
    const desk = new Desk(new FairPool(LIMITS));
    const needed = (claim: Claim): boolean => desk.pool.isWaitedFor(claim);
    void desk.ask('other', of('other', 'user'));
    for (let number = 0; number < 2; number += 1) void desk.ask('many', of('project', 'many'));
    await settle();
    expect([needed(of('other', 'user')), needed(of('project', 'many'))]).toEqual([false, false]);
    void desk.ask('many', of('project', 'many'));
    await settle();
    expect([needed(of('other', 'user')), needed(of('project', 'many'))]).toEqual([false, true]);
    expect(needed(of('other', 'many'))).toBe(false);
    for (let number = 0; number < 2; number += 1) void desk.ask('last', of(`p${number}`, `u${number}`));
    await settle();
    expect([desk.pool.running, needed(of('other', 'user'))]).toEqual([4, true]);
  });

  it('are released once', async () => {
    const pool = new FairPool(LIMITS);
    const release = await pool.take(of('a'));
    release();
    release();
    expect(pool.running).toBe(0);
  });
});

describe('a waiting request', () => {
  it('is refused if too many wait, per holder and in total', async () => {
    const pool = new FairPool({ ...LIMITS, width: 1, share: 1, waiting: 4 });
    const desk = new Desk(pool);
    for (let number = 0; number < 3; number += 1) void desk.ask('a', of('a'));
    await expect(desk.ask('a', of('a'))).rejects.toThrow(PoolBusy);
    void desk.ask('b', of('b'));
    void desk.ask('c', of('c'));
    await expect(desk.ask('d', of('d'))).rejects.toMatchObject({ status: 503, reason: 'full' });
  });

  it('is refused after too long, and ends if its result is no longer awaited', async () => {
    const pool = new FairPool({ ...LIMITS, width: 1, share: 1, waitMs: 20 });
    const release = await pool.take(of('a'));
    await expect(pool.take(of('b'))).rejects.toMatchObject({ status: 503, reason: 'late' });
    const leaving = new AbortController();
    const left = pool.take(of('b'), leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(pool.waiting).toBe(0);
    release();
    (await pool.take(of('c')))();
    expect(pool.running).toBe(0);
  });
});

it('a pool serves everyone in the end, within all limits', async () => {
  const claims = fc.array(
    fc.record({ project: fc.integer({ min: 0, max: 3 }), user: fc.integer({ min: 0, max: 4 }) }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(claims, fc.integer({ min: 1, max: 5 }), async (asked, width) => {
      const share = Math.ceil(width / 2);
      const pool = new FairPool({ width, share, waiting: 1_000, waitMs: Infinity });
      const held = new Map<string, number>();
      const count = (key: string, step: number): void => {
        held.set(key, (held.get(key) ?? 0) + step);
        expect(held.get(key)).toBeLessThanOrEqual(share);
      };
      await Promise.all(
        asked.map(async ({ project, user }) => {
          const keys = [`project ${project}`, user === 0 ? 'nobody' : `user ${user}`];
          const release = await pool.take(
            user === 0 ? { holders: [keys[0] as string, 'address'], group: 'nobody' } : of(...keys),
          );
          expect(pool.running).toBeLessThanOrEqual(width);
          for (const key of keys) count(key, 1);
          await settle();
          for (const key of keys) count(key, -1);
          release();
        }),
      );
      expect([pool.running, pool.waiting]).toEqual([0, 0]);
    }),
    { numRuns: 50 },
  );
});
