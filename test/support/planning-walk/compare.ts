import { expect } from '@jest/globals';
import type { Answer, ApiClient } from '../client.js';
import { ListModel } from './model.js';
import type { Question } from './questions.js';
import type { PlanningStage } from './stage.js';

interface Listed {
  readonly id: number;
}

const query = (params: Readonly<Record<string, string | number>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** Asks for a list, its pages and its statistics, and expects what the model says. */
export async function compareList(stage: PlanningStage, question: Question): Promise<void> {
  const { kind, asker, place, path, filters, perPage, page } = question;
  const model = new ListModel(stage.facts, stage.viewer(asker), stage.names());
  const client = stage.client(asker);
  const where = `${asker} ${path}?${query(filters)}`;
  const all = await client.get<Listed[]>(`${path}?${query({ ...filters, per_page: 100 })}`);
  const refusals = refusalsOf(model, question);
  if (refusals.length > 0) {
    expect([where, refusals]).toEqual([where, expect.arrayContaining([all.status])]);
    return;
  }
  const expected = model.list(kind, place, filters);
  const shown = ({ status, body, headers }: Answer<Listed[]>): unknown => [
    where,
    status,
    Array.isArray(body) ? body.map(({ id }) => id) : body,
    headers.get('x-total'),
  ];
  const total = String(expected.length);
  expect(shown(all)).toEqual([where, 200, expected, total]);
  const some = await client.get<Listed[]>(`${path}?${query({ ...filters, per_page: perPage, page })}`);
  const piece = expected.slice((page - 1) * perPage, page * perPage);
  expect(shown(some)).toEqual([where, 200, piece, total]);
  if (place.in !== 'everywhere' && place.milestone !== undefined) return;
  if (page === 1) {
    const byId = { ...filters, order_by: 'id', sort: 'asc', pagination: 'keyset', per_page: perPage };
    expect([where, await walk(client, `${path}?${query(byId)}`)]).toEqual([
      where,
      [...expected].sort((a, b) => a - b),
    ]);
  }
  if (kind !== 'issue' || (asker === 'anonymous' && place.in === 'everywhere')) return;
  const counted = Object.fromEntries(
    Object.entries(filters).filter(([name]) => !['state', 'order_by', 'sort'].includes(name)),
  );
  const count = (state: string): number => model.list(kind, place, { ...counted, state }).length;
  const { body } = await client.get(`${path}_statistics?${query(counted)}`);
  const counts = { all: count('all'), closed: count('closed'), opened: count('opened') };
  expect([where, body]).toEqual([where, { statistics: { counts } }]);
}

/** The statuses with which the list may be refused; none if it is shown. */
function refusalsOf({ sight }: ListModel, { kind, asker, place, filters }: Question): readonly number[] {
  if (place.in === 'everywhere') return asker === 'anonymous' && filters['scope'] !== 'all' ? [401] : [];
  if (place.in === 'group') return sight.seesGroup(place.id) ? [] : [404];
  if (!sight.seesProject(place.id)) return [404];
  return sight.reads(place.id, kind) ? [] : [asker === 'anonymous' ? 401 : 403];
}

/** Ids of a list by keyset, page after page. */
async function walk(client: ApiClient, first: string): Promise<number[]> {
  const ids: number[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const { body, headers }: Answer<Listed[]> = await client.get<Listed[]>(next);
    ids.push(...body.map(({ id }) => id));
    next = /\/api\/v4(\/[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return ids;
}
