import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { readDocument } from '../../support/api-document.js';
import { startApi, type TestApi } from '../../support/api.js';
import { addUser } from '../../support/builders/instance.js';
import type { ApiClient } from '../../support/client.js';
import { DaySample } from '../../support/day-sample.js';
import {
  HIDDEN_FACTS,
  OPEN_WORLD,
  probesOf,
  type Described,
  type HiddenFact,
} from '../../support/hidden-facts.js';
import { arrangeWorld, HERE } from '../../support/hostile/world.js';
import { pathOf } from '../../support/role-matrix.js';

/** Concurrent requests. */
const AT_A_TIME = 16;

/** `npm test` asks for a fifth of the lists, `.ci/run` for all. */
const sample = DaySample.ofEnvironment();

/** Without these, anonymous callers or all callers get no response. */
const NEEDED: Readonly<Record<string, string>> = {
  '/api/v4/issues': 'scope=all',
  '/api/v4/merge_requests': 'scope=all',
  '/api/v4/users': 'username=recluse',
};

/** Parameters of paging, which do not change the content of a list. */
const PAGING = new Set(['page', 'per_page', 'pagination', 'cursor', 'page_token']);

interface Document {
  readonly paths: Record<string, Record<string, { parameters?: readonly Described[] }>>;
}

/** One list, with all its filters and orders. */
interface List {
  readonly plain: string;
  readonly filtered: readonly string[];
}

interface Asked {
  readonly url: string;
  /** Status, total, and the ids of the records in order. */
  readonly answer: string;
}

/** Other specs check the content of the records. */
const idOf = (record: unknown): unknown => {
  const { id, iid, name } = (record ?? {}) as Record<string, unknown>;
  return id ?? iid ?? name ?? record;
};

describe(`hidden facts in lists (${sample.toString()})`, () => {
  let api: TestApi;
  let lists: List[];
  let callers: Record<string, ApiClient>;

  const change = async (
    which: 'there' | 'gone',
    facts: readonly HiddenFact[] = HIDDEN_FACTS,
  ): Promise<void> => {
    for (const fact of facts) await api.sql(fact[which]);
  };

  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'silent' });
    await arrangeWorld(api);
    const [stranger, guest] = [await addUser(api, 'stranger'), await addUser(api, 'guest')];
    callers = {
      stranger: api.as(stranger.token),
      guest: api.as(guest.token),
      'anonymous caller': api.anonymous,
    };
    await api.sql(OPEN_WORLD);
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, 10)`,
      [HERE.project, guest.id],
    );
    await change('there');
    await change('gone');
    const { paths } = await readDocument<Document>(api.anonymous);
    const paged = listRoutes(api.app).filter(
      (route) => route.isPaged && route.path.startsWith('/api/v4/') && !route.path.includes('/probe/'),
    );
    lists = sample.of(paged, 5).flatMap((route) => {
      const template = route.path.replace(/[:*](\w+)/g, '{$1}');
      const asked = (paths[template]?.['get']?.parameters ?? []).filter((one) => one.in === 'query');
      const path = pathOf(route);
      const needed = asked
        .filter(({ name, required }) => required === true && !path.includes(`${name}=`))
        .map(({ name }) => `${encodeURIComponent(name)}=2030-01-01`);
      const probes = asked.filter(({ name }) => !PAGING.has(name)).flatMap(probesOf);
      const bases = [...new Set(['', NEEDED[route.path] ?? ''])].map((base) => [...needed, base]);
      return bases.map((base) => {
        const urlOf = (probe: string): string => {
          const query = [...base, probe, 'per_page=100'].filter((part) => part !== '').join('&');
          return `${path}${path.includes('?') ? '&' : '?'}${query}`;
        };
        return { plain: urlOf(''), filtered: probes.map(urlOf) };
      });
    });
  });
  afterAll(() => api.close());

  async function askOne(client: ApiClient, url: string): Promise<Asked> {
    const { status, body, headers } = await client.get<unknown>(url);
    const shown = JSON.stringify(Array.isArray(body) ? body.map(idOf) : body);
    return { url, answer: `${status} ${headers.get('x-total') ?? ''} ${shown}` };
  }

  /** A list that is refused is refused with every filter. */
  async function ask(client: ApiClient): Promise<Asked[]> {
    const answers: Asked[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let list = lists[next++]; list; list = lists[next++]) {
        const plain = await askOne(client, list.plain);
        answers.push(plain);
        if (!plain.answer.startsWith('200')) continue;
        for (const url of list.filtered) answers.push(await askOne(client, url));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return answers.sort((one, other) => (one.url < other.url ? -1 : 1));
  }

  it.each(['stranger', 'guest', 'anonymous caller'])(
    'do not change the responses of lists to the %s, for any filter and order',
    async (who) => {
      const client = callers[who] ?? api.anonymous;
      const hidden = HIDDEN_FACTS.filter(({ isOfMembers }) => who !== 'guest' || !isOfMembers);
      await change('gone');
      const before = await ask(client);
      await change('there', hidden);
      const after = await ask(client);
      const told = before.flatMap(({ url, answer }, index) =>
        answer === after[index]?.answer ? [] : [`${url}: ${answer} / ${after[index]?.answer ?? ''}`],
      );
      expect(told).toEqual([]);
      expect(before.filter(({ answer }) => answer.startsWith('200')).length).toBeGreaterThan(
        sample.isWhole ? 500 : 50,
      );
    },
    300_000,
  );
});
