import { fieldsOf, type FieldSpec } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { TestApi } from '../api.js';
import { isPage, judge, senderOf } from './judge.js';
import { accepted, endsOf, HOSTILE_SEGMENTS, HOSTILE_VALUES, sampleOf, toJson, toQuery } from './values.js';
import { countRows, HERE, partOf, restoreWorld, WALKER_COOKIE, WALKER_TOKEN } from './world.js';

/** One request of the walk. */
interface Shot {
  readonly what: string;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether nothing but a refusal can be right. */
  readonly mustFail?: boolean;
  /** Whether it names what belongs to something else. */
  readonly isForeign?: boolean;
}

const PARAMETER = /[:*](\w+)/g;
const isId = (name: string): boolean => /(^|_)i?id$/.test(name);
/** A label or license may have any of these names. */
const isName = (name: string): boolean => ['label_id', 'managed_license_id'].includes(name);
/** Requests with everything wrong at once. */
const MIXTURES = 4;
const refusedKinds = (field: FieldSpec): string[] => {
  const taken = new Set(accepted(field).map(([kind]) => kind));
  return Object.keys(HOSTILE_VALUES).filter((kind) => !taken.has(kind));
};
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Sends one route everything that it must refuse, and says what it did wrong. */
export class Walker {
  readonly problems: string[] = [];
  requests = 0;
  private turn = 0;

  constructor(private readonly api: TestApi) {}

  async walk(route: RouteDescription): Promise<void> {
    if (!isRead(route.method)) await restoreWorld(this.api);
    const segments = this.segments(route);
    const shots = isRepeated(route.path)
      ? segments.filter(({ isForeign }) => isForeign)
      : [...segments, ...this.refused(route), ...this.taken(route)];
    if (isRead(route.method)) {
      for (let index = 0; index < shots.length; index += 8)
        await Promise.all(shots.slice(index, index + 8).map((shot) => this.fire(route, shot)));
      return;
    }
    let before = await countRows(this.api);
    for (const shot of shots) {
      const status = await this.fire(route, shot);
      if (status < 400) before = await countRows(this.api);
    }
    const after = await countRows(this.api);
    if (JSON.stringify(before) !== JSON.stringify(after)) await this.findHalfWritten(route, shots);
  }

  /** Sends both ends of every number and time that a route takes, and what is just beyond, one at a time. */
  async reachEnds(route: RouteDescription): Promise<void> {
    const [base, path] = [this.base(route), this.path(route, sparing(route))];
    for (const field of this.fields(route))
      for (const value of endsOf(field)) {
        const what = `${JSON.stringify(value)} in ${field.name}`;
        await this.fire(route, { what, path, params: { ...base, [field.name]: value } });
      }
  }

  /** Asks for what is there, as everybody does. */
  async read(route: RouteDescription): Promise<void> {
    await this.fire(route, { what: 'read', path: this.path(route), params: this.base(route) });
  }

