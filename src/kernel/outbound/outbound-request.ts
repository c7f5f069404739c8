import type { IncomingHttpHeaders } from 'node:http';

/** A call to a user-supplied URL. */
export interface OutboundRequest {
  readonly url: string;
  /** Default GET. Only GET follows redirects. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Headers that authenticate the caller. They are sent to the origin of `url` only, even after redirects.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything, redirects included. */
  readonly timeoutMs: number;
  /** Time without any data after which it fails; default 30 s. */
  readonly idleMs?: number;
  /** Limit of the body, both as received and after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** The response; the body is decompressed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
