import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { PruneExportsProcessor } from '#features/relation-exports/retention/prune-exports.processor.js';
import { buildCodeProject } from '../../../support/builders/code-project.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { ExportWorld, type ExportBody } from '../../../support/export-world.js';
import { until } from '../../../support/until.js';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterAll(() => world.close());

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ number: index + 1 }));

const objectKeys = (): Promise<{ object_key: string }[]> =>
  world.api.sql<{ object_key: string }>('select object_key from relation_export_batches order by id');

it('an export writes each relation of a project once, as one compressed file', async () => {
  const { id, path } = await buildProject(world.root, { description: 'To be moved', visibility: 'internal' });
  world.few.rows.set(id, ['{"a":"line\\nin text"}', '{"a" :\n 1,\r\n "b": [\n2]}']);
  const place = `projects/${id}`;
  expect((await world.root.get(`/${place}/export_relations/status`)).body).toEqual([]);
  const started = await world.root.post(`/${place}/export_relations`);
  expect([started.status, started.body]).toEqual([202, { message: '202 Accepted' }]);
  const exports = await world.ended(place);
  expect(exports.filter(({ status, error, batched }) => status !== 1 || error !== null || batched)).toEqual(
    [],
  );
  const names = exports.map(({ relation }) => relation);
  expect(names).toEqual([...new Set(names)].sort());
  expect(names).toEqual(
    expect.arrayContaining(['self', 'repository', 'uploads', 'lfs_objects', 'design', 'labels', 'issues']),
  );
  expect(names).toEqual(expect.arrayContaining(['releases', 'boards', 'project_feature', 'commit_notes']));
  const lines = await world.lines(place, 'relation=test_few');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { a: 'line\nin text' },
    { a: 1, b: [2] },
  ]);
  const [self] = await world.lines(place, 'relation=self');
  expect(JSON.parse(self ?? '')).toMatchObject({
    id,
    path,
    description: 'To be moved',
    visibility_level: 10,
  });
  expect(self).not.toMatch(/token|secret|password|GR1348/i);
  expect(JSON.parse((await world.lines(place, 'relation=project_feature'))[0] ?? '')).toMatchObject({
    issues_access_level: 20,
    container_registry_access_level: 0,
  });
});

it('downloads have names, lengths, digests, ranges and HEAD', async () => {
  const { id } = await buildProject(world.root);
  world.few.rows.set(id, numbered(300));
  const place = `projects/${id}`;
  await world.begin(place);
  await world.ended(place);
  const path = `${place}/export_relations/download?relation=test_few`;
  const whole = await world.fetch(path);
  expect(whole.headers.get('content-type')).toBe('application/gzip');
  expect(whole.headers.get('content-disposition')).toContain('attachment; filename="test_few.ndjson.gz"');
  expect(whole.headers.get('content-length')).toBe(String(whole.bytes.length));
  const part = await world.fetch(path, { Range: 'bytes=2-9' });
  expect([part.status, part.bytes.equals(whole.bytes.subarray(2, 10))]).toEqual([206, true]);
  const head = await fetch(`${world.api.url}/api/v4/${path}`, {
    method: 'HEAD',
    headers: { 'PRIVATE-TOKEN': 'glpat-root-token-of-tests-0001' },
  });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.bytes.length)]);
  const nested = await world.fetch(`${place}/export_relations/download?search_params[relation]=test_few`);
  expect(nested.bytes.equals(whole.bytes)).toBe(true);
  const self = await world.fetch(`${place}/export_relations/download?relation=self`);
  expect(self.headers.get('content-disposition')).toContain('filename="self.json.gz"');
  const uploads = await world.fetch(`${place}/export_relations/download?relation=uploads`);
  expect(uploads.headers.get('content-disposition')).toContain('filename="uploads.tar.gz"');
  expect(gunzipSync(uploads.bytes)).toEqual(Buffer.alloc(1024));
});

