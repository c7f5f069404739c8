import { PruneErrorEventsProcessor } from '#features/error-tracking/retention/prune-error-events.processor.js';
import type { TestApi } from '../api.js';
import { buildTrackedProject, type TrackedProject } from '../builders/tracked-project.js';
import { createUser } from '../builders/user.js';
import { buildMember } from '../builders/member.js';
import type { ApiClient } from '../client.js';
import { sendToIntake } from '../error-sender.js';
import { ErrorWorld } from '../error-world.js';
import { Chance } from '../hostile/chance.js';
import { until } from '../until.js';
import { drawRequest } from './draw-request.js';
import { ErrorModel, lastOf, numbersOf, shownOf, type ModelError } from './error-model.js';

const STATUSES = ['unresolved', 'resolved', 'ignored'] as const;
const SEARCHES = ['error', 'TYPE', '%', '_', 'cart', 'is full', 'number 1', 'GET', '\\', 'nowhere'];
const ORDERS = ['last_seen_at', 'first_seen', 'frequency', 'id'] as const;

interface ErrorRecord extends Readonly<Record<string, unknown>> {
  readonly id: number;
}

/** What was expected, and what came. */
export interface Compared {
  readonly what: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** A project whose errors are compared with the model after each step, by a seed. */
export class ErrorWalk {
  readonly model = new ErrorModel();
  readonly compared: Compared[] = [];
  private readonly world: ErrorWorld;
  private readonly closed = new Set<number>();
  private turn = 0;

  private constructor(
    private readonly api: TestApi,
    private readonly project: TrackedProject,
    private readonly developer: ApiClient,
    private readonly chance: Chance,
  ) {
    this.world = new ErrorWorld(api);
  }

  static async start(api: TestApi, seed: number): Promise<ErrorWalk> {
    const project = await buildTrackedProject(api.root);
    const { id, client } = await createUser(api);
    await buildMember(api, `projects/${project.id}`, id, 30);
    return new ErrorWalk(api, project, client, new Chance(seed));
  }

  private get path(): string {
    return `/projects/${this.project.id}/error_tracking`;
  }

  private hold(what: string, found: unknown, expected: unknown): void {
    this.compared.push({ what, expected, found });
  }

  /** Some requests, then perhaps a change of statuses before they are grouped, then perhaps an old age. */
  async step(): Promise<void> {
    const { chance } = this;
    for (let count = chance.below(4); count > 0; count -= 1) await this.send();
    if (chance.oneIn(2)) await this.change();
    if (chance.oneIn(2)) await this.world.group(1 + chance.below(5));
    await this.settle();
    if (chance.oneIn(6)) await this.grow();
  }

  private async send(): Promise<void> {
    const { key, id } = this.project;
    const dsn = `http://${key}@forgeplane.test/api/v4/error_tracking/collector/${id}`;
    const drawn = drawRequest(this.chance, key, dsn, this.model.knownIds);
    const answer = await sendToIntake(this.api.url, this.project, drawn.body, drawn.sending);
    const isRefused = drawn.events.length === 0 && drawn.isBroken;
    this.hold('the answer of the intake', answer.status, isRefused ? 400 : 200);
    if (isRefused || answer.status !== 200) return;
    this.turn += 1;
    let { spare } = drawn;
    const given: string[] = [];
    for (const { told } of drawn.events) {
      const own = told.id ?? spare;
      if (told.id === null) spare = null;
      if (own !== null) given.push(own);
      else given.push(given.length === 0 ? String(answer.body.id) : '');
    }
    this.hold('the id of the answer', answer.body.id, given[0] ?? drawn.spare ?? undefined);
    const isUnknown = given.includes('');
    const stored = isUnknown ? await this.idsByMark() : new Map<string, string>();
    drawn.events.forEach(({ told }, index) => {
      const eventId = given[index] || stored.get(told.mark);
      if (eventId) this.model.accept(eventId, told, this.turn);
      this.hold('an event without an id', eventId !== undefined, true);
    });
  }

  /** The ids that the service gave, by the marks of events. */
  private async idsByMark(): Promise<Map<string, string>> {
    const rows = await this.api.sql<{ id: string; payload: string }>(
      `select replace(event_id::text, '-', '') as id, payload from error_tracking_events where project_id = $1`,
      [this.project.id],
    );
    return new Map(
      rows.map(({ id, payload }) => [(JSON.parse(payload) as { tags: { mark: string } }).tags.mark, id]),
    );
  }

  private async change(): Promise<void> {
    const { errors } = this.model;
    if (errors.length === 0) return;
    const error = this.chance.of(errors);
    const status = this.chance.of(STATUSES.filter((one) => one !== error.status));
    // What waits may reopen it meanwhile, and may have been grouped already.
    if (this.model.fresh.some(({ key }) => key === error.key) && error.status === 'resolved') return;
    const answer = await this.developer.put<ErrorRecord>(`${this.path}/errors/${error.id}`, { status });
    this.hold('a change of status', [answer.status, answer.body['status']], [200, status]);
    error.status = status;
    if (status === 'resolved') this.closed.add(error.id);
  }

