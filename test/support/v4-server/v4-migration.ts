import { ImportLimits } from '#features/bulk-imports/engine/import-limits.js';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import { until } from '../until.js';
import type { V4Server } from './v4-server.js';

/** The result of an import. */
export interface MigrationEnd {
  readonly status: string;
  readonly entities: readonly { readonly source_full_path: string; readonly status: string }[];
  readonly failures: readonly { relation: string; exception_class: string; exception_message: string }[];
  readonly relations: readonly { relation: string; status: string }[];
}

/** Relations that v4 servers do not have are skipped soon. */
export function hurry(api: TestApi): void {
  const limits = api.app.get(ImportLimits, { strict: false });
  limits.emptyExtensionMs = 300;
  limits.firstExportPauseMs = 50;
}

/** Migrates an entity and waits for its end. @throws if it is refused or takes too long */
export async function migrateFrom(
  api: TestApi,
  source: V4Server,
  client: ApiClient,
  entity: Readonly<Record<string, unknown>>,
): Promise<MigrationEnd> {
  const answer = await client.post<{ id: number }>('/bulk_imports', {
    configuration: { url: source.url, access_token: source.token },
    entities: [{ source_type: 'group_entity', destination_namespace: '', ...entity }],
  });
  if (answer.status !== 201) throw new Error(`POST /bulk_imports: ${answer.status} ${answer.text}`);
  const { id } = answer.body;
  let status = '';
  await until(async () => {
    status = (await client.get<{ status: string }>(`/bulk_imports/${id}`)).body.status;
    return status === 'finished' || status === 'failed';
  }, 60_000);
  const of = 'join bulk_import_entities e on e.id = x.entity_id where e.bulk_import_id = $1';
  return {
    status,
    entities: await api.sql(
      'select source_full_path, status from bulk_import_entities where bulk_import_id = $1 order by id',
      [id],
    ),
    failures: await api.sql(
      `select x.relation, x.exception_class, x.exception_message from bulk_import_failures x ${of} order by x.relation, x.id`,
      [id],
    ),
    relations: await api.sql(
      `select distinct x.relation, x.status from bulk_import_relations x ${of} and x.status <> 'finished' order by 1`,
      [id],
    ),
  };
}