it('an export writes batches of a thousand, and none for empty relations', async () => {
  const { id } = await buildProject(world.root);
  world.many.rows.set(id, numbered(2_345));
  const place = `projects/${id}`;
  await world.begin(place, true);
  const exports = await world.ended(place);
  const many = exports.find(({ relation }) => relation === 'test_many');
  expect(many).toMatchObject({ status: 1, batched: true, batches_count: 3, total_objects_count: 2_345 });
  expect(many?.batches?.map((each) => [each.batch_number, each.objects_count])).toEqual([
    [1, 1_000],
    [2, 1_000],
    [3, 345],
  ]);
  const lines: string[] = [];
  for (const number of [1, 2, 3])
    lines.push(...(await world.lines(place, `relation=test_many&batched=true&batch_number=${number}`)));
  expect(lines).toEqual(numbered(2_345));
  expect(exports.find(({ relation }) => relation === 'test_few')).toMatchObject({ batched: false });
  world.many.rows.set(id, []);
  await world.begin(place, true);
  const empty = (await world.ended(place)).find(({ relation }) => relation === 'test_many');
  expect(empty).toMatchObject({
    status: 1,
    batched: true,
    batches_count: 0,
    total_objects_count: 0,
    batches: [],
  });
});

it('an export continues after the last batch when a page fails, and fails if it keeps failing', async () => {
  const { id } = await buildProject(world.root);
  world.many.rows.set(id, numbered(2_500));
  const seen: number[] = [];
  let failures = 1;
  world.many.beforePage = (afterId) => {
    seen.push(afterId);
    if (afterId >= 2_000 && failures-- > 0) throw new Error('The connection is lost');
  };
  const place = `projects/${id}`;
  await world.begin(place, true);
  const exports = await world.ended(place);
  world.many.beforePage = () => undefined;
  expect(exports.find(({ relation }) => relation === 'test_many')).toMatchObject({
    status: 1,
    batches_count: 3,
    total_objects_count: 2_500,
  });
  expect(seen.filter((afterId) => afterId === 0)).toHaveLength(1);
  world.few.beforePage = () => {
    throw new Error('select secret from /var/lib/things');
  };
  await world.begin(place);
  await world.api.sql(
    `update background_jobs set attempt = 10 where name = 'relation-exports.write' and payload ->> 'exportId' in
      (select id::text from relation_exports where relation = 'test_few' and project_id = $1)`,
    [id],
  );
  await until(async () => {
    await world.api.sql(`update background_jobs set run_at = now() where name = 'relation-exports.write'`);
    const { body } = await world.root.get<ExportBody>(`/${place}/export_relations/status?relation=test_few`);
    return body.status === -1;
  }, 30_000);
  world.few.beforePage = () => undefined;
  const { body } = await world.root.get<ExportBody>(`/${place}/export_relations/status?relation=test_few`);
  expect(body.error).toMatch(/^The relation could not be written: Error \([\w-]+\)$/);
});

it('an export keeps pages small if records are large', async () => {
  const { id } = await buildProject(world.root);
  const large = JSON.stringify({ text: 'x'.repeat(1_000_000) });
  world.few.rows.set(id, [...numbered(2_000), ...Array.from({ length: 600 }, () => large)]);
  world.few.limits.length = 0;
  await world.begin(`projects/${id}`);
  await world.ended(`projects/${id}`);
  expect(Math.max(...world.few.limits)).toBeLessThanOrEqual(500);
  expect(world.few.limits.at(-1)).toBe(1);
  world.few.rows.delete(id);
});

