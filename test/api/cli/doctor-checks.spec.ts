import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Config } from '#kernel/config/config.js';
import { Transactions } from '#kernel/database/transactions.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { ArtifactStoreService } from '#core/ci/artifacts/artifact-store.service.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import { consistencyChecks, flowChecks } from '../../../src/cli/doctor/doctor-checks.js';
import { missingObjects } from '../../../src/cli/doctor-objects.js';
import { startApi, type TestApi } from '../../support/api.js';
import { sendAvatar } from '../../support/avatars.js';
import { breakages } from '../../support/breakages.js';
import { buildIssue } from '../../support/builders/issue.js';
import { buildJob, buildPipeline, buildRunningJob } from '../../support/builders/ci.js';

const checks = [...consistencyChecks, ...flowChecks];
const mendOf = (name: string): readonly string[] => checks.find(({ check }) => check === name)?.mend ?? [];

describe('the consistency checks of doctor', () => {
  let api: TestApi;
  let client: pg.Client;
  let done: Job;

  beforeAll(async () => {
    api = await startApi();
    const person = { username: 'eve', name: 'Eve', email: 'eve@example.com', password: 'a word of hers' };
    await api.root.post('/users', person);
    const { body: shop } = await api.root.post<{ id: number }>('/groups', { name: 'Shop', path: 'shop' });
    const { body: inner } = await api.root.post<{ id: number }>('/groups', {
      name: 'Inner',
      path: 'inner',
      parent_id: shop.id,
    });
    await api.root.post('/projects', { name: 'Own', path: 'own' });
    const { body: project } = await api.root.post<{ id: number }>('/projects', {
      name: 'Web',
      path: 'web',
      namespace_id: inner.id,
    });
    for (const status of ['success', 'failed', 'running']) {
      const what = { environment: 'production', ref: 'main', tag: false, sha: 'a'.repeat(40), status };
      const { status: code } = await api.root.post(`/projects/${project.id}/deployments`, what);
      expect(code).toBe(201);
    }
    const issue = await buildIssue(api.root, project.id);
    await api.root.post(`/projects/${project.id}/issues/${issue.iid}/notes`, { body: 'A word' });
    await buildJobs(project.id);
    client = new pg.Client({ connectionString: api.databaseUrl });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await api.close();
  });

  /** A waiting status, a running one, one that has just finished, and a bridge whose child runs. */
  async function buildJobs(projectId: number): Promise<void> {
    const pipeline = await buildPipeline(api, projectId, { status: 'running' });
    await buildJob(api, pipeline, { name: 'waits' });
    await buildRunningJob(api, pipeline, { name: 'runs' });
    done = await buildJob(api, pipeline, { name: 'done', status: 'success', finishedAt: new Date() });
    await api.sql(`insert into ci_trace_chunks (job_id, start, data) values ($1, 0, 'x')`, [done.id]);
    const longAgo = new Date(Date.now() - 3_600_000);
    const values: Partial<Job> = { name: 'child', kind: 'bridge', status: 'running' };
    const bridge = await buildJob(api, pipeline, { ...values, updatedAt: longAgo });
    await buildPipeline(api, projectId, { status: 'running', parentId: pipeline.id, bridgeId: bridge.id });
  }

  const find = async (): Promise<Map<string, string[]>> => {
    const found = new Map<string, string[]>();
    for (const { check, sql } of checks) {
      const { rows } = await client.query<{ what: string }>(sql);
      if (rows.length > 0)
        found.set(
          check,
          rows.map(({ what }) => what),
        );
    }
    return found;
  };

  it('find no problem in data written by the service itself', async () => {
    expect(await find()).toEqual(new Map());
  });

  it.each(breakages)('after %j: %s', async (sql, check, what) => {
    await client.query('begin');
    try {
      await client.query(sql);
      const found = await find();
      expect([...found.keys()]).toEqual([check]);
      for (const one of found.get(check) ?? []) expect(one).toMatch(what);
    } finally {
      await client.query('rollback');
    }
  });

  it.each(breakages.filter(([, check]) => mendOf(check).length > 0))(
    'are satisfied again by the repair after %j: %s',
    async (sql, check) => {
      await client.query('begin');
      try {
        await client.query(sql);
        for (const text of mendOf(check)) await client.query(text);
        expect(await find()).toEqual(new Map());
      } finally {
        await client.query('rollback');
      }
    },
  );

  it('each have a case that breaks them', () => {
    expect(new Set(breakages.map(([, check]) => check))).toEqual(new Set(checks.map(({ check }) => check)));
  });

  it('report artifacts whose object does not exist', async () => {
    const { app } = api;
    const missing = (): Promise<string[]> => missingObjects(client, app.get(Config), 'ci_job_artifacts');
    expect(await missing()).toEqual([]);
    const store = app.get(ArtifactStoreService, { strict: false });
    for (const fileType of ['archive', 'junit']) {
      const staged = await store.stage(done.projectId, Buffer.from(fileType));
      const file = { fileType, fileFormat: null, filename: fileType, expireAt: null };
      await app.get(Transactions).run((tx) => store.add(tx, done, file, staged));
    }
    expect(await missing()).toEqual([]);
    const [row] = await api.sql<{ id: number; key: string }>(
      `select id, object_key as key from ci_job_artifacts where file_type = 'junit'`,
    );
    await app.get(ObjectStorage).delete(row?.key ?? '');
    expect(await missing()).toEqual([`artifact ${row?.id} of CI job ${done.id}`]);
    await api.sql(`delete from ci_job_artifacts where file_type = 'junit'`);
    expect(await missing()).toEqual([]);
  });

  it('report avatars whose object does not exist', async () => {
    const { app } = api;
    const missing = (): Promise<string[]> => missingObjects(client, app.get(Config), 'avatars');
    expect(await missing()).toEqual([]);
    const [group] = await api.sql<{ id: number }>(`select id from namespaces where full_path = 'shop'`);
    for (const path of [`/groups/${group?.id}`, `/projects/${done.projectId}`])
      expect((await sendAvatar(api.root, 'PUT', path)).status).toBe(200);
    expect((await sendAvatar(api.root, 'PUT', '/user/avatar')).status).toBe(200);
    expect(await missing()).toEqual([]);
    for (const { key } of await api.sql<{ key: string }>('select object_key as key from avatars'))
      await app.get(ObjectStorage).delete(key);
    expect(await missing()).toEqual([
      'avatar of user 1',
      `avatar of project ${done.projectId}`,
      `avatar of group ${group?.id}`,
    ]);
    await api.sql('delete from avatars');
    expect(await missing()).toEqual([]);
  });
});
