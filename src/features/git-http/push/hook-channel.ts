import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Judges the changes of a push: null accepts it, a text rejects it as a whole. */
export type Judge = (lines: readonly string[]) => Promise<string | null>;

/** Removes line ends and other control characters, which would have a meaning for readers. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

/**
 * Communicates with the `pre-receive` hook of a push: it asks on descriptor 3 of git's process and reads the
 * verdict on 4.
 */
export class HookChannel {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private lines: string[] = [];

  constructor(
    private readonly from: Readable,
    private readonly to: Writable,
    private readonly judge: Judge,
  ) {}

  /** Answers until git has ended. */
  open(): void {
    this.to.on('error', () => undefined);
    this.from.on('error', () => undefined);
    this.from.on('data', (chunk: Buffer) => this.take(this.decoder.write(chunk)));
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== 'end') {
        this.lines.push(line);
        continue;
      }
      const [question, ...told] = this.lines;
      this.lines = [];
      if (question === 'pre-receive') void this.answer(told);
    }
  }

  private async answer(told: readonly string[]): Promise<void> {
    const refusal = await this.judge(told);
    this.to.write(refusal === null ? 'ok\n' : `no ${oneLine(refusal)}\n`);
  }
}
