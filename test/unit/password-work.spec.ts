import { describe, expect, it } from '@jest/globals';
import type { PasswordTask } from '#kernel/crypto/password-process.js';
import { PasswordWork } from '#kernel/crypto/password-work.js';
import { until } from '../support/until.js';

const TASK: PasswordTask = { does: 'hash', values: [] };

/** Stands in for a process: its tasks are settled by the test. */
class Process {
  readonly tasks: { resolve(result: unknown): void; reject(error: Error): void }[] = [];

  run(): Promise<unknown> {
    return new Promise((resolve, reject) => this.tasks.push({ resolve, reject }));
  }
}

const begin = (): { patient: Process; hurried: Process; work: PasswordWork } => {
  const [patient, hurried] = [new Process(), new Process()];
  return { patient, hurried, work: new PasswordWork(patient, hurried, 20) };
};

const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

describe('PasswordWork', () => {
  it('uses the low-priority process if it finishes in time', async () => {
    const { patient, hurried, work } = begin();
    const result = work.run(TASK);
    patient.tasks[0]?.resolve('done');
    expect(await result).toBe('done');
    await late();
    expect(hurried.tasks).toHaveLength(0);
  });

  it('uses the normal-priority process if no processor is idle, and keeps using it for a while', async () => {
    const { patient, hurried, work } = begin();
    const first = work.run(TASK);
    await until(() => hurried.tasks.length === 1);
    hurried.tasks[0]?.resolve('hurried');
    expect(await first).toBe('hurried');
    const second = work.run(TASK);
    hurried.tasks[1]?.resolve('again');
    expect(await second).toBe('again');
    expect(patient.tasks).toHaveLength(1);
  });

  it('uses the first result, and reports failures', async () => {
    const { patient, hurried, work } = begin();
    const first = work.run(TASK);
    await until(() => hurried.tasks.length === 1);
    patient.tasks[0]?.resolve('patient');
    expect(await first).toBe('patient');
    hurried.tasks[0]?.reject(new Error('nobody waits for this'));
    const { patient: other, work: others } = begin();
    const failing = others.run(TASK);
    other.tasks[0]?.reject(new Error('no such parameters'));
    await expect(failing).rejects.toThrow('no such parameters');
  });
});
