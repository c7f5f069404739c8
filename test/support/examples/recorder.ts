import { listRoutes } from '#kernel/http/routes/route-list.js';
import type { ApiAdapter } from '#kernel/http/adapter.js';
import type { RouteIndex } from '#kernel/http/routes/route-index.js';
import type { TestApi } from '../api.js';
import { ApiClient, type Answer } from '../client.js';
import { settled } from './settled.js';

/** A response to a client, and its route. */
type Note = (method: string, path: string, answer: Answer) => void;

/** A client whose responses become examples of the API document. */
class ShownClient extends ApiClient {
  constructor(
    base: string,
    token: string | null,
    private readonly note: Note,
  ) {
    super(base, token);
  }

  override async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const answer = await super.send<T>(method, path, body, headers);
    const isWhole = /^\/(?:oauth|api|\.well-known)/.test(path);
    this.note(method, isWhole ? path : `/api/v4${path}`, answer);
    return answer;
  }
}

/** Uses the first response of each record as its example, with variable values replaced. */
export class ExampleRecorder {
  private readonly recordOf: (method: string, path: string, status: number) => string | undefined;
  private readonly examples = new Map<string, string>();
  /** Requests without success. */
  readonly refusals: string[] = [];

  constructor(private readonly api: TestApi) {
    const routes = new Map(listRoutes(api.app).map((route) => [`${route.method} ${route.path}`, route]));
    const index: RouteIndex = (api.app.getHttpAdapter() as ApiAdapter).routes;
    this.recordOf = (method, path, status) => {
      const found = index.find(method, path)?.route;
      const answer = found && routes.get(`${found.method} ${found.path}`)?.answer;
      const record = answer?.other?.status === status ? answer.other.record : answer?.record;
      return record?.name;
    };
  }

  /** A client whose responses are recorded; anonymous without a token. */
  as(token: string | null): ApiClient {
    return new ShownClient(this.api.url, token, (method, path, answer) => this.take(method, path, answer));
  }

  /** The examples so far as JSON, sorted by the names of their records. */
  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.examples].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Records the response of a complete path. */
  take(method: string, path: string, { status, text, body }: Answer): void {
    if (status < 200 || status >= 300) this.refusals.push(`${method} ${path}: ${status} ${text}`);
    if (status < 200 || status >= 300) return;
    const [bare = ''] = path.split('?', 1);
    const record = this.recordOf(method, bare, status);
    const one: unknown = Array.isArray(body) ? body[0] : body;
    if (record === undefined || typeof one !== 'object' || one === null || this.examples.has(record)) return;
    this.examples.set(record, JSON.stringify(settled(record, one)));
  }
}
