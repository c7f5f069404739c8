import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that passed the proxy. */
export interface PassedRequest {
  readonly at: number;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
}

/** Handles a request instead of forwarding it; false if it does not. */
export type Fault = (request: PassedRequest, response: ServerResponse, pass: () => void) => boolean;

/** A proxy for a source that forwards everything, unless tests manipulate it. */
export class SourceProxy {
  readonly passed: PassedRequest[] = [];
  /** The first one that accepts a request handles it. */
  faults: Fault[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<SourceProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const proxy = new SourceProxy(server, target, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => proxy.answer(request, response));
    return proxy;
  }

  /** Removes all manipulations and recorded requests. */
  heal(): void {
    this.faults = [];
    this.passed.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/' } = request;
    const seen = { at: Date.now(), method, path: url };
    this.passed.push(seen);
    const pass = (): void => this.pass(request, response);
    if (!this.faults.some((fault) => fault(seen, response, pass))) pass();
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url } = request;
    const own = { ...headers, host: new URL(this.target).host };
    const onward = send(`${this.target}${url}`, { method, headers: own }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }
}