  /** Sends a request in which chance (0 to below 1) has changed parts of the path and values. */
  async mutate(route: RouteDescription, chance: () => number): Promise<void> {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)] as T;
    const values = Object.values(HOSTILE_VALUES);
    const fields = this.fields(route);
    const params: Record<string, unknown> = this.base(route);
    const hits = fields.length === 0 ? 0 : 1 + Math.floor(chance() * 3);
    for (let hit = 0; hit < hits; hit += 1) {
      const field = pick(fields);
      const plain = pick([...values, ...endsOf(field)]);
      params[field.name] = pick([plain, plain, [plain], { [field.name]: plain }, [[plain], plain]]);
    }
    const names = [...route.path.matchAll(PARAMETER)].map((match) => match[1] as string);
    const segments: Record<string, string> = { ...sparing(route) };
    if (names.length > 0 && chance() < 0.2) {
      const name = pick(names);
      segments[name] = String(pick([...HOSTILE_SEGMENTS, partOf(route.path, name)?.foreign ?? 1]));
    }
    await this.fire(route, {
      what: JSON.stringify(params).slice(0, 300),
      path: this.path(route, segments),
      params,
    });
  }

  /** Hostile parts of the path, one at a time. */
  private segments(route: RouteDescription): Shot[] {
    const params = this.base(route);
    const names = [...route.path.matchAll(PARAMETER)].map((match) => match[1] as string);
    this.turn += 1;
    return names.flatMap((name) => {
      const foreign = partOf(route.path, name)?.foreign;
      const hostile = isSubject(route, name) ? HOSTILE_SEGMENTS.filter(hasTurn(this.turn)) : HOSTILE_SEGMENTS;
      return [...hostile, ...(foreign === undefined ? [] : [String(foreign)])].map((segment) => ({
        what: `:${name}=${segment.slice(0, 40)}`,
        path: this.path(route, { [name]: segment }),
        params,
        isForeign: segment === String(foreign),
        mustFail:
          segment === String(foreign)
            ? isId(name) || senderOf(route) !== undefined
            : isId(name) && !isName(name),
      }));
    });
  }

  /** Each parameter missing, then every kind of value that the fields refuse, all fields at once. */
  private refused(route: RouteDescription): Shot[] {
    const fields = this.fields(route);
    const base = this.base(route);
    const path = this.path(route, sparing(route));
    const shots: Shot[] = fields
      .filter((field) => !field.options.optional)
      .map((field) => {
        const params = Object.fromEntries(Object.entries(base).filter(([name]) => name !== field.name));
        return { what: `without ${field.name}`, path, params, mustFail: true };
      });
    // `accepted` has asked every field about every value; a few mixtures show that the answer is told as it should be.
    const kinds = fields.map((field) => refusedKinds(field));
    for (let round = 0; round < MIXTURES && fields.length > 0; round += 1) {
      const mixture = fields.map((field, index) => {
        const own = kinds[index] ?? [];
        return [field.name, HOSTILE_VALUES[own[(index * 7 + round * 11) % own.length] ?? 'deep']] as const;
      });
      shots.push({ what: `mixture ${round}`, path, params: { ...base, ...Object.fromEntries(mixture) } });
    }
    const texts = fields.filter((field) => field.schema()['type'] === 'string');
    if (texts.length > 0 && !isRead(route.method)) {
      const long = 'x'.repeat(1_100_000);
      const params = { ...base, ...Object.fromEntries(texts.map((field) => [field.name, long])) };
      // Where the body is a file, any text is one.
      shots.push({ what: '1 MB texts', path, params, mustFail: !route.rawBody });
    }
    return shots;
  }

  /** The values that get past the fields, one at a time. */
  private taken(route: RouteDescription): Shot[] {
    const base = this.base(route);
    const path = this.path(route, sparing(route));
    const fields = this.fields(route);
    return fields.flatMap((field, index) =>
      spread(accepted(field), index, makesCommits(route) ? MANY_FIELDS : fields.length).map(
        ([kind, value]) => ({
          what: `${kind} in ${field.name}`,
          path,
          params: { ...base, [field.name]: value },
        }),
      ),
    );
  }

  private fields(route: RouteDescription): FieldSpec[] {
    if (!route.params) return [];
    const inPath = new Set([...route.path.matchAll(PARAMETER)].map((match) => match[1]));
    return fieldsOf(route.params).filter((field) => !inPath.has(field.name));
  }

  private base(route: RouteDescription): Record<string, unknown> {
    const sent = senderOf(route)?.body ?? {};
    return route.params ? { ...sampleOf(route.params, route.method === 'POST'), ...sent } : { ...sent };
  }

  private path(route: RouteDescription, segments: Readonly<Record<string, string>> = {}): string {
    return route.path.replace(PARAMETER, (_all, name: string) => segments[name] ?? valid(route, name));
  }

  private async fire(route: RouteDescription, { what, path, params, mustFail }: Shot): Promise<number> {
    this.requests += 1;
    const query = Object.entries(params)
      .map(([name, value]) => toQuery(name, value))
      .filter(Boolean)
      .join('&');
    const inQuery = isRead(route.method) && query.length < 6_000;
    const hasBody = !isRead(route.method) && Object.keys(params).length > 0;
    const response = await fetch(`${this.api.url}${path}${inQuery && query !== '' ? `?${query}` : ''}`, {
      method: route.method,
      redirect: 'manual',
      headers: {
        ...(isPage(route) ? WALKER_COOKIE : (senderOf(route)?.headers ?? { 'PRIVATE-TOKEN': WALKER_TOKEN })),
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: toJson(params, this.requests) } : {}),
      signal: AbortSignal.timeout(120_000),
    });
    const text = response.status >= 400 ? await response.text() : (await response.body?.cancel(), '');
    if (text.includes('Token was revoked')) {
      // The request before this one was taken, and ended the walker's token.
      await restoreWorld(this.api);
      return this.fire(route, { what, path, params, ...(mustFail ? { mustFail } : {}) });
    }
    const problem = judge(response, text, route, mustFail === true);
    if (problem !== null)
      this.problems.push(`${route.method} ${route.path} [${what}] ${path.slice(0, 100)}: ${problem}`);
    return response.status;
  }

  /** Something was written by a refused request: each is sent again by itself to tell which. */
  private async findHalfWritten(route: RouteDescription, shots: readonly Shot[]): Promise<void> {
    for (const shot of shots) {
      const first = await this.changesOf(route, shot);
      if (first.length === 0) continue;
      // A scheduled job may have written beside the request: not so a second time.
      const second = await this.changesOf(route, shot);
      const changed = first.filter((table) => second.includes(table));
      if (changed.length > 0)
        this.problems.push(`${route.method} ${route.path} [${shot.what}] changed ${changed.join(', ')}`);
    }
  }

  /** The tables that have other rows after a request that was refused. */
  private async changesOf(route: RouteDescription, shot: Shot): Promise<string[]> {
    const before = await countRows(this.api);
    const status = await this.fire(route, shot);
    const after = await countRows(this.api);
    if (status < 400) return [];
    return Object.keys(after).filter((table) => before[table] !== after[table] && !isKept(route, table));
  }
}

