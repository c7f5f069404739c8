import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Pieces } from '#kernel/streams/pieces.js';
import { untilAborted } from '#kernel/time/until-aborted.js';
import { openAnswer } from './open-answer.js';
import { OutboundFailure } from './outbound-failure.js';
import type { OutboundAnswer, OutboundRequest } from './outbound-request.js';
import { OutboundUrls, type CheckedUrl } from './outbound-urls.js';
import { readBody } from './read-body.js';
import { ResumableDownload } from './resumable-download.js';

const MAX_REDIRECTS = 2;
const IDLE_MS = 30_000;
const RANGE_REFUSED = 416;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Limit of a response that is not the requested file. */
const MAX_PROBLEM_BYTES = 64 * 1024;

/** Calls user-supplied URLs: checked addresses only, with limits of time and size. */
@Injectable()
export class OutboundHttp {
  constructor(private readonly urls: OutboundUrls) {}

  /**
   * Returns the whole response, with any status. @throws UrlBlocked, OutboundFailure, or the reason of
   * the signal
   */
  async request(request: OutboundRequest): Promise<OutboundAnswer> {
    return within(request, async (signal) =>
      collect(await this.open(request, signal), request.maxBytes, signal),
    );
  }

  /**
   * The same with the body of a 2xx response in `file` (and an empty one in the result). After a failure
   * there is no file, or a part of it with which the next call for the same file continues.
   */
  async download(request: OutboundRequest, file: string): Promise<OutboundAnswer> {
    return within(request, async (signal) => {
      const download = await ResumableDownload.of(file);
      const answer = await this.open(
        { ...request, headers: { ...request.headers, ...download.headers } },
        signal,
      );
      const { statusCode: status = 0, headers } = answer;
      if (status === RANGE_REFUSED) await download.forget();
      if (status < 200 || status > 299) return collect(answer, MAX_PROBLEM_BYTES, signal);
      await download.take(answer, request, signal);
      return { status, headers, body: Buffer.alloc(0) };
    });
  }

  private async open(request: OutboundRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { method = 'GET', body, idleMs = IDLE_MS } = request;
    let target = await this.check(request.url, signal);
    const { origin } = target.url;
    for (let redirects = 0; ; redirects += 1) {
      const headers = {
        'User-Agent': 'Forgeplane',
        'Accept-Encoding': 'gzip',
        ...request.headers,
        ...(target.url.origin === origin ? request.credentials : {}),
      };
      const answer = await openAnswer({ target, method, headers, body, idleMs, signal });
      const next = method === 'GET' ? redirectOf(answer, target) : null;
      if (next === null) return answer;
      answer.destroy();
      if (redirects === MAX_REDIRECTS) throw new OutboundFailure('redirects', 'Too many redirects');
      target = await this.check(next, signal);
    }
  }

  /** DNS lookups cannot be aborted, so this stops waiting for them. */
  private check(url: string, signal: AbortSignal): Promise<CheckedUrl> {
    return untilAborted(signal, this.urls.check(url));
  }
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, { url }: CheckedUrl): string | null {
  const { location } = headers;
  if (!REDIRECTS.has(statusCode) || location === undefined) return null;
  // Anything but a URL is rejected by the check.
  return URL.canParse(location, url.href) ? new URL(location, url.href).href : location;
}

async function collect(
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const pieces = new Pieces();
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      pieces.add(chunk);
      done();
    },
  });
  await readBody(answer, sink, maxBytes, signal);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: pieces.take() };
}

/** Runs `work` with a signal that is aborted when the time is up or the caller aborts. */
async function within<T>(
  { timeoutMs, signal }: Pick<OutboundRequest, 'timeoutMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const both = new AbortController();
  const timer = setTimeout(
    () => both.abort(new OutboundFailure('late', 'The response takes too long')),
    timeoutMs,
  );
  const onAbort = (): void => both.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(both.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
