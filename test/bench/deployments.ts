import type pg from 'pg';
import { compare, measure, type Effort } from './compare.js';
import { addDeployments, type Dataset } from './dataset.js';
import type { LoadRequest } from './load.js';
import type { Report } from './report.js';
import type { Server } from './servers.js';

/** The environment of the measurement. */
export interface Bench {
  readonly effort: Effort;
  readonly client: pg.Client;
  readonly world: Dataset;
  readonly product: Server;
  readonly floor: Server;
  readonly postgresPid: number;
  readonly isQuick: boolean;
}

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

/** Requests to random projects with random tokens; `query` and `project` fix parts of the request. */
function requests(world: Dataset, query: string, project?: number): () => LoadRequest {
  return () => ({
    method: 'GET',
    path: `/api/v4/projects/${project ?? pick(world.projects)}/deployments${query}`,
    headers: { 'private-token': pick(world.tokens) },
  });
}

/** The guarded list, 20 a page without totals. */
export const guardedList = (world: Dataset): (() => LoadRequest) => requests(world, `?per_page=20${KEYSET}`);

/** As many rows at 10,000 deployments as at 1,000,000. */
const FILTERED = '?status=success&per_page=5&pagination=keyset&order_by=id&sort=asc';
const KEYSET = '&pagination=keyset&order_by=id&sort=asc';

/** The guarded deployments list with 10,000 and 1,000,000 deployments, single reads, writes, and pages at depth. */
export async function measureDeployments(report: Report, bench: Bench): Promise<void> {
  const { client, world, isQuick } = bench;
  await againstFloor(report, bench, '10,000 rows: 20 a page, totals not due', `?per_page=20${KEYSET}`, '?per_page=20');
  await againstFloor(report, bench, '10,000 rows: 20 a page, with totals', '?per_page=20', '?per_page=20&total=1');
  const grown = [`?per_page=20${KEYSET}`, FILTERED, '?status=success'].map((query) => requests(world, query));
  const small = await measure(bench.effort, bench.product, grown);
  await singles(report, bench);

  await addDeployments(client, world.projects, isQuick ? 250 : 2_450);
  await addDeployments(client, [world.bigProject], 20_000);
  const rows = Number((await client.query<{ count: number }>('select count(*) from deployments')).rows[0]?.count);
  const label = `${rows.toLocaleString('en')} rows`;
  await againstFloor(report, bench, `${label}: 20 a page, totals not due`, `?per_page=20${KEYSET}`, '?per_page=20');
  await againstFloor(report, bench, `${label}: 100 a page, totals not due`, `?per_page=100${KEYSET}`, '?per_page=100');
  await againstFloor(report, bench, `20,000 rows a project: 20 a page, with totals`, '?per_page=20', '?per_page=20&total=1', world.bigProject);
  const large = await measure(bench.effort, bench.product, grown);
  report.add('growth', { what: 'list of 20', at10k: small[0], atAll: large[0], slower: ratio(small[0], large[0]), bar: '<= 1.30' });
  report.add('growth', { what: '5 of status=success', at10k: small[1], atAll: large[1], slower: ratio(small[1], large[1]), bar: '<= 1.30' });
  report.add('growth', { what: 'status=success with totals: 6 rows, then 20 of many', at10k: small[2], atAll: large[2], slower: ratio(small[2], large[2]) });
  await depth(report, bench);
}

const ratio = (fast = 0, slow = 1): number => Math.round((fast / slow) * 100) / 100;

async function againstFloor(report: Report, bench: Bench, name: string, query: string, floorQuery: string, project?: number): Promise<void> {
  const { effort, world, product, floor, postgresPid } = bench;
  const next = requests(world, query, project);
  const result = await compare(name, effort, { server: floor, next: requests(world, floorQuery, project) }, { server: product, next }, postgresPid);
  report.add('against the reference', {
    ...result,
    statements: product.statements.at(-1),
    bar: '>= 0.90',
  });
}

async function singles(report: Report, { effort, world, product, client }: Bench): Promise<void> {
  const { rows } = await client.query<{ id: number; project_id: number }>('select id, project_id from deployments order by random() limit 2000');
  const single = (): LoadRequest => {
    const row = pick(rows);
    return { method: 'GET', path: `/api/v4/projects/${row.project_id}/deployments/${row.id}`, headers: { 'private-token': pick(world.tokens) } };
  };
  const create = (): LoadRequest => ({
    method: 'POST',
    path: `/api/v4/projects/${pick(world.projects)}/deployments`,
    headers: { 'private-token': pick(world.tokens), 'content-type': 'application/json' },
    body: JSON.stringify({ environment: 'production', sha: 'a'.repeat(40), ref: 'main', tag: false, status: 'running' }),
  });
  for (const [what, next] of [['one deployment', single], ['create a deployment', create]] as const) {
    const [perSecond] = await measure(effort, product, [next]);
    report.add('alone', { what, perSecond, statements: product.statements.at(-1) });
  }
}

/** Page 1 compared with the last keyset page, in the project with the most rows; and offset at its limit. */
async function depth(report: Report, { effort, world, product, client, isQuick }: Bench): Promise<void> {
  const rows = isQuick ? 100_000 : 1_000_000;
  await addDeployments(client, [world.bigProject], rows);
  const cursor = async (offset: number): Promise<string> => {
    const found = await client.query<{ id: number }>('select iid as id from deployments where project_id = $1 order by iid limit 1 offset $2', [
      world.bigProject,
      offset,
    ]);
    return Buffer.from(JSON.stringify({ o: 'id', s: 'asc', v: [found.rows[0]?.id], _kd: 'n' })).toString('base64url');
  };
  const first = requests(world, `?per_page=20${KEYSET}`, world.bigProject);
  const deep = requests(world, `?per_page=20${KEYSET}&cursor=${await cursor(rows)}`, world.bigProject);
  const offset = requests(world, '?per_page=20&page=2500', world.bigProject);
  const [atFirst, atDepth, atOffset] = await measure(effort, product, [first, deep, offset]);
  report.add('depth', { what: 'keyset page 1', perSecond: atFirst });
  report.add('depth', { what: `keyset page at row ${rows.toLocaleString('en')}`, perSecond: atDepth, slower: ratio(atFirst, atDepth), bar: '<= 1.30' });
  report.add('depth', { what: 'offset page at row 50,000', perSecond: atOffset, slower: ratio(atFirst, atOffset) });
}
