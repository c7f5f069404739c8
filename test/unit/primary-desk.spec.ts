import { describe, expect, it } from '@jest/globals';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { FromPrimary, QuestionName } from '#kernel/cluster/messages.js';
import { PrimaryDesk } from '#kernel/cluster/primary-desk.js';
import { until } from '../support/until.js';

/** A process as the primary process sees it, without a real one. */
class FakeWorker extends EventEmitter {
  readonly told: FromPrimary[] = [];
  private isGone = false;
  constructor(readonly id: number) {
    super();
  }
  isConnected = (): boolean => !this.isGone;
  isDead = (): boolean => this.isGone;
  send(message: FromPrimary): void {
    this.told.push(message);
  }
  ask(id: number, name: QuestionName, ...asked: unknown[]): void {
    this.emit('message', { does: 'ask', id, name, asked });
  }
  end(): void {
    this.isGone = true;
    this.emit('exit');
  }
  answerTo(id: number): FromPrimary | undefined {
    return this.told.find((one) => 'id' in one && one.id === id && one.does !== 'collect');
  }
}

const LIMITS = { width: 1, share: 1, waiting: 2, waitMs: 60_000 };

function open(): [FakeWorker, FakeWorker] {
  const workers: [FakeWorker, FakeWorker] = [new FakeWorker(1), new FakeWorker(2)];
  const desk = new PrimaryDesk(() => workers as unknown as Worker[]);
  for (const worker of workers) desk.serve(worker as unknown as Worker, () => undefined);
  return workers;
}

describe('state shared by the processes of a machine', () => {
  it('distributes the slots of a pool, and takes back those of an ended process', async () => {
    const [first, second] = open();
    first.ask(1, 'take', 'git', LIMITS, { holders: ['a'] });
    await until(() => first.answerTo(1)?.does === 'answer');
    second.ask(1, 'take', 'git', LIMITS, { holders: ['b'] });
    await until(() => first.told.some((one) => one.does === 'tell' && one.isWaitedFor));
    expect(second.answerTo(1)).toBeUndefined();
    first.end();
    await until(() => second.answerTo(1)?.does === 'answer');
    expect(second.told.filter((one) => one.does === 'tell')).toEqual([
      { does: 'tell', pool: 'git', isWaitedFor: true },
      { does: 'tell', pool: 'git', isWaitedFor: false },
    ]);
  });

  it('refuses like a pool of one process, and forgets canceled requests', async () => {
    const [first, second] = open();
    first.ask(1, 'take', 'git', LIMITS, { holders: ['a'] });
    second.ask(2, 'take', 'git', LIMITS, { holders: ['b'] });
    second.ask(3, 'take', 'git', LIMITS, { holders: ['b'] });
    await until(() => second.answerTo(3)?.does === 'refuse');
    expect(second.answerTo(3)).toMatchObject({
      refusal: { busy: { reason: 'full', retryAfterSeconds: 10 } },
    });
    second.emit('message', { does: 'cancel', id: 2 });
    await until(() => second.answerTo(2)?.does === 'refuse');
    const place = first.answerTo(1);
    first.emit('message', { does: 'release', place: place?.does === 'answer' ? place.answer : 0 });
    second.ask(4, 'take', 'git', LIMITS, { holders: ['b'] });
    await until(() => second.answerTo(4)?.does === 'answer');
  });

  it('counts rate-limit windows together, and collects the metrics of the running processes', async () => {
    const [first, second] = open();
    first.ask(1, 'hit', 'key', 60_000, 1);
    second.ask(1, 'hit', 'key', 60_000, 2);
    await until(() => second.answerTo(1) !== undefined);
    expect(second.answerTo(1)).toMatchObject({ answer: { count: 3 } });
    first.ask(2, 'figures');
    for (const worker of [first, second]) {
      const asked = worker.told.find((one) => one.does === 'collect');
      worker.emit('message', { does: 'show', id: asked?.does === 'collect' ? asked.id : 0, figures: [] });
    }
    await until(() => first.answerTo(2) !== undefined);
    expect(first.answerTo(2)).toMatchObject({ answer: [[], []] });
  });
});
