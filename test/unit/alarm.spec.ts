import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Alarm } from '#kernel/queue/alarm.js';
import { until } from '../support/until.js';

/** Longer than any test takes. */
const NEVER_MS = 600_000;

describe('Alarm', () => {
  let alarm: Alarm | undefined;
  afterEach(() => alarm?.stop());

  /** Starts an alarm with these answers of the first checks; later checks return no time. */
  const started = (
    answers: readonly (number | Error)[],
    netMs = NEVER_MS,
    firstMs = 0,
  ): { looks: number[]; errors: unknown[] } => {
    const looks: number[] = [];
    const errors: unknown[] = [];
    alarm = new Alarm(
      () => {
        const answer = answers[looks.length];
        looks.push(performance.now());
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      netMs,
      (error) => errors.push(error),
    );
    alarm.start(firstMs);
    return { looks, errors };
  };

  it('checks when the last check said so, and then sleeps', async () => {
    const { looks } = started([30, 40]);
    await until(() => looks.length === 3);
    await sleep(200);
    expect(looks).toHaveLength(3);
  });

  it('polls periodically in any case', async () => {
    const { looks } = started([NEVER_MS], 50);
    await until(() => looks.length >= 4);
  });

  it('is set to an earlier time, never to a later one', async () => {
    const { looks } = started([NEVER_MS, NEVER_MS, 200]);
    await until(() => looks.length === 1);
    alarm?.ring(NEVER_MS / 2);
    alarm?.ring(40);
    alarm?.ring(NEVER_MS / 3);
    await until(() => looks.length === 2);
    alarm?.ring(0);
    await until(() => looks.length === 3);
    alarm?.ring(NEVER_MS / 2);
    await until(() => looks.length === 4);
  });

  it('misses no signal during a check', async () => {
    let release: () => void = () => undefined;
    let looks = 0;
    alarm = new Alarm(
      async () => {
        looks += 1;
        if (looks === 1) await new Promise<void>((resolve) => (release = resolve));
        return undefined;
      },
      NEVER_MS,
      () => undefined,
    );
    alarm.start(0);
    await until(() => looks === 1);
    alarm.ring(10);
    await sleep(100);
    expect(looks).toBe(1);
    release();
    await until(() => looks === 2);
  });

  it('checks again after an error, and stops checking once it is stopped', async () => {
    const { looks, errors } = started([new Error('away'), 10], 50);
    await until(() => looks.length >= 3);
    expect(errors).toHaveLength(1);
    await alarm?.stop();
    const before = looks.length;
    alarm?.ring(0);
    await sleep(150);
    expect(looks).toHaveLength(before);
  });
});
