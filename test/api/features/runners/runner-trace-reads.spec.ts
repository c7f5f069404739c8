import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { JobDesk, type Running } from '../../../support/job-desk.js';

/** Parts of the same length, each with its number. */
const SEED = `insert into ci_trace_chunks (job_id, start, data)
  select $1, (n - 1) * $2::bigint, convert_to(lpad(n::text, $2::int, '.'), 'UTF8') from generate_series(1, $3::int) n`;

describe('traces of many parts', () => {
  let api: TestApi;
  let desk: JobDesk;

  beforeAll(async () => {
    api = await startApi();
    desk = await JobDesk.build(api);
  });
  afterAll(() => api.close());

  const seed = async (length: number, parts: number): Promise<{ job: Running; text: string }> => {
    const job = await desk.run();
    await api.sql(SEED, [job.id, length, parts]);
    const text = Array.from({ length: parts }, (_, at) => String(at + 1).padStart(length, '.')).join('');
    return { job, text };
  };

  it('are read many parts at a time', async () => {
    const { job, text } = await seed(10, 3_000);
    const reads = jest.spyOn(api.app.get(ReadDatabase, { strict: false }), 'long');
    try {
      expect((await desk.trace(job)) === text).toBe(true);
      expect(reads.mock.calls.length).toBeLessThan(100);
    } finally {
      reads.mockRestore();
    }
  });

  it('are read a few at a time if they are large', async () => {
    const { job, text } = await seed(700_000, 5);
    const reads = jest.spyOn(api.app.get(ReadDatabase, { strict: false }), 'long');
    try {
      expect((await desk.trace(job)) === text).toBe(true);
      expect(reads.mock.calls.length).toBe(5);
    } finally {
      reads.mockRestore();
    }
  });

  it('are not found if their file is lost', async () => {
    const job = await desk.run();
    await api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, filename, size, sha256, object_key)
       values ($1, $2, 'trace', 'job.log', 5, '', 'artifacts/lost')`,
      [desk.team.projectId, job.id],
    );
    const { developer, projectId } = desk.team;
    expect((await developer.get(`/projects/${projectId}/jobs/${job.id}/trace`)).status).toBe(404);
  });
});
