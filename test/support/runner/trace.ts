import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { RunnerJob } from './job.js';
import type { RunnerService } from './service.js';

const MAX_PART = 1024 * 1024;
const EVERY_MS = 200;
/** Runners ask after some time of silence whether the job is still wanted. */
const ALIVE_MS = 500;

/** The trace of a job: kept, masked, and sent part by part. */
export class RunnerTrace {
  private text = Buffer.alloc(0);
  private sent = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly alive: NodeJS.Timeout;
  private sending: Promise<void> = Promise.resolve();
  private readonly secrets: readonly string[];

  constructor(
    private readonly service: RunnerService,
    private readonly job: RunnerJob,
    private readonly onAbort: () => void,
  ) {
    const masked = job.variables.filter((variable) => variable.masked).map(({ value }) => value);
    this.alive = setInterval(() => void this.ask(), ALIVE_MS);
    this.secrets = [job.token, ...masked].filter((value) => value.length > 3);
  }

  write(text: string): void {
    const masked = this.secrets.reduce((seen, secret) => seen.replaceAll(secret, '[MASKED]'), text);
    this.text = Buffer.concat([this.text, Buffer.from(masked)]);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.flush();
    }, EVERY_MS);
  }

  /** Sends the rest. */
  flush(): Promise<void> {
    this.sending = this.sending.then(() => this.send());
    return this.sending;
  }

  /** Reports the result of the job until the service accepts it. Returns whether it did. */
  async finish(body: object): Promise<boolean> {
    this.close();
    for (let attempt = 0; attempt < 50; attempt += 1) {
      await this.flush();
      const checksum = `crc32:${crc32(this.text).toString(16).padStart(8, '0')}`;
      const output = { checksum, bytesize: this.text.length };
      const { status } = await this.service.update(this.job, { ...body, checksum, output });
      if (status === 200) return true;
      if (status === 412) this.sent = 0;
      else if (status !== 202) return false;
      await sleep(100);
    }
    throw new Error(`The end of job ${this.job.id} was never taken`);
  }

  /** Stops the automatic updates. */
  close(): void {
    clearInterval(this.alive);
    if (this.timer) clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    const { isAborted } = await this.service.update(this.job, { state: 'running' });
    if (isAborted) this.onAbort();
  }

  private async send(): Promise<void> {
    while (this.sent < this.text.length) {
      const part = this.text.subarray(this.sent, this.sent + MAX_PART);
      const answer = await this.service.patch(this.job, this.sent, part);
      if (answer.isAborted) {
        this.onAbort();
        return;
      }
      if (answer.status === 202) this.sent += part.length;
      else if (answer.status === 416 && answer.range !== null) this.sent = answer.range;
      else throw new Error(`A part of the trace was answered with ${answer.status}`);
    }
  }
}
