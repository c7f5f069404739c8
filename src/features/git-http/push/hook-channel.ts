import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** What our hooks ask. The answers are lines, which must not hold line breaks of their own. */
export interface HookQuestions {
  /** `pre-receive`: null lets the push through, a text refuses all of it. */
  readonly onProposed: (lines: readonly string[]) => Promise<string | null>;
  /** `post-receive`: lines for the user. */
  readonly onChanged: (lines: readonly string[]) => Promise<readonly string[]>;
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

/** Speaks with the hooks of one push: they ask on descriptor 3 of git's process and hear the answer on 4. */
export class HookChannel {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private lines: string[] = [];

  constructor(
    private readonly from: Readable,
    private readonly to: Writable,
    private readonly questions: HookQuestions,
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
      const [question = '', ...told] = this.lines;
      this.lines = [];
      void this.answer(question, told);
    }
  }

  private async answer(question: string, told: readonly string[]): Promise<void> {
    if (question === 'pre-receive') {
      const refusal = await this.questions.onProposed(told);
      this.to.write(refusal === null ? 'ok\n' : `no ${oneLine(refusal)}\n`);
    } else if (question === 'post-receive') {
      const words = await this.questions.onChanged(told);
      // A dot alone ends them.
      this.to.write([...words.map(oneLine).filter((line) => line !== '.'), '.', ''].join('\n'));
    }
  }
}
