import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '#kernel/http/paging/cursor.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';
import { readsDuring } from '../../../support/watched-reads.js';

interface Row {
  id: number;
  name: string;
}

const HEADERS = ['x-page', 'x-per-page', 'x-prev-page', 'x-next-page', 'x-total', 'x-total-pages'] as const;

/** The Link header as pairs of relation and query. */
const links = (answer: Answer): [string, URLSearchParams][] =>
  (answer.headers.get('link') ?? '')
    .split(', ')
    .filter(Boolean)
    .map((link) => {
      const [, url, rel] = /^<([^>]*)>; rel="(\w+)"$/.exec(link) ?? [];
      return [rel ?? '', new URL(url ?? '').searchParams];
    });

describe('pagination', () => {
  let api: TestApi;
  const rows = (query: string): Promise<Answer<Row[]>> => api.root.get<Row[]>(`/probe/rows?${query}`);

  beforeAll(async () => {
    api = await startProbedApi();
  });
  afterAll(() => api.close());

  describe('by offset', () => {
    // rows, page, per page -> X-Page, X-Per-Page, X-Prev-Page, X-Next-Page, X-Total, X-Total-Pages; relations
    it.each([
      [0, '', 0, ['1', '20', '', '', '0', '1'], 'first last'],
      [1, '', 1, ['1', '20', '', '', '1', '1'], 'first last'],
      [20, '', 20, ['1', '20', '', '', '20', '1'], 'first last'],
      [21, '', 20, ['1', '20', '', '2', '21', '2'], 'next first last'],
      [21, '&page=2', 1, ['2', '20', '1', '', '21', '2'], 'prev first last'],
      [61, '&page=2', 20, ['2', '20', '1', '3', '61', '4'], 'prev next first last'],
      [21, '&page=3', 0, ['3', '20', '', '', '21', '2'], 'first last'],
      [0, '&page=2', 0, ['2', '20', '', '', '0', '1'], 'first last'],
      [10_000, '', 20, ['1', '20', '', '2', '10000', '500'], 'next first last'],
      [10_000, '&page=500', 20, ['500', '20', '499', '', '10000', '500'], 'prev first last'],
      [10_000, '&per_page=100&page=101', 0, ['101', '100', '', '', '10000', '100'], 'first last'],
      [10_001, '', 20, ['1', '20', '', '2', null, null], 'next first'],
      [10_001, '&page=500', 20, ['500', '20', '499', '501', null, null], 'prev next first'],
      [10_001, '&page=501', 1, ['501', '20', '500', '', null, null], 'prev first'],
      [10_001, '&page=502', 0, ['502', '20', '501', '', null, null], 'prev first'],
    ])('%i rows%s', async (amount, query, length, headers, relations) => {
      const answer = await rows(`amount=${amount}${query}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toHaveLength(length);
      expect(HEADERS.map((name) => answer.headers.get(name))).toEqual(headers);
      expect(
        links(answer)
          .map(([rel]) => rel)
          .join(' '),
      ).toBe(relations);
    });

    it('shows totals again as soon as a list shrinks to 10,000 rows', async () => {
      for (const amount of [10_001, 10_000, 10_001, 10_000]) {
        const answer = await rows(`amount=${amount}`);
        expect(answer.headers.get('x-total')).toBe(amount > 10_000 ? null : String(amount));
      }
    });

    it('has links with all parameters sorted by name, including page and per_page', async () => {
      const answer = await rows(
        'zeta=%20%26&amount=45&per_page=20&list[]=b&list[]=a&hash[k]=v&private_token=',
      );
      expect(answer.status).toBe(401);
      const good = await rows('zeta=%20%26%2B&amount=45&per_page=20&page=2&list[]=b&list[]=a&hash[k]=v');
      const url = 'http://forgeplane.test/api/v4/probe/rows';
      const query = (page: number): string =>
        `amount=45&hash%5Bk%5D=v&list%5B%5D=b&list%5B%5D=a&page=${page}&per_page=20&zeta=%20%26%2B`;
      expect(good.headers.get('link')).toBe(
        [
          `<${url}?${query(1)}>; rel="prev"`,
          `<${url}?${query(3)}>; rel="next"`,
          `<${url}?${query(1)}>; rel="first"`,
          `<${url}?${query(3)}>; rel="last"`,
        ].join(', '),
      );
    });

    it('caps per_page at 100 and repeats the original value in the links', async () => {
      const answer = await rows('amount=1000&per_page=100000');
      expect(answer.body).toHaveLength(100);
      expect(answer.headers.get('x-per-page')).toBe('100');
      for (const [, query] of links(answer)) expect(query.get('per_page')).toBe('100000');
      expect(answer.headers.get('x-total-pages')).toBe('10');
    });

    it.each([
      ['per_page=0', { per_page: ['has a value not allowed'] }],
      ['per_page=abc', { per_page: ['is invalid'] }],
      ['per_page[]=1', { per_page: ['is invalid'] }],
      ['per_page=1.5', { per_page: ['is invalid'] }],
      ['page=abc', { page: ['is invalid'] }],
      ['page=1e12', { page: ['is invalid'] }],
      ['page[a]=1', { page: ['is invalid'] }],
      ['sort[]=x', { sort: ['is invalid'] }],
      ['order_by[]=x', { order_by: ['is invalid'] }],
      ['pagination=other', { pagination: ['does not have a valid value'] }],
      ['page=x&per_page=y', { page: ['is invalid'], per_page: ['is invalid'] }],
    ])('refuses %s', async (query, message) => {
      const answer = await rows(`amount=3&${query}`);
      expect([answer.status, answer.body]).toEqual([400, { message }]);
    });

    it('uses the defaults for invalid values and blanks', async () => {
      for (const query of ['page=0', 'page=-1', 'per_page=-5', 'page=&per_page=', 'page=-99999999999']) {
        const answer = await rows(`amount=30&${query}`);
        expect([query, answer.status]).toEqual([query, 200]);
        expect([answer.headers.get('x-page'), answer.headers.get('x-per-page')]).toEqual(['1', '20']);
      }
    });

    it('does not lose or repeat a row over all pages', async () => {
      const seen: number[] = [];
      for (let page = 1; page <= 11; page += 1)
        seen.push(...(await rows(`amount=1001&per_page=100&page=${page}`)).body.map(({ id }) => id));
      expect(seen).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1));
    });

    it('refuses offsets beyond the limit without a query', async () => {
      const reads = await readsDuring(api, async () => {
        const answer = await rows('amount=3&page=2501&per_page=20');
        expect([answer.status, answer.body]).toEqual([
          405,
          {
            error:
              'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Probe. Remaining records can be retrieved using keyset pagination.',
          },
        ]);
      });
      expect(reads).toHaveLength(1);
      expect((await rows('amount=3&page=2500&per_page=20')).status).toBe(200);
      expect((await rows('amount=3&page=1000000000000&per_page=100')).status).toBe(405);
    });

    it('follows the setting of the offset limit, 0 for none', async () => {
      const set = (limit: number): Promise<unknown> =>
        api.sql(
          `update application_settings set version = version + 1, values = values || jsonb_build_object('offset_pagination_limit', $1::int)`,
          [limit],
        );
      await set(100);
      expect((await rows('amount=3&page=6&per_page=20')).status).toBe(405);
      await set(0);
      expect((await rows('amount=3&page=9007199254740991&per_page=100')).status).toBe(200);
      await set(50_000);
    });

    it('pages lists in memory in the same way', async () => {
      const answer = await api.root.get<Row[]>('/probe/memory?amount=45&page=2');
      expect(answer.body.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 21));
      expect(HEADERS.map((name) => answer.headers.get(name))).toEqual(['2', '20', '1', '3', '45', '3']);
      const keyset = await api.root.get('/probe/memory?amount=45&pagination=keyset&order_by=id&sort=asc');
      expect(keyset.status).toBe(405);
    });

    it('needs the same number of statements for 1 and for 100 rows', async () => {
      const count = async (query: string): Promise<number> => {
        const reads = await readsDuring(api, async () => expect((await rows(query)).status).toBe(200));
        return reads.length;
      };
      // Guards and rows; totals only if a full page does not reveal them.
      expect(await count('amount=1')).toBe(2);
      expect(await count('amount=100&per_page=100')).toBe(2);
      expect(await count('amount=101&per_page=1')).toBe(3);
      expect(await count('amount=1001&per_page=100')).toBe(3);
      expect(await count('amount=1001&per_page=100&pagination=keyset&order_by=id&sort=asc')).toBe(2);
    });
  });

  describe('by keyset', () => {
    async function walk(query: string): Promise<Row[]> {
      const all: Row[] = [];
      let next: string | undefined = query;
      while (next !== undefined) {
        const answer: Answer<Row[]> = await rows(next);
        expect(answer.status).toBe(200);
        for (const name of HEADERS) expect(answer.headers.get(name)).toBeNull();
        all.push(...answer.body);
        const found = links(answer);
        expect(found.map(([rel]) => rel)).toEqual(found.length === 0 ? [] : ['next']);
        next = found[0]?.[1].toString();
      }
      return all;
    }

    const ascending = Array.from({ length: 250 }, (_, index) => index + 1);

    it('walks by id both ways to a page without a link', async () => {
      const up = await walk('amount=250&pagination=keyset&order_by=id&sort=asc&per_page=100');
      expect(up.map(({ id }) => id)).toEqual(ascending);
      const down = await walk('amount=250&pagination=keyset&order_by=id&sort=desc&per_page=50');
      expect(down.map(({ id }) => id)).toEqual([...ascending].reverse());
    });

    it('walks an order with equal values without losing or repeating a row', async () => {
      const byName = await walk('amount=250&pagination=keyset&order_by=name&sort=asc&per_page=7');
      expect(byName).toHaveLength(250);
      const expected = [...byName].sort((a, b) =>
        a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1,
      );
      expect(byName).toEqual(expected);
    });

    it('needs order_by and sort', async () => {
      const missing = (name: string): object => ({ message: `400 (Bad request) "${name}" not given` });
      expect((await rows('amount=3&pagination=keyset')).body).toEqual(missing('order_by'));
      expect((await rows('amount=3&pagination=keyset&order_by=id')).body).toEqual(missing('sort'));
      expect((await rows('amount=3&pagination=keyset&sort=asc')).body).toEqual(missing('order_by'));
    });

    it('returns 405 for an order that the list does not support', async () => {
      for (const order of [
        'order_by=created_at&sort=asc',
        'order_by=name&sort=desc',
        'order_by=id&sort=up',
        'order_by=constructor&sort=asc',
      ]) {
        const answer = await rows(`amount=3&pagination=keyset&${order}`);
        expect([order, answer.status]).toEqual([order, 405]);
        expect(answer.body).toEqual({
          error: 'Keyset pagination is not yet available for this type of request',
        });
      }
    });

    it('refuses cursors that are invalid or belong to another list', async () => {
      const values = [5];
      const cursors = [
        '',
        'x',
        '%00',
        'null',
        Buffer.from('[]').toString('base64url'),
        Buffer.from('{"o":"id","s":"asc","v":["5"]}').toString('base64url'),
        encodeCursor({ order: 'id', sort: 'desc', values }),
        encodeCursor({ order: 'name', sort: 'asc', values: ['a', 1] }),
        encodeCursor({ order: 'id', sort: 'asc', values: [] }),
        encodeCursor({ order: 'id', sort: 'asc', values: [1e30] }),
        encodeCursor({ order: 'id', sort: 'asc', values: [1.5] }),
        'x'.repeat(2001),
      ];
      for (const cursor of cursors) {
        const answer = await rows(`amount=3&pagination=keyset&order_by=id&sort=asc&cursor=${cursor}`);
        expect([cursor, answer.status]).toEqual([cursor, 400]);
      }
      const texts = encodeCursor({ order: 'name', sort: 'asc', values: ["'; drop table users; --", 1] });
      const harmless = await rows(`amount=3&pagination=keyset&order_by=name&sort=asc&cursor=${texts}`);
      expect([harmless.status, harmless.body]).toEqual([200, expect.any(Array)]);
    });
  });
});
