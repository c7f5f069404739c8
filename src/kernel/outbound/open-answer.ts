import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { inSpan } from '#kernel/log/request-context.js';
import { OutboundFailure, outboundFailure } from './outbound-failure.js';
import type { CheckedUrl } from './outbound-urls.js';

/** One call, without redirects. */
export interface Call {
  readonly target: CheckedUrl;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

const KEPT = { keepAlive: true, maxFreeSockets: 8, timeout: 5_000 } as const;
const AGENTS = { 'http:': new HttpAgent(KEPT), 'https:': new HttpsAgent(KEPT) } as const;

/** Does not resolve the name again: even if DNS has changed, only checked addresses are connected to. */
const pinned =
  ({ addresses }: CheckedUrl): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family ?? 4);
  };

/**
 * Sends a call and returns the response once its headers have arrived. @throws OutboundFailure, or the reason
 * of the signal
 */
export function openAnswer(call: Call): Promise<IncomingMessage> {
  const attributes = { 'http.request.method': call.method, 'server.address': call.target.host };
  return inSpan(call.method, 'client', attributes, async () => {
    try {
      return await send(call);
    } catch (error) {
      // The peer may have closed a kept-alive connection just then, without having seen anything of this
      // call.
      if (!(error instanceof StaleConnection) || call.method !== 'GET') throw error;
      return send(call);
    }
  });
}

class StaleConnection extends OutboundFailure {
  constructor() {
    super('connection', 'Connection reset');
  }
}

function send(call: Call): Promise<IncomingMessage> {
  const { target, method, headers, body, idleMs, signal } = call;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const isSecure = target.url.protocol === 'https:';
    const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)({
      method,
      host: target.host,
      port: target.port,
      path: `${target.url.pathname}${target.url.search}`,
      headers:
        body === undefined ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      agent: AGENTS[isSecure ? 'https:' : 'http:'],
      lookup: pinned(target),
    });
    const onAbort = (): void => {
      request.destroy(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    request.once('close', () => signal.removeEventListener('abort', onAbort));
    let answer: IncomingMessage | undefined;
    request.setTimeout(idleMs, () =>
      (answer ?? request).destroy(new OutboundFailure('timeout', 'The host does not respond')),
    );
    request.once('response', (response) => {
      answer = response;
      resolve(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // More data than announced, or a broken connection: what has been read is unreliable.
      answer?.destroy(outboundFailure(error));
      if (signal.aborted) reject(signal.reason as Error);
      else if (request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
        reject(new StaleConnection());
      else reject(outboundFailure(error));
    });
    request.end(body);
  });
}
