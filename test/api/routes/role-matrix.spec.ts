import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessRule } from '#kernel/access/access.js';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../../support/api.js';
import { DaySample } from '../../support/day-sample.js';
import { exchange } from '../../support/exchange.js';
import { sampleOf } from '../../support/hostile/values.js';
import { arrangeWorld } from '../../support/hostile/world.js';
import { arrangeAskers, isAdmitted, pathOf, type Asker, type Place } from '../../support/role-matrix.js';

/** Concurrent requests. */
const AT_A_TIME = 16;

/** A marker in titles and texts of objects that only members can see. */
const SECRET = 'for-members-alone';

const FEATURES = [
  ...['issues', 'repository', 'merge_requests', 'wiki', 'builds', 'snippets', 'environments'],
  'package_registry',
];

/** The text of a refusal: it must not describe the object. */
const REFUSAL = new Set(['message', 'error', 'error_description', 'scope']);

type Ruled = RouteDescription & { rule: AccessRule };

/** `npm test` asks for a third of the routes, and with the tokens of limited scope for a tenth; `.ci/run` for all. */
const sample = DaySample.ofEnvironment();

/** Fewer refusals and reads mean that the callers were not arranged. */
const LEAST = sample.isWhole ? { refused: 5_000, read: 500 } : { refused: 500, read: 50 };

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Valid parameters of the route, so that only the rights of the caller decide. */
const bodyOf = ({ params }: RouteDescription): string => JSON.stringify(params ? sampleOf(params) : {});

describe(`every route, for every role and scope (${sample.toString()})`, () => {
  let api: TestApi;
  let askers: Asker[];
  let routes: Ruled[];

  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'silent' });
    await arrangeWorld(api);
    askers = await arrangeAskers(api);
    routes = listRoutes(api.app).filter(
      (route): route is Ruled =>
        route.path.startsWith('/api/v4/') &&
        route.rule !== undefined &&
        route.rule.credential === undefined &&
        route.rule.page === undefined,
    );
    await api.sql(`
      update issues set title = '${SECRET}'; update merge_requests set title = '${SECRET}';
      update notes set body = '${SECRET}' where noteable_type <> 'Epic'; update snippets set title = '${SECRET}';
      update ci_jobs set name = '${SECRET}';
      update environments set name = '${SECRET}'; update packages set name = '${SECRET}';
      update application_settings set values = values || '{"admin_mode": true}', version = version + 1`);
  });
  afterAll(() => api.close());

  async function arrange({ visibility, membersOnly }: Place): Promise<void> {
    const levels = Object.fromEntries(FEATURES.map((name) => [`${name}_access_level`, 'private']));
    const settings = JSON.stringify(membersOnly ? levels : {});
    for (const [table, id] of [
      ['projects', 300],
      ['namespaces', 200],
    ] as const)
      await api.sql(`update ${table} set visibility = $1, settings = $2 where id = $3`, [
        visibility,
        settings,
        id,
      ]);
  }

  /** Returns the problem of a response to a caller whom the rule does not admit, or null. */
  function problemOf(
    route: RouteDescription,
    asker: Asker,
    place: Place,
    status: number,
    text: string,
  ): string | null {
    const { rule } = route;
    // Parameters are validated before the subject is looked up, and refused migrations count towards their
    // limit: both reveal nothing about it.
    const isOfRequest = status === 400 || (status === 429 && route.path.endsWith('/bulk_imports'));
    if (!isOfRequest && status !== 401 && status !== 403 && status !== 404) return `answers ${status}`;
    const isHidden = place.visibility === 'private' && asker.level === 0 && asker.scope === 'api';
    const isSubject = rule?.project !== undefined || rule?.group !== undefined;
    if (isHidden && isSubject && !isOfRequest && status !== 404) return `tells by ${status} that it is there`;
    if (route.method === 'HEAD') return null;
    const names = Object.keys(JSON.parse(text) as object).filter((name) => !REFUSAL.has(name));
    return names.length > 0 ? `says ${names.join()}` : null;
  }

  async function walk(place: Place): Promise<{ problems: string[]; refused: number; read: number }> {
    await arrange(place);
    const problems: string[] = [];
    let [refused, read, unread] = [0, 0, 0];
    const ask = async (route: Ruled, asker: Asker): Promise<void> => {
      const admitted = isAdmitted(route.rule, route.method, asker, place);
      // Allowed writes are for other tests: here they would only destroy the data.
      if (admitted && !(isRead(route.method) && asker.scope !== '' && !route.rule.lasting)) return;
      const { status, text } = await exchange(`${api.url}${pathOf(route)}`, {
        method: route.method,
        headers: {
          ...(asker.token === null ? {} : { 'PRIVATE-TOKEN': asker.token }),
          ...(isRead(route.method) ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(isRead(route.method) ? {} : { body: bodyOf(route) }),
      });
      const name = `${asker.name}: ${route.method} ${route.path}`;
      if (!admitted) {
        refused += 1;
        const problem = problemOf(route, asker, place, status, text);
        if (status === 400) unread += 1;
        if (problem !== null) problems.push(`${name} ${problem}`);
      } else if (status < 400) read += 1;
      if (asker.level === 0 && !asker.admin && text.includes(SECRET)) problems.push(`${name} shows a secret`);
    };
    const pairs = (of: readonly Ruled[], by: readonly Asker[]): (readonly [Ruled, Asker])[] =>
      of.flatMap((route) => by.map((asker) => [route, asker] as const));
    const isLimited = ({ scope }: Asker): boolean => scope !== null && scope !== 'api';
    const calls = [
      ...pairs(
        sample.of(routes, 3),
        askers.filter((asker) => !isLimited(asker)),
      ),
      ...pairs(sample.of(routes), askers.filter(isLimited)),
    ];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let call = calls[next++]; call; call = calls[next++]) await ask(...call);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return { problems, refused: refused - unread, read };
  }

  it.each<Place>([
    { visibility: 'private', membersOnly: false },
    { visibility: 'public', membersOnly: true },
  ])(
    'admits exactly the declared callers: %j',
    async (place) => {
      const { problems, refused, read } = await walk(place);
      expect(problems.sort()).toEqual([]);
      expect(refused).toBeGreaterThan(LEAST.refused);
      expect(read).toBeGreaterThan(LEAST.read);
    },
    300_000,
  );
});