  /** Waits until everything is grouped, and gives it to the errors of the model. */
  private async settle(): Promise<void> {
    await this.world.drain();
    await until(async () => (await this.world.waiting(this.project.id)) === 0);
    for (const event of this.model.fresh) {
      const { body, status } = await this.developer.get<{ error_id: number; occurred_at: string }>(
        `${this.path}/events/${event.id}`,
      );
      this.hold('an event', status, 200);
      event.time = Date.parse(body.occurred_at);
      if (event.at !== null) this.hold('the time of an event', event.time, event.at);
      event.errorId = body.error_id;
    }
    const ids = new Map(this.model.errors.map(({ key, id }) => [key, id]));
    for (const { key, errorId } of this.model.fresh) ids.set(key, ids.get(key) ?? errorId);
    this.hold(
      'the errors of events',
      this.model.fresh.map(({ key, errorId }) => [key, errorId]),
      this.model.fresh.map(({ key }) => [key, ids.get(key)]),
    );
    this.hold('errors with several causes', new Set(ids.values()).size, ids.size);
    this.model.settle(this.closed);
    this.closed.clear();
  }

  /** Lets some events be received 91 days ago, and removes what is that old. */
  private async grow(): Promise<void> {
    const old = this.chance.some(this.model.events.filter(({ isGone }) => !isGone));
    await this.api.sql(
      `update error_tracking_events set received_at = now() - interval '91 days'
       where project_id = $1 and replace(event_id::text, '-', '') = any($2::text[])`,
      [this.project.id, old.map(({ id }) => id)],
    );
    await this.api.app
      .get(PruneErrorEventsProcessor, { strict: false })
      .process({}, { signal: new AbortController().signal } as never);
    this.model.age(old);
  }

  /** Compares random lists, and each error of them. */
  async ask(): Promise<void> {
    const { chance, model } = this;
    const [status, order, sort] = [chance.of(STATUSES), chance.of(ORDERS), chance.of(['asc', 'desc'])];
    const search = chance.oneIn(3) ? chance.of(SEARCHES) : null;
    const own = model.errors.filter(
      (error) => error.status === status && (search === null || tells(error, search)),
    );
    const query = new URLSearchParams({ status, order_by: order, sort, per_page: '100' });
    if (search !== null) query.set('search', search);
    const { headers, body } = await this.developer.get<ErrorRecord[]>(
      `${this.path}/errors?${query.toString()}`,
    );
    this.hold(`${query.toString()}: total`, headers.get('x-total'), String(own.length));
    const byId = new Map(body.map((record) => [record.id, record]));
    for (const error of own) this.compare(error, byId.get(error.id));
    this.hold(
      query.toString(),
      body.map(({ id }) => id),
      own.sort(byOrder(order, sort)).map(({ id }) => id),
    );
    if (body.length > 2) await this.page(query, body);
    if (own.length > 0) await this.listEvents(chance.of(own));
  }

  private compare(error: ModelError, found: ErrorRecord | undefined): void {
    const possible = lastOf(error).map((event) => ({
      ...shownOf(event),
      ...numbersOf(error),
      status: error.status,
      id: undefined,
    }));
    const record = { ...found, id: undefined };
    const same = possible.find((one) => equal(one, record));
    this.hold(`error ${error.id}`, record, same ? record : possible[0]);
  }

  /** The same list in pages, by number or by key. */
  private async page(query: URLSearchParams, whole: readonly ErrorRecord[]): Promise<void> {
    query.set('per_page', '2');
    if (query.get('order_by') === 'id') query.set('pagination', 'keyset');
    const ids: number[] = [];
    let next: string | null = `${this.path}/errors?${query.toString()}`;
    while (next !== null) {
      const { headers, body }: Awaited<ReturnType<typeof this.developer.get<ErrorRecord[]>>> =
        await this.developer.get<ErrorRecord[]>(next);
      ids.push(...body.map(({ id }) => id));
      const link: string | undefined = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(
        headers.get('link') ?? '',
      )?.[1];
      next = link ?? null;
    }
    this.hold(
      `pages of ${query.toString()}`,
      ids,
      whole.map(({ id }) => id),
    );
  }

  private async listEvents(error: ModelError): Promise<void> {
    const { body } = await this.developer.get<{ event_id: string }[]>(
      `${this.path}/errors/${error.id}/events?per_page=100&sort=asc`,
    );
    const kept = error.events.filter(({ isGone }) => !isGone);
    const turns = body.map(({ event_id: id }) => kept.find((event) => event.id === id)?.turn);
    this.hold(
      `events of error ${error.id}`,
      turns,
      kept.map(({ turn }) => turn),
    );
    const hours = await this.api.sql<{ total: number }>(
      'select sum(events_count)::int as total from error_tracking_hours where error_id = $1',
      [error.id],
    );
    this.hold(`hours of error ${error.id}`, hours[0]?.total, error.events.length);
  }
}

const equal = (one: object, other: object): boolean =>
  Object.entries(one).every(([name, value]) => (other as Record<string, unknown>)[name] === value);

const tells = (error: ModelError, search: string): boolean =>
  lastOf(error).some(({ name, description, actor }) =>
    [name, description, actor].some((text) => text?.toLowerCase().includes(search.toLowerCase())),
  );

function byOrder(order: (typeof ORDERS)[number], sort: string): (a: ModelError, b: ModelError) => number {
  const value = ({ events, id }: ModelError): number => {
    if (order === 'id') return id;
    if (order === 'frequency') return events.length;
    const times = events.map(({ time }) => time);
    return order === 'first_seen' ? Math.min(...times) : Math.max(...times);
  };
  const sign = sort === 'asc' ? 1 : -1;
  return (a, b) => sign * (value(a) - value(b) || a.id - b.id);
}
