import { ROOT_TOKEN } from '../api.js';
import { until } from '../until.js';
import type { ExampleWorld, Made } from './desk.js';

/** A license as it is added: its content in Base64. */
const LICENSE = Buffer.from(
  JSON.stringify({
    plan: 'ultimate',
    licensee: { Name: 'Ada Lovelace', Company: 'Tools', Email: 'ada@example.com' },
    ...{ starts_at: '2026-01-01', expires_at: '2099-01-01', user_limit: 100 },
  }),
).toString('base64');

/** Settings, limits and facts of the instance. */
export async function showInstance({ desk }: ExampleWorld): Promise<void> {
  const { body: license } = await desk.shown.post<Made>('/license', { license: LICENSE });
  await desk.shown.put(`/license/${license.id}/refresh_billable_users`);
  await desk.shown.post('/features/warm_start', { value: 'true', force: true });
  await desk.api
    .sql(`insert into background_jobs (queue, name, payload, state, attempt, failed_at, error_class, error_message)
    values ('mail', 'mail.send', '{"id": 42}', 'failed', 5, now(), 'Error', 'The mail server refused the message')`);
  await desk.show(
    '/admin/background_jobs?state=failed',
    '/admin/background_jobs/queues',
    '/admin/health',
    '/application/settings',
    '/application/plan_limits',
    '/application/statistics',
    '/features/definitions',
    '/geo_sites',
    '/metadata',
    '/version',
  );
}

/** Moves of repositories from one storage to another. */
export async function showStorageMoves({ desk, at, group }: ExampleWorld): Promise<void> {
  const snippet = await desk.make('/snippets', {
    ...{ title: 'Notes', visibility: 'private', files: [{ file_path: 'a.txt', content: 'a' }] },
  });
  for (const path of [at, `/groups/${group}`, `/snippets/${snippet.id}`]) {
    const moves = `${path}/repository_storage_moves`;
    await desk.make(moves, { destination_storage_name: 'second' });
    await desk.when(moves, ({ state }) => state === 'finished');
    await desk.show(moves);
  }
  const all = { source_storage_name: 'default', destination_storage_name: 'second', dry_run: true };
  await desk.shown.post('/project_repository_storage_moves', all);
}

/** A direct transfer of the group from an instance, which is this one, and the exports that it reads. */
export async function showMigrations({ desk, group }: ExampleWorld): Promise<void> {
  const exports = `/groups/${group}/export_relations`;
  await desk.shown.post(exports);
  await desk.when(`${exports}/status`, ({ status }) => status === 1);
  await desk.show(`${exports}/status`);
  const asked = {
    configuration: { url: desk.api.url, access_token: ROOT_TOKEN },
    entities: [
      ...[{ source_type: 'group_entity', source_full_path: 'tools', destination_slug: 'machines' }],
      ...[{ source_type: 'group_entity', source_full_path: 'nowhere', destination_slug: 'lost' }],
    ].map((one) => ({ ...one, destination_namespace: '' })),
  };
  const dry = { ...asked, entities: asked.entities.slice(0, 1), dry_run: true };
  await desk.shown.post('/bulk_imports', dry);
  const { id } = await desk.make('/bulk_imports', asked);
  await until(async () => {
    const { status } = (await desk.api.root.get<{ status: string }>(`/bulk_imports/${id}`)).body;
    return /finished|failed/.test(status);
  }, 60_000);
  const { body: entities } = await desk.api.root.get<Made[]>(`/bulk_imports/${id}/entities`);
  const lost = entities.find((one) => one['status'] === 'failed');
  await desk.show(
    `/bulk_imports/${id}`,
    `/bulk_imports/${id}/progress`,
    `/bulk_imports/${id}/entities`,
    `/bulk_imports/entities?status=finished`,
    `/bulk_imports/${id}/entities/${lost?.id}/failures`,
  );
}
