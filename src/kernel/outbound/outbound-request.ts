import type { IncomingHttpHeaders } from 'node:http';

/** A call to a URL that somebody has given. */
export interface OutboundRequest {
  readonly url: string;
  /** Default GET. Only GET follows redirects. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that prove who calls: they go to the origin of `url` alone, whatever that redirects to. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything, redirects included. */
  readonly timeoutMs: number;
  /** Without a byte for so long it has failed; default 30 s. */
  readonly idleMs?: number;
  /** Of the body as it comes, and as it is when it has been decompressed. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** What has been answered; the body is decompressed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
