import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of a source to one request. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values other than texts and buffers are sent as JSON. */
  readonly body?: unknown;
}

/** A request as the source received it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Returns a response, or writes it itself and returns nothing. */
export type FakeRoute = (
  request: SeenRequest,
  response: ServerResponse,
) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

/** A server of the v4 API on loopback, scripted by tests. */
export class FakeSource {
  readonly seen: SeenRequest[] = [];
  private readonly routes = new Map<string, FakeRoute>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<FakeSource> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const source = new FakeSource(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => void source.answer(request, response));
    return source;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Scripts a route, such as `GET /api/v4/version`; the path is compared undecoded. A plain response is used
   * every time.
   */
  on(route: string, answer: FakeRoute | FakeAnswer): this {
    this.routes.set(route, typeof answer === 'function' ? answer : () => answer);
    return this;
  }

  /** Scripts a route with a JSON body of status 200. */
  json(route: string, body: unknown): this {
    return this.on(route, { body });
  }

  /** Scripts a list of v4: pages of `per_page` with `X-Next-Page`. */
  list(route: string, rows: readonly unknown[]): this {
    return this.on(route, ({ query }) => {
      const size = Number(query.get('per_page') ?? 20);
      const page = Number(query.get('page') ?? 1);
      const next = page * size < rows.length ? String(page + 1) : '';
      return { headers: { 'X-Next-Page': next }, body: rows.slice((page - 1) * size, page * size) };
    });
  }

  /** Removes all routes and recorded requests. */
  reset(): void {
    this.routes.clear();
    this.seen.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', headers } = request;
    const body = Buffer.concat(chunks).toString();
    const seen = { method, path: url.pathname, query: url.searchParams, headers, body };
    this.seen.push(seen);
    const route = this.routes.get(`${method} ${url.pathname}`);
    const answer = route ? await route(seen, response) : { status: 404, body: { error: '404 Not Found' } };
    if (answer) send(response, answer);
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: FakeAnswer): void {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isRaw ? {} : { 'Content-Type': 'application/json' }), ...headers });
  response.end(body === undefined ? '' : isRaw ? body : JSON.stringify(body));
}
