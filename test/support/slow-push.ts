import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { basicHeader, pushBody } from './git-http.js';
import type { Member } from './installation.js';
import type { MovingInstallation } from './moving-installation.js';
import { ROOT_TOKEN } from './processes.js';
import { until } from './until.js';

/** Often enough not to be considered stalled. */
const DRIP_MS = 2_000;
const DRIP_BYTES = 1_024;

/** A push whose client has sent half of it, and sends a little from time to time. */
export class SlowPush {
  private readonly drip = setInterval(() => {
    if (this.rest.length <= DRIP_BYTES) return;
    this.sending.write(this.rest.subarray(0, DRIP_BYTES));
    this.rest = this.rest.subarray(DRIP_BYTES);
  }, DRIP_MS);
  private readonly answer: Promise<{ status: number; text: string }>;

  private constructor(
    private readonly sending: ClientRequest,
    private rest: Buffer,
  ) {
    sending.on('error', () => this.stop());
    this.answer = once(sending, 'response').then(async (response: unknown[]) => {
      const message = response[0] as IncomingMessage;
      return { status: message.statusCode ?? 0, text: await text(message) };
    });
    // A caller may intentionally not wait for it.
    this.answer.catch(() => undefined);
  }

  /** Begins a push of `main` to a ref of a project; it is announced when this resolves. */
  static async begin(
    moving: MovingInstallation,
    member: Member,
    path: string,
    ref: string,
  ): Promise<SlowPush> {
    const pushes = 'select count(*) from running_pushes';
    const before = await moving.installation.count(pushes);
    const body = pushBody(moving.work, ref, await moving.work.git('rev-parse', 'main'));
    const sending = request(`${member.url}/root/${path}.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-git-receive-pack-request',
        ...basicHeader(['root', ROOT_TOKEN]),
      },
    });
    const half = body.length >> 1;
    const push = new SlowPush(sending, body.subarray(half));
    sending.write(body.subarray(0, half));
    await until(async () => (await moving.installation.count(pushes)) > before);
    return push;
  }

  /** Sends the rest, and returns the response of the service. */
  async finish(): Promise<{ status: number; text: string }> {
    this.send();
    return this.answer;
  }

  /** Sends the rest, and does not wait. */
  send(): void {
    this.stop();
    this.sending.end(this.rest);
  }

  private stop(): void {
    clearInterval(this.drip);
  }
}
