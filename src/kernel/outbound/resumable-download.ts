import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { OutboundFailure } from './outbound-failure.js';
import type { OutboundRequest } from './outbound-request.js';
import { readBody } from './read-body.js';

/** Only a strong ETag guarantees that every byte is the same. */
const STRONG_ETAG = /^"[\x21\x23-\x7e]{1,512}"$/;

/** File next to a partial download with the ETag of the whole; without it the part is useless. */
export const validatorOf = (file: string): string => `${file}.etag`;

/** What has been downloaded of a file. */
interface Part {
  readonly bytes: number;
  readonly etag: string;
}

/**
 * Writes the body of a response to a file, continuing a partial download of a previous attempt. After a
 * failure the part is kept if it can be continued.
 */
export class ResumableDownload {
  private constructor(
    private readonly file: string,
    private readonly part: Part | null,
  ) {}

  static async of(file: string): Promise<ResumableDownload> {
    const [found, etag] = await Promise.all([
      stat(file).catch(() => null),
      readFile(validatorOf(file), 'utf8').catch(() => null),
    ]);
    const isPart = found !== null && found.size > 0 && etag !== null && STRONG_ETAG.test(etag);
    return new ResumableDownload(file, isPart ? { bytes: found.size, etag } : null);
  }

  /** Headers to send with the request. */
  get headers(): Readonly<Record<string, string>> {
    return this.part ? { Range: `bytes=${this.part.bytes}-`, 'If-Range': this.part.etag } : {};
  }

  /**
   * Writes the body of a 2xx response. @throws the errors of `readBody`; OutboundFailure for a range that was
   * not requested
   */
  async take(
    answer: IncomingMessage,
    { maxBytes }: Pick<OutboundRequest, 'maxBytes'>,
    signal: AbortSignal,
  ): Promise<void> {
    const from = await this.begin(answer);
    try {
      const sink = createWriteStream(this.file, { flags: from > 0 ? 'a' : 'w' });
      await readBody(answer, sink, maxBytes - from, signal);
      await rm(validatorOf(this.file), { force: true });
    } catch (error) {
      const isLasting = error instanceof OutboundFailure && error.problem === 'too-large';
      if (isLasting || (await ResumableDownload.of(this.file)).part === null) await this.forget();
      throw error;
    }
  }

  /** Deletes the partial download. */
  async forget(): Promise<void> {
    await Promise.all([this.file, validatorOf(this.file)].map((path) => rm(path, { force: true })));
  }

  /** Returns the offset of the body within the file. */
  private async begin(answer: IncomingMessage): Promise<number> {
    const { etag = '', 'content-range': range, 'content-encoding': encoding } = answer.headers;
    if (answer.statusCode === 206) {
      const start = Number(/^bytes (\d{1,15})-/.exec(range ?? '')?.[1] ?? Number.NaN);
      if (this.part && start === this.part.bytes && etag === this.part.etag && !encoding) return start;
      answer.destroy();
      await this.forget();
      throw new OutboundFailure('garbled', 'The response is not the requested range');
    }
    await this.forget();
    if (STRONG_ETAG.test(etag) && (encoding ?? 'identity') === 'identity')
      await writeFile(validatorOf(this.file), etag);
    return 0;
  }
}
