import type { IncomingHttpHeaders } from 'node:http';
import { isTooDeep } from '#kernel/http/bodies/json/json-shape.js';
import { countValues } from '#kernel/http/bodies/json/json-values.js';
import { OutboundFailure } from '#kernel/outbound/outbound-failure.js';
import type { OutboundHttp } from '#kernel/outbound/outbound-http.js';
import type { OutboundAnswer, OutboundRequest } from '#kernel/outbound/outbound-request.js';
import { UrlBlocked } from '#kernel/outbound/url-blocked.js';
import { retryAfterMs } from './retry-after.js';
import type { SourceQuery } from './source-api.js';
import { SourceBusy, SourceRefused } from './source-errors.js';
import type { SourceLimits } from './source-limits.js';

/** Shared context of the calls to a source. */
export interface SourceContext {
  readonly http: OutboundHttp;
  readonly limits: SourceLimits;
  /** Without a trailing slash. */
  readonly base: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** A JSON response. */
export interface JsonAnswer {
  readonly value: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Characters that a header can contain. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;
const BUSY: ReadonlySet<number> = new Set([408, 416, 429, 500, 502, 503, 504]);

/** Calls to the v4 API of a source; errors are `SourceBusy` or `SourceRefused`. */
export class SourceHttp {
  constructor(private readonly context: SourceContext) {}

  /** Makes a call with a JSON response; `path` is below `/api/v4`. */
  async json(
    method: 'GET' | 'POST',
    path: string,
    query: SourceQuery = {},
    body?: unknown,
  ): Promise<JsonAnswer> {
    const { http, limits } = this.context;
    const request = {
      ...this.request(path, query),
      method,
      timeoutMs: limits.requestMs,
      maxBytes: limits.jsonBytes,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const answer = await this.attempt(`${method} ${path}`, () => http.request(request));
    return { value: this.parse(answer.body), headers: answer.headers };
  }

  /** Makes a call with a small image as response. */
  async picture(path: string): Promise<Buffer> {
    const { http, limits } = this.context;
    const request = {
      ...this.request(path, {}),
      headers: { Accept: 'image/*' },
      timeoutMs: limits.requestMs,
      maxBytes: limits.pictureBytes,
    };
    return (await this.attempt(`GET ${path}`, () => http.request(request))).body;
  }

  /** Makes a call with a file as response. */
  async file(path: string, query: SourceQuery, file: string, withinMs: number): Promise<void> {
    const { http, limits } = this.context;
    const request = {
      ...this.request(path, query),
      timeoutMs: withinMs,
      maxBytes: limits.fileBytes,
    };
    // The file is already compressed, so do not compress the transfer.
    const headers = { Accept: '*/*', 'Accept-Encoding': 'identity' };
    await this.attempt(`GET ${path}`, () => http.download({ ...request, headers }, file));
  }

  private request(path: string, query: SourceQuery): Omit<OutboundRequest, 'timeoutMs' | 'maxBytes'> {
    const { base, token, signal, limits } = this.context;
    if (!TOKEN.test(token)) throw new SourceRefused('The access token is invalid', 401);
    const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
    return {
      url: `${base}/api/v4${path}${search}`,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      credentials: { 'PRIVATE-TOKEN': token },
      idleMs: limits.idleMs,
      signal,
    };
  }

  private async attempt(call: string, send: () => Promise<OutboundAnswer>): Promise<OutboundAnswer> {
    const { limits } = this.context;
    const answer = await send().catch((error: unknown) => {
      throw sourceError(error, limits);
    });
    const { status, headers } = answer;
    if (BUSY.has(status)) {
      const pause = retryAfterMs(headers['retry-after'], limits);
      throw new SourceBusy(`The source instance answered ${status} to ${call}`, `http_${status}`, pause);
    }
    if (status < 200 || status > 299)
      throw new SourceRefused(`The source instance answered ${status} to ${call}`, status);
    return answer;
  }

  private parse(body: Buffer): unknown {
    if (body.length === 0) return null;
    if (isTooDeep(body)) throw new SourceRefused('The response of the source instance is nested too deeply');
    const { jsonValues } = this.context.limits;
    if (body.length > jsonValues && countValues(body, jsonValues) >= jsonValues)
      throw new SourceRefused('The response of the source instance has too many values');
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      throw new SourceBusy(
        'The response of the source instance is not JSON',
        'garbled',
        this.context.limits.retryMs,
      );
    }
  }
}

/** Converts the error of a call to an error of the source. */
export function sourceError(error: unknown, limits: SourceLimits): unknown {
  if (error instanceof UrlBlocked)
    return error.isFinal
      ? new SourceRefused(error.message)
      : new SourceBusy(error.message, 'resolve', limits.retryMs);
  if (!(error instanceof OutboundFailure)) return error;
  const isLasting = error.problem === 'too-large' || error.problem === 'redirects';
  return isLasting
    ? new SourceRefused(error.message)
    : new SourceBusy(error.message, error.problem, limits.retryMs);
}
