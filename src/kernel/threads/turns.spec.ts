import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

const LIMITS = { width: 2, own: 1, waiting: 3, ownWaiting: 2, patienceMs: 60_000 };
const by = (owner: string, isPatient = false): { owner: string; isPatient: boolean } => ({
  owner,
  isPatient,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('are fair: much work of one user does not delay others', async () => {
    const turns = new Turns(LIMITS);
    const order: string[] = [];
    const end = await turns.take(by('a'));
    const ends = new Map<string, () => void>();
    const wait = (name: string, owner: string): void =>
      void turns.take(by(owner)).then((over) => (order.push(name), ends.set(name, over)));
    wait('a2', 'a');
    wait('a3', 'a');
    wait('b1', 'b');
    wait('c1', 'c');
    await settled();
    expect(order).toEqual(['b1']);
    end();
    await settled();
    expect(order).toEqual(['b1', 'a2']);
    ends.get('b1')?.();
    ends.get('b1')?.();
    await settled();
    expect(order).toEqual(['b1', 'a2', 'c1']);
    ends.get('a2')?.();
    ends.get('c1')?.();
    await settled();
    expect(order).toEqual(['b1', 'a2', 'c1', 'a3']);
    ends.get('a3')?.();
  });

  it('are refused if too many wait, per user or in total; jobs always wait', async () => {
    const turns = new Turns(LIMITS);
    const ends = [await turns.take(by('a')), await turns.take(by('b'))];
    const waiting = [turns.take(by('a')), turns.take(by('a')), turns.take(by('b'))];
    await expect(turns.take(by('a'))).rejects.toMatchObject({
      status: 429,
      headers: { 'RateLimit-Limit': '3', 'RateLimit-Remaining': '0', 'Retry-After': '5' },
    });
    await expect(turns.take(by('c'))).rejects.toMatchObject({ status: 503 });
    waiting.push(turns.take(by('a', true)), turns.take(by('c', true)));
    for (const end of ends) end();
    await Promise.all(waiting.map(async (turn) => (await turn)()));
  });

  it('are given up by clients that disconnect, and after a while', async () => {
    const turns = new Turns({ ...LIMITS, width: 1, patienceMs: 20 });
    const end = await turns.take(by('a'));
    const gone = new AbortController();
    const left = turns.take({ ...by('b'), gone: gone.signal });
    gone.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(turns.take(by('b'))).rejects.toMatchObject({ status: 503 });
    end();
    (await turns.take(by('b')))();
  });
});
