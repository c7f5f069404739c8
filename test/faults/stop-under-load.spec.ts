import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';
import { until } from '../support/until.js';

const LANES = 20;

/** Status of a response, `refused` if there was no connection, or the error of the request. */
type Outcome = number | string;

describe('a process that gets SIGTERM under load', () => {
  let installation: Installation;
  let product: Member;
  beforeEach(async () => {
    installation = await Installation.create();
    product = await installation.start('all');
  });
  afterEach(() => installation.close());

  it('finishes accepted requests, resets no connection, and exits with 0', async () => {
    const outcomes: Outcome[] = [];
    let last = 0;
    const lane = async (number: number): Promise<void> => {
      // One connection per lane, kept alive, as behind a proxy.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let round = 0; ; round += 1) {
        const write = (number + round) % 3 === 0;
        const outcome = await send(product.url, agent, write ? `lane-${number}-${round}` : undefined);
        outcomes.push(outcome);
        last = Date.now();
        if (outcome === 'refused') break;
      }
      agent.destroy();
    };
    const lanes = Array.from({ length: LANES }, (_, number) => lane(number));
    await until(() => outcomes.length > 200, 30_000);
    const begun = Date.now();
    const code = await product.stop();
    expect(code).toBe(0);
    expect(Date.now() - begun).toBeLessThan(25_000);
    await Promise.all(lanes);
    expect(last).toBeGreaterThanOrEqual(begun);
    expect([...new Set(outcomes)].sort()).toEqual([200, 201, 'refused']);
    // No work was done without a response.
    const created = outcomes.filter((outcome) => outcome === 201).length;
    expect(await installation.count('select count(*) from projects')).toBe(created);
  });

  it('is immediately not ready, finishes a long request, and ends at a second signal', async () => {
    const release = await installation.hold('select 1 from users where id = 1 for update');
    const slow = product.client.put('/users/1', { bio: 'late' });
    await untilHeldUp();
    process.kill(product.pid, 'SIGTERM');
    await sleep(100);
    const ready = await product.client.get('/-/readiness').catch(() => undefined);
    expect(ready?.status ?? 'refused').not.toBe(200);
    await sleep(1_000);
    await release();
    expect((await slow).status).toBe(200);
    expect(await product.ended).toBe(0);
    const other = await installation.start('all');
    const hold = await installation.hold('select 1 from users where id = 1 for update');
    other.client.put('/users/1', { bio: 'never' }).catch(() => undefined);
    await untilHeldUp();
    process.kill(other.pid, 'SIGTERM');
    await sleep(1_300);
    process.kill(other.pid, 'SIGTERM');
    expect(await other.ended).toBe(1);
    await hold();
  });

  /** Waits until a request waits for the lock of the test. */
  async function untilHeldUp(): Promise<void> {
    const waiting = `select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and wait_event_type = 'Lock'`;
    await until(async () => (await installation.count(waiting)) > 0);
  }
});

function send(url: string, agent: Agent, create: string | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    const body = create === undefined ? undefined : JSON.stringify({ name: create });
    const sent = request(
      `${url}/api/v4/projects`,
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'PRIVATE-TOKEN': ROOT_TOKEN,
          ...(body === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
        },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', (error) => resolve(`answer cut: ${error.message}`));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A new connection that was not accepted when the listening socket closed is reset by the kernel.
      const isRefused = error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && !sent.reusedSocket);
      resolve(isRefused ? 'refused' : error.message);
    });
    sent.end(body);
  });
}
