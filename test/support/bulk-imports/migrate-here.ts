import { expect } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import { until } from '../until.js';

type Shown = Record<string, unknown> & { id: number };

/** Result of a migration: entities by path, failures, and unfinished relations. */
export interface MigratedHere {
  readonly id: number;
  readonly entities: Shown[];
  readonly failures: object[];
  readonly relations: object[];
}

/** Requests the migration of one entity, by default a group to the top level, and waits for its end. */
export async function migrateHere(
  api: TestApi,
  client: ApiClient,
  entity: Readonly<Record<string, unknown>>,
  url: string,
): Promise<MigratedHere> {
  const created = await client.post<Shown>('/bulk_imports', {
    configuration: { url, access_token: ROOT_TOKEN },
    entities: [{ source_type: 'group_entity', destination_namespace: '', ...entity }],
  });
  expect([created.status, created.body]).toMatchObject([201, { id: expect.any(Number) }]);
  const { id } = created.body;
  const isOver = async (): Promise<boolean> =>
    ['finished', 'failed'].includes(String((await client.get<Shown>(`/bulk_imports/${id}`)).body['status']));
  await until(isOver, 60_000);
  const entities = await api.sql<Shown>(
    'select id, source_full_path, status from bulk_import_entities where bulk_import_id = $1 order by 2',
    [id],
  );
  const failures = await api.sql(
    `select f.relation, f.exception_class, f.exception_message from bulk_import_failures f
     join bulk_import_entities e on e.id = f.entity_id where e.bulk_import_id = $1`,
    [id],
  );
  const relations = await api.sql(
    `select e.source_full_path, r.relation, r.status from bulk_import_relations r
     join bulk_import_entities e on e.id = r.entity_id where e.bulk_import_id = $1 and r.status <> 'finished'`,
    [id],
  );
  return { id, entities, failures, relations };
}
