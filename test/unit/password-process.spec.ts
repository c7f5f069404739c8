import { describe, expect, it } from '@jest/globals';
import { hash } from 'argon2';
import { getPriority } from 'node:os';
import { readdirSync, readFileSync } from 'node:fs';
import { PasswordProcess } from '#kernel/crypto/password-process.js';
import { belowNormal, idle } from '#kernel/crypto/priority.js';
import { runWithFewDescriptors } from '../support/few-descriptors.js';
import { until } from '../support/until.js';

const COST = { memoryCost: 8 * 1024, timeCost: 2, parallelism: 1 };

/** Ids of our child processes that hash passwords. */
const workers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[1];
        return (
          Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('argon2')
        );
      } catch {
        return false;
      }
    });

describe('PasswordProcess', () => {
  it('works in one other process, with a lower priority than this one', async () => {
    const passwords = new PasswordProcess(belowNormal);
    const before = workers();
    const values = ['correct horse', COST];
    const digests = await Promise.all([1, 2, 3].map(() => passwords.run({ does: 'hash', values })));
    const own = workers().filter((pid) => !before.includes(pid));
    expect(own).toHaveLength(1);
    expect(getPriority(own[0] ?? 0)).toBeGreaterThan(getPriority(process.pid));
    expect(new Set(digests).size).toBe(3);
    expect(await passwords.run({ does: 'verify', values: [digests[0], 'correct horse'] })).toBe(true);
    expect(await passwords.run({ does: 'verify', values: [digests[0], 'wrong horse'] })).toBe(false);
  });

  it('may only use idle CPU time', async () => {
    const passwords = new PasswordProcess(idle);
    const before = workers();
    expect(await passwords.run({ does: 'hash', values: ['a', COST] })).toMatch(/^\$argon2/);
    const [pid = 0] = workers().filter((one) => !before.includes(one));
    expect(getPriority(pid)).toBe(19);
    // Field 41 of stat is the policy: 5 is SCHED_IDLE.
    const policyOf = (): string | undefined =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[38];
    await until(() => policyOf() === '5');
  });

  it('passes the tasks of a dying process to another one', async () => {
    const passwords = new PasswordProcess(belowNormal);
    const digest = await hash('slow', { ...COST, memoryCost: 64 * 1024, timeCost: 8 });
    const before = workers();
    const verified = passwords.run({ does: 'verify', values: [digest, 'slow'] });
    await until(() => workers().some((pid) => !before.includes(pid)));
    for (const pid of workers().filter((one) => !before.includes(one))) process.kill(pid, 'SIGKILL');
    expect(await verified).toBe(true);
  });

  it('ignores the signals of the terminal, and still answers', async () => {
    const passwords = new PasswordProcess(belowNormal);
    const before = workers();
    await passwords.run({ does: 'hash', values: ['a', COST] });
    const [pid = 0] = workers().filter((one) => !before.includes(one));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
    expect(await passwords.run({ does: 'hash', values: ['a', COST] })).toMatch(/^\$argon2/);
    expect(workers()).toContain(pid);
  });

  it("reports argon2's errors about its arguments", async () => {
    const passwords = new PasswordProcess(belowNormal);
    await expect(passwords.run({ does: 'hash', values: ['a', { memoryCost: 1 }] })).rejects.toThrow(
      /memoryCost|memory/i,
    );
  });

  it('refuses its tasks, and goes on later, if this process has no free descriptors', async () => {
    const output = await runWithFewDescriptors(`
      const { PasswordProcess } = await load('kernel/crypto/password-process');
      const passwords = new PasswordProcess(() => undefined);
      const hash = () => passwords.run({ does: 'hash', values: ['a'] }).then((text) => text.slice(0, 7), (error) => error.status);
      takeAll();
      const first = await hash();
      await new Promise((resolve) => setTimeout(resolve, 100));
      giveBack();
      process.stdout.write([first, await hash()].join(' '));
      process.exit();`);
    expect(output.split('\n').at(-1)).toBe('503 $argon2');
  });
});