it('a new export removes earlier files, and keeps pending relations', async () => {
  const { id } = await buildProject(world.root);
  const place = `projects/${id}`;
  await world.begin(place);
  await world.ended(place);
  const before = await objectKeys();
  world.few.rows.set(id, numbered(3));
  await world.begin(place);
  await world.ended(place);
  expect(await world.lines(place, 'relation=test_few')).toHaveLength(3);
  const after = new Set((await objectKeys()).map((row) => row.object_key));
  const gone = before.filter((row) => !after.has(row.object_key)).map((row) => row.object_key);
  expect(gone.length).toBeGreaterThan(20);
  const due = await world.api.sql(
    'select 1 from object_claims where object_key = any($1) and due_at <= now()',
    [gone],
  );
  expect(due).toHaveLength(gone.length);
  const answers = await Promise.all([1, 2, 3].map(() => world.root.post(`/${place}/export_relations`)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  const names = (await world.ended(place)).map(({ relation }) => relation);
  expect(names).toEqual([...new Set(names)]);
});

it('an export writes code as a bundle that git can clone, or an empty archive without code', async () => {
  const code = await buildCodeProject(world.api, async (work) => {
    await work.git('tag', 'v1');
  });
  const place = `projects/${code.id}`;
  await world.begin(place);
  await world.ended(place);
  const { bytes } = await world.fetch(`${place}/export_relations/download?relation=repository`);
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-bundle-test-'));
  try {
    writeFileSync(join(folder, 'repository.tar.gz'), bytes);
    execFileSync('tar', ['-xzf', 'repository.tar.gz'], { cwd: folder });
    expect(readdirSync(folder).sort()).toEqual(['project.bundle', 'repository.tar.gz']);
    execFileSync('git', ['clone', '--quiet', '--mirror', 'project.bundle', 'clone.git'], { cwd: folder });
    const log = execFileSync('git', ['-C', 'clone.git', 'log', '--format=%H', 'main'], { cwd: folder });
    expect(log.toString().trim().split('\n').reverse()).toEqual(code.commits);
    const refs = execFileSync('git', ['-C', 'clone.git', 'for-each-ref', '--format=%(refname)'], {
      cwd: folder,
    });
    expect(refs.toString()).toContain('refs/tags/v1');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('an export writes groups with their attributes', async () => {
  const group = await buildGroup(world.api, { description: 'Ours', visibility: 'public' });
  const place = `groups/${group.id}`;
  await world.begin(place, true);
  const names = (await world.ended(place)).map(({ relation }) => relation);
  expect(names).toEqual(
    expect.arrayContaining([
      'self',
      'badges',
      'boards',
      'labels',
      'milestones',
      'namespace_settings',
      'uploads',
    ]),
  );
  expect(names).not.toContain('members');
  const self = JSON.parse((await world.lines(place, 'relation=self'))[0] ?? '') as Record<string, unknown>;
  expect(self).toMatchObject({ path: group.path, description: 'Ours', visibility_level: 20 });
  expect(Object.keys(self).filter((name) => /token|ip_restriction/.test(name))).toEqual([]);
  expect((await world.root.get(`/groups/${group.id}/avatar`)).body).toEqual({
    message: '404 Avatar Not Found',
  });
});

it('exports that were not used for a day are removed with their files', async () => {
  const { id } = await buildProject(world.root);
  const place = `projects/${id}`;
  await world.begin(place);
  await world.ended(place);
  await world.api.sql(
    `update relation_exports set updated_at = now() - interval '25 hours' where project_id = $1`,
    [id],
  );
  // A download keeps the files.
  await world.lines(place, 'relation=self');
  const signal = new AbortController().signal;
  await world.api.app.get(PruneExportsProcessor, { strict: false }).process({}, { signal } as never);
  const left = (await world.root.get<ExportBody[]>(`/${place}/export_relations`)).body;
  expect(left.map(({ relation }) => relation)).toEqual(['self']);
  await world.api.app.get(RemoveObjectsProcessor, { strict: false }).process({}, { signal } as never);
  expect(await world.api.sql('select 1 from object_claims where due_at <= now()')).toEqual([]);
});

it('a lost file is 404', async () => {
  const { id } = await buildProject(world.root);
  await world.begin(`projects/${id}`);
  await world.ended(`projects/${id}`);
  await world.api.sql(
    `update relation_export_batches set object_key = 'relation-exports/none' where export_id in
      (select id from relation_exports where project_id = $1 and relation = 'self')`,
    [id],
  );
  const { status, bytes } = await world.fetch(`projects/${id}/export_relations/download?relation=self`);
  expect([status, JSON.parse(bytes.toString())]).toEqual([404, { message: '404 Export File Not Found' }]);
});
