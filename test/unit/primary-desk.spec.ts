import { describe, expect, it } from '@jest/globals';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures, FromPrimary, QuestionName } from '#kernel/cluster/messages.js';
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
  /** Responds to the last request for its metrics. */
  show(figures: unknown[]): void {
    const asked = this.told.findLast((one) => one.does === 'collect');
    this.emit('message', { does: 'show', id: asked?.does === 'collect' ? asked.id : 0, figures });
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
    await until(() => first.told.some((one) => one.does === 'tell' && one.needed.length > 0));
    expect(second.answerTo(1)).toBeUndefined();
    first.end();
    await until(() => second.answerTo(1)?.does === 'answer');
    expect(second.told.filter((one) => one.does === 'tell')).toEqual([
      { does: 'tell', pool: 'git', needed: [[]] },
      { does: 'tell', pool: 'git', needed: [] },
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
    const slot = first.answerTo(1);
    first.emit('message', { does: 'release', slot: slot?.does === 'answer' ? slot.answer : 0 });
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
    for (const worker of [first, second]) worker.show([]);
    await until(() => first.answerTo(2) !== undefined);
    expect(first.answerTo(2)).toMatchObject({ answer: [[], [], []] });
  });

  it('does not count backwards when a process is late or ends', async () => {
    const [first, second] = open();
    /** What the second process gets when only it responds, with these figures. */
    const totals = async (id: number, figures: unknown[], others: () => void): Promise<string[]> => {
      second.ask(id, 'figures');
      second.show(figures);
      others();
      await until(() => second.answerTo(id) !== undefined);
      const answer = second.answerTo(id);
      const all = (answer?.does === 'answer' ? answer.answer : []) as Figures[];
      const text = await AggregatorRegistry.aggregate(all).metrics();
      return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    };
    const shown = await figuresOf(20, 2);
    expect(await totals(1, await figuresOf(10, 1), () => first.show(shown))).toEqual(lines(30, 3));
    // The first process is too busy to respond.
    expect(await totals(2, await figuresOf(12, 1), () => undefined)).toEqual(lines(32, 3));
    first.end();
    // What it held is gone, what it did is not.
    expect(await totals(3, await figuresOf(13, 1), () => undefined)).toEqual(lines(33, 1));
    first.show(await figuresOf(25, 9));
    expect(await totals(4, await figuresOf(14, 1), () => undefined)).toEqual(lines(34, 1));
  });
});

/** The metrics of a process with some requests done and running. */
async function figuresOf(done: number, running: number): Promise<unknown[]> {
  const registers = [new Registry()];
  new Counter({ name: 'done', help: 'x', labelNames: ['route'], registers }).inc({ route: '/' }, done);
  const seconds = new Histogram({ name: 'seconds', help: 'x', buckets: [1], registers });
  for (let count = 0; count < done; count += 1) seconds.observe(0.5);
  new Gauge({ name: 'running', help: 'x', registers }).set(running);
  return registers[0]?.getMetricsAsJSON() ?? [];
}

/** The text that shows these sums. */
const lines = (done: number, running: number): string[] => [
  `done{route="/"} ${done}`,
  `seconds_bucket{le="1"} ${done}`,
  `seconds_bucket{le="+Inf"} ${done}`,
  `seconds_sum ${done / 2}`,
  `seconds_count ${done}`,
  `running ${running}`,
];
