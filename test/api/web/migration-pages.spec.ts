import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { addPerson } from '../../support/builders/person.js';
import { buildBrowser } from '../../support/builders/session.js';
import type { PageClient } from '../../support/page-client.js';
import { borrowApi } from '../../support/shared-api.js';

const PATH = '/-/bulk_imports';
const HOSTILE = '<script>alert(1)</script>';

let api: TestApi;
let mine: PageClient;
let others: PageClient;
let importId: number;
let running: number;
let failed: number;
let failedImport: number;

/** Creates an import with one entity, as the engine would have left them, and returns their ids. */
async function addEntity(slug: string, status: string): Promise<readonly [number, number]> {
  const [made] = await api.sql<{ id: number }>(
    `insert into bulk_imports (user_id, status, source_url, source_version, source_token_sealed, has_failures)
     values (1, $1, 'https://there.example.com', '16.5.0', 'sealed', $1 = 'failed') returning id`,
    [status],
  );
  const [entity] = await api.sql<{ id: number }>(
    `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace, status, started_at)
     values ($1, 'project_entity', 'old/' || $2, $2, 'new', $3, now()) returning id`,
    [made?.id, slug, status],
  );
  return [made?.id ?? 0, entity?.id ?? 0];
}

beforeAll(async () => {
  api = await borrowApi();
  mine = await buildBrowser(api, 1);
  others = await buildBrowser(api, (await addPerson(api, 'other')).id);
  [importId, running] = await addEntity('running', 'started');
  await api.sql(
    `insert into bulk_import_relations (entity_id, relation, stage, status, source_count, fetched_count, imported_count) values
      ($1, 'project', 0, 'finished', 1, 1, 1), ($1, 'issues', 3, 'started', 400, 120, 100)`,
    [running],
  );
  [failedImport, failed] = await addEntity('broken', 'failed');
  await api.sql(
    `insert into bulk_import_failures (entity_id, relation, step, exception_class, exception_message, pipeline_class, correlation_id_value, source_title)
     values ($1, 'repository', 'extractor', 'SourceRefused', $2, 'RepositoryPipeline', 'abc', $2)`,
    [failed, HOSTILE],
  );
});
afterAll(() => api.close());

it('the pages show migrations with their progress and failures', async () => {
  const { status, text } = await mine.get(PATH);
  expect(status).toBe(200);
  expect(text).toContain('new/running');
  expect(text).toMatch(/<progress[^>]*value="62"[^>]*aria-label="Progress of new\/running"/);
  expect(text).toContain('1 of 2 relations, 101 records');
  expect(text).toContain('1 failure: &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain(HOSTILE);
});

it('the pages show the relations and failures of one migration', async () => {
  const { status, text } = await mine.get(`${PATH}/${importId}/entities/${running}`);
  expect([status, text.includes('issues'), text.includes('Everything could.')]).toEqual([200, true, true]);
  expect([...text.matchAll(/<h(\d)/g)].map(([, level]) => level)).toEqual(['1', '2', '3', '2']);
  expect(text).toMatch(/<progress\s+max="400"\s+value="100"\s+aria-label="Progress of issues"/);
  const bad = await mine.get(`${PATH}/${failedImport}/entities/${failed}`);
  expect(bad.text).toContain('repository');
  expect(bad.text).not.toContain(HOSTILE);
});

it('the pages do not count all failures of a migration with many', async () => {
  const [many, entity] = await addEntity('many', 'failed');
  await api.sql(
    `insert into bulk_import_failures (entity_id, relation, step, exception_class, exception_message, pipeline_class, correlation_id_value)
     select $1, 'issues', 'loader', 'RecordRefused', 'Record ' || n, 'IssuesPipeline', 'abc' from generate_series(1, 1001) n`,
    [entity],
  );
  const page = `${PATH}/${many}/entities/${entity}`;
  expect((await mine.get(page)).text).toContain('More than 1,000 failures: Record 1<');
  await api.sql(`delete from bulk_import_failures where entity_id = $1 and exception_message = 'Record 1'`, [
    entity,
  ]);
  expect((await mine.get(page)).text).toContain('1,000 failures: Record 2<');
});

it('the pages are hidden from others', async () => {
  expect((await others.get(PATH)).text).toContain('Nothing has been migrated yet');
  expect((await others.get(`${PATH}/${importId}/entities/${running}`)).status).toBe(404);
  expect((await others.submit(`${PATH}/${importId}/cancel`)).status).toBe(404);
  expect((await others.submit(`${PATH}/${importId}/entities/${running}/resume`)).status).toBe(404);
});

it('the pages resume failed migrations', async () => {
  const answer = await mine.submit(`${PATH}/${failedImport}/entities/${failed}/resume`);
  expect([answer.status, answer.location]).toEqual([303, PATH]);
  expect((await mine.get(PATH)).text).toContain('Migration resumed.');
});

it('the pages cancel a migration', async () => {
  const answer = await mine.submit(`${PATH}/${importId}/cancel`);
  expect(answer.status).toBe(303);
  const [entity] = await api.sql('select status, canceled from bulk_import_entities where id = $1', [
    running,
  ]);
  expect(entity).toEqual({ status: 'failed', canceled: true });
  expect((await mine.get(PATH)).text).toContain('Cancelled');
});

it('the pages do not exist while migrations are disabled', async () => {
  await api.root.put('/application/settings', { bulk_import_enabled: false });
  expect((await mine.get(PATH)).status).toBe(404);
});
