import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveGit } from './git-backend.js';
import { V4Storage } from './v4-storage.js';
import { V4Exports, type V4Answer, type V4Tree } from './v4-exports.js';
import type { V4Version } from './v4-version.js';

/** A group or project of the server. */
export interface V4Container {
  readonly kind: 'groups' | 'projects';
  readonly record: Readonly<Record<string, unknown>> & { readonly id: number };
  readonly path: string;
  readonly tree: V4Tree;
  readonly picture?: Buffer;
  /** Relation whose first batch, if it has batches, cannot be written. */
  readonly broken?: string;
  readonly members: readonly object[];
  readonly subgroups: readonly object[];
  readonly projects: readonly object[];
  readonly snippets?: readonly object[];
}

/** Everything that one server has. */
export interface V4Content {
  readonly containers: readonly V4Container[];
  readonly users: readonly { readonly id: number }[];
  /** Folder of bare repositories, by path, and those that are disabled. */
  readonly repositories: string;
  readonly refusedRepositories: readonly string[];
}

const TOKEN = 'glpat-token-of-the-v4-server';
const said = (status: number, message: string): V4Answer => ({ status, json: { message } });
const MISSING = said(404, '404 Not Found');
const ROUTE = /^\/api\/v4\/(groups|projects)\/([^/]+)(?:\/(.+))?$/;

/** A v4 server of some version, independent of the product: REST and git, no GraphQL. */
export class V4Server {
  /** Calls that no such server has a route for. */
  readonly strays: string[] = [];
  /** Number of storage requests that contained the token of the server. */
  get leaks(): number {
    return this.storage.leaks;
  }
  /** Number of remaining member list requests that are told to wait. */
  private waits = 1;
  readonly token = TOKEN;
  private readonly exports: ReadonlyMap<V4Container, V4Exports>;

  private constructor(
    private readonly server: Server,
    private readonly storage: V4Storage,
    readonly url: string,
    private readonly version: V4Version,
    private readonly content: V4Content,
  ) {
    this.exports = new Map(
      content.containers.map((container) => {
        const isProject = container.kind === 'projects';
        return [container, new V4Exports(version, container.tree, container.broken ?? null, isProject)];
      }),
    );
  }

  /** @param contentOf creates the content of the server, once its URL is known */
  static async start(version: V4Version, contentOf: (url: string) => V4Content): Promise<V4Server> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${version.mount}`;
    const v4 = new V4Server(server, await V4Storage.start(), url, version, contentOf(url));
    server.on('request', (request, response) => void v4.answer(request, response));
    return v4;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.storage.stop();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const path = decodeURIComponent(url.pathname).slice(this.version.mount.length);
    if (!url.pathname.startsWith(`${this.version.mount}/`)) {
      response.writeHead(404).end('<html>Not here</html>');
      return;
    }
    if (/\.git\//.test(path)) {
      const { repositories: root, refusedRepositories: refused } = this.content;
      await serveGit({ root, token: TOKEN, refused }, path, request, response);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as object) : {};
    const given = request.headers['private-token'] ?? url.searchParams.get('private_token');
    const { status, json, bytes, headers } =
      given === TOKEN ? this.routed(request.method ?? 'GET', url, body) : said(401, '401 Unauthorized');
    response.writeHead(status, { ...(bytes ? {} : { 'Content-Type': 'application/json' }), ...headers });
    response.end(bytes ?? JSON.stringify(json));
  }

  private routed(method: string, url: URL, body: object): V4Answer {
    const { version } = this.version;
    const pathname = url.pathname.slice(this.version.mount.length);
    if (pathname === '/api/v4/version') return { status: 200, json: { version, revision: 'abcdef12345' } };
    if (pathname === '/api/v4/metadata' && this.version.hasMetadata)
      return {
        status: 200,
        json: { version, revision: 'abcdef12345', kas: { enabled: false }, enterprise: true },
      };
    if (pathname === '/api/v4/personal_access_tokens/self' && this.version.hasTokenSelf)
      return {
        status: 200,
        json: { id: 4, name: 'migrate', revoked: false, scopes: ['api'], user_id: 90, active: true },
      };
    const [, userId] = /^\/api\/v4\/users\/(\d+)$/.exec(pathname) ?? [];
    const user = this.content.users.find(({ id }) => id === Number(userId));
    if (userId !== undefined) return user ? { status: 200, json: user } : said(404, '404 User Not Found');
    const [, kind, key = '', rest] = ROUTE.exec(pathname) ?? [];
    const container = this.content.containers.find((one) => {
      const isNamed = decodeURIComponent(key) === one.path || key === String(one.record.id);
      return one.kind === kind && isNamed;
    });
    const answer = container ? this.ofContainer(method, container, rest ?? '', url.searchParams, body) : null;
    if (answer) return answer;
    this.strays.push(`${method} ${pathname}`);
    return MISSING;
  }

  /** A file, or the URL to fetch it from. */
  private stored(answer: V4Answer | null): V4Answer | null {
    if (!answer?.bytes || !this.version.hasObjectStorage) return answer;
    return { status: 302, json: {}, headers: { Location: this.storage.put(answer.bytes) } };
  }

  /** The avatar route of projects is 404 in versions without it. */
  private pictureOf({ kind, picture }: V4Container): V4Answer {
    const hasRoute = kind === 'groups' || this.version.hasProjectAvatars;
    return picture && hasRoute ? { status: 200, json: {}, bytes: picture } : MISSING;
  }

  private ofContainer(
    method: string,
    container: V4Container,
    rest: string,
    query: URLSearchParams,
    body: object,
  ): V4Answer | null {
    const exports = this.exports.get(container);
    if (method === 'POST')
      return rest === 'export_relations'
        ? (exports?.start('batched' in body && body.batched === true) ?? null)
        : null;
    if (rest === 'export_relations/status') return exports?.status(query.get('relation')) ?? null;
    if (rest === 'export_relations/download') return this.stored(exports?.download(query) ?? null);
    if (rest === 'avatar') return this.stored(this.pictureOf(container));
    if (rest === '') return { status: 200, json: container.record };
    if (rest === 'members' && this.waits-- > 0)
      return { ...said(429, 'Too many requests'), headers: { 'Retry-After': '1' } };
    if (rest === 'members') return page(container.members, query);
    if (rest === 'subgroups') return page(container.subgroups, query);
    if (rest === 'snippets' && container.kind === 'projects') return page(container.snippets ?? [], query);
    return rest === 'projects' ? page(container.projects, query) : null;
  }
}

/** Lists have pages of at most two here, whatever is requested. */
function page(rows: readonly object[], query: URLSearchParams): V4Answer {
  const size = Math.min(2, Number(query.get('per_page') ?? 20));
  const at = Number(query.get('page') ?? 1);
  const next = at * size < rows.length ? String(at + 1) : '';
  const headers = { 'X-Page': String(at), 'X-Next-Page': next, 'X-Total': String(rows.length) };
  return { status: 200, json: rows.slice((at - 1) * size, at * size), headers };
}
