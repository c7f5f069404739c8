import { exchange } from './exchange.js';
import type { StatusWatch } from './status-watch.js';

/** One response, with the body parsed if it is JSON. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

/** A plain HTTP client of the API: paths are relative to /api/v4 unless they start with `/-/`, `/oauth`, `/uploads/-` or `/.well-known`. */
export class ApiClient {
  constructor(
    private readonly base: string,
    private readonly token: string | null,
    private readonly watch?: StatusWatch,
  ) {}

  get<T = Record<string, unknown>>(path: string, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.send<T>('GET', path, undefined, headers);
  }

  post<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    return this.send<T>('POST', path, body, headers);
  }

  put<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    return this.send<T>('PUT', path, body, headers);
  }

  delete<T = Record<string, unknown>>(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    return this.send<T>('DELETE', path, undefined, headers);
  }

  /** Sends any method; a body that is not a text is sent as JSON. */
  async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const isOutside = /^\/(-\/|oauth|api|uploads\/-|\.well-known)/.test(path);
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain;charset=UTF-8' : 'application/json';
    const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    const answer = await exchange(`${this.base}${isOutside ? '' : '/api/v4'}${path}`, {
      method,
      headers: {
        ...(this.token === null ? {} : { 'PRIVATE-TOKEN': this.token }),
        ...(content === undefined || isTyped ? {} : { 'Content-Type': type }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    if (answer.status === 401 && !answer.headers.has('www-authenticate'))
      throw new Error(`${method} ${path}: 401 without WWW-Authenticate`);
    this.watch?.assertDocumented();
    return { ...answer, body: parse(answer.text) as T };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
