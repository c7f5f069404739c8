import { PassThrough, type Readable } from 'node:stream';
import { HttpError } from '#kernel/http/errors.js';
import { held } from '#kernel/streams/held.js';
import { GitFailure } from './git-failure.js';
import { spawnGit } from './git.js';

/** Answers that are being streamed at a time in this process: each holds a git process for as long as its client reads. */
const MAX_STREAMS = 32;
/** A client that takes nothing for so long is gone. */
const STALLED_MS = 60_000;
/** Time until the first byte. */
const FIRST_BYTE_MS = 60_000;

let running = 0;

/**
 * What git writes, as a stream with backpressure, once its first byte is there; git ends with whoever reads it.
 * @throws GitFailure when git fails before it has written anything; 503 when too many streams run
 */
export function streamGit(
  repositoryPath: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Readable> {
  if (running >= MAX_STREAMS)
    throw new HttpError(503, { message: '503 Service Unavailable' }, { 'Retry-After': '10' });
  running += 1;
  const child = spawnGit(repositoryPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const source = child.stdout as Readable;
  const output = held(new PassThrough());
  let stderr = '';
  let hasBegun = false;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < 4096) stderr += text;
  });
  return new Promise((resolve, reject) => {
    const fail = (error: GitFailure): void => {
      if (hasBegun) output.destroy(error);
      else reject(error);
    };
    const kill = (): void => {
      child.kill('SIGKILL');
      // What nobody reads any more would keep the process from being done.
      source.destroy();
    };
    let timer = setTimeout(kill, FIRST_BYTE_MS);
    const begin = (): void => {
      if (hasBegun) return;
      hasBegun = true;
      resolve(output);
    };
    output.once('close', kill);
    source.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(kill, STALLED_MS);
      if (!output.write(chunk)) {
        source.pause();
        output.once('drain', () => source.resume());
      }
      begin();
    });
    child.once('error', (error) => fail(new GitFailure(args[0] ?? '', 'spawn', null, error.message)));
    child.once('close', (code, signal) => {
      running -= 1;
      clearTimeout(timer);
      if (code === 0) {
        output.end();
        begin();
      } else fail(new GitFailure(args[0] ?? '', signal === null ? 'exit' : 'timeout', code, stderr));
    });
  });
}