/** Wrong passwords and codes are refused, and written down. */
const isKept = (route: RouteDescription, table: string): boolean =>
  (isPage(route) || route.path.endsWith('/approve')) && table.startsWith('audit_events');

/** The same handlers have been walked already: on issues, and under the other path of epics. Only what they reach differs. */
const isRepeated = (path: string): boolean =>
  path.includes('/-/epics') ||
  /\/(merge_requests|snippets|epics)\/.*\/(notes|discussions|award_emoji)\b/.test(path);

/** Whether a part of the path names the project or group: one guard reads it, for all routes. */
const isSubject = ({ rule }: RouteDescription, name: string): boolean =>
  name === (rule?.from ?? 'id') && (rule?.project !== undefined || rule?.group !== undefined);

/** Routes that share what reads a part of them take turns in its values (WALK_ALL=1: each takes all of them). */
const hasTurn =
  (turn: number) =>
  (_value: unknown, at: number): boolean =>
    process.env['WALK_ALL'] === '1' || (at + turn) % 5 === 0;

/** Kinds that have broken columns and indexes before. */
const NOTORIOUS = new Set([
  'null',
  'empty',
  'int4 overflow',
  'safe integer',
  'long index key',
  'option',
  'first day',
]);

/** Classes with so many fields get the least part of the values. */
const MANY_FIELDS = 15;

/** Each request that is taken costs a dozen processes. */
const makesCommits = ({ method, path }: RouteDescription): boolean =>
  !isRead(method) && /\/(wikis|snippets|repository)\b/.test(path);

/** Large classes have many fields of a kind: each gets a part of the values (WALK_ALL=1: all of them). */
function spread(values: [string, unknown][], index: number, fields: number): [string, unknown][] {
  if (fields < 5 || process.env['WALK_ALL'] === '1') return values;
  const share = fields < MANY_FIELDS ? 3 : 12;
  const isHuge = fields > 2 * MANY_FIELDS;
  return values.filter(
    ([kind], at) =>
      (NOTORIOUS.has(kind) && (!isHuge || (at + index) % 3 === 0)) || (at + index) % share === 0,
  );
}

/** What would delete the very project, group or user that everything hangs on is sent to another. */
const sparing = ({ path, method }: RouteDescription): Record<string, string> =>
  method === 'DELETE' && /^\/api\/v4\/\w+\/:id$/.test(path) ? { id: '999999' } : {};

function valid({ path, rule }: RouteDescription, name: string): string {
  if (name === (rule?.from ?? 'id')) {
    if (rule?.project !== undefined) return String(HERE.project);
    if (rule?.group !== undefined) return String(HERE.group);
  }
  if (name === 'id' && path.startsWith('/api/v4/projects/')) return String(HERE.project);
  if (name === 'id' && path.startsWith('/api/v4/groups/')) return String(HERE.group);
  const part = partOf(path, name);
  if (part) return String(part.here);
  return /user/.test(name) || path.startsWith('/api/v4/users/:id') ? String(HERE.user) : '1';
}
