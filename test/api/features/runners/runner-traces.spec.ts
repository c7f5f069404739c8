import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobTransitionsService } from '#core/ci/processing/job-transitions.service.js';
import { WatchJobsProcessor } from '#core/ci/watch/watch-jobs.processor.js';
import { LostJobsService } from '#core/ci/watch/lost-jobs.service.js';
import { TracesService } from '#core/ci/traces/traces.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { patchTrace } from '../../../support/builders/runner.js';
import { JobDesk } from '../../../support/job-desk.js';
import { longestOwnStop } from '../../../support/longest-stop.js';
import { until } from '../../../support/until.js';

const INTERVAL = 'X-GitLab-Trace-Update-Interval';

describe('traces', () => {
  let api: TestApi;
  let desk: JobDesk;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeAll(async () => {
    desk = await JobDesk.build(api);
  });
  afterAll(() => api.close());

  describe('sent by their runner', () => {
    it('are appended part by part', async () => {
      const job = await desk.run();
      const first = await patchTrace(api, job, '0-4', 'hello');
      expect([first.status, first.text, first.headers.get('Range')]).toEqual([202, '202', '0-5']);
      expect([first.headers.get('Job-Status'), first.headers.get(INTERVAL)]).toEqual(['running', '60']);
      expect((await patchTrace(api, job, '5-11', ' world')).headers.get('Range')).toBe('0-11');
      expect(await desk.trace(job)).toBe('hello world');
      const watched = await patchTrace(api, job, '11-11', '!');
      expect([watched.status, watched.headers.get(INTERVAL)]).toEqual([202, '3']);
      expect(await desk.trace(job)).toBe('hello world!');
    });

    it('are appended only at their end', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello');
      for (const range of ['4-8', '6-10', '100-105', '0-1', 'x-y', '-1', '']) {
        const answer = await patchTrace(api, job, range, 'other');
        if (range === '0-1') continue;
        expect([range, answer.status, answer.headers.get('Range')]).toEqual([range, 416, '0-5']);
      }
      const missing = await patchTrace(api, job, null, 'x');
      expect([missing.status, missing.body]).toEqual([400, { message: '400 Missing header Content-Range' }]);
      const empty = await patchTrace(api, job, '5-4', '');
      expect([empty.status, empty.headers.get('Range')]).toEqual([202, '0-5']);
      expect(await desk.trace(job)).toBe('hello');
    });

    it('store each part once, however often it is sent', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello');
      const again = await patchTrace(api, job, '0-4', 'hello');
      expect([again.status, again.headers.get('Range')]).toEqual([202, '0-5']);
      const atOnce = await Promise.all(
        Array.from({ length: 8 }, (_, index) => patchTrace(api, job, '5-9', `${index}${index}${index}`)),
      );
      expect(atOnce.every(({ status }) => status === 202)).toBe(true);
      expect(await desk.trace(job)).toMatch(/^hello(\d)\1\1$/);
    });

    it('are accepted from the start when all parts were lost', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello');
      await api.sql('delete from ci_trace_chunks where job_id = $1', [job.id]);
      const next = await patchTrace(api, job, '5-10', ' world');
      expect([next.status, next.headers.get('Range')]).toEqual([416, '0-0']);
      expect((await patchTrace(api, job, '0-10', 'hello world')).status).toBe(202);
      expect(await desk.trace(job)).toBe('hello world');
    });

    it('are refused once the job ends, even if the bytes arrive while it is ending', async () => {
      const job = await desk.run();
      const blocked = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      const late = await api.app.get(Transactions).run(async (tx) => {
        await tx.query(`update ci_jobs set status = 'canceled' where id = $1`, [job.id]);
        const [row] = await tx.query<{ pid: number }[]>('select pg_backend_pid() as pid');
        const appended = api.app.get(TracesService).append(job.id, 0, Buffer.from('late'), job.token);
        await Promise.race([appended, until(async () => (await api.sql(blocked, [row?.pid])).length > 0)]);
        return { appended };
      });
      expect(await late.appended).toEqual({ isTaken: false, size: 0 });
      expect(await desk.trace(job)).toBe('');
    });

    it('are stored with the job token masked', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-99', `a ${job.token} b ${job.token}`);
      expect(await desk.trace(job)).toBe(
        `a ${'x'.repeat(job.token.length)} b ${'x'.repeat(job.token.length)}`,
      );
    });

    it('are accepted only from their own runner', async () => {
      const job = await desk.run();
      const other = await desk.run();
      expect((await patchTrace(api, { id: job.id, token: other.token }, '0-1', 'a')).status).toBe(403);
      expect((await patchTrace(api, { id: 999_999, token: job.token }, '0-1', 'a')).status).toBe(403);
      const byQuery = await api.anonymous.send('PATCH', `/jobs/${job.id}/trace?token=${job.token}`, 'ab', {
        'Content-Range': '0-1',
      });
      expect(byQuery.status).toBe(202);
      expect((await desk.team.maintainer.send('PATCH', `/jobs/${job.id}/trace`, 'ab')).status).toBe(403);
    });

    it('are limited in size', async () => {
      const job = await desk.run();
      await api.root.put('/application/plan_limits', { plan_name: 'default', ci_jobs_trace_size_limit: 1 });
      const mebibyte = 'x'.repeat(1024 * 1024);
      expect((await patchTrace(api, job, '0-1', mebibyte)).status).toBe(202);
      expect((await patchTrace(api, job, '99999999-99999999', 'x')).status).toBe(416);
      const tooMuch = await patchTrace(api, job, `${mebibyte.length}-${mebibyte.length}`, 'x');
      expect([tooMuch.status, tooMuch.headers.get('Job-Status')]).toEqual([403, 'failed']);
      expect(await desk.row(job)).toMatchObject({ status: 'failed', failure_reason: 'trace_size_exceeded' });
      await api.root.put('/application/plan_limits', { plan_name: 'default', ci_jobs_trace_size_limit: 100 });
      const long = await patchTrace(api, await desk.run(), '0-1', 'x'.repeat(9 * 1024 * 1024));
      expect(long.status).toBe(413);
    });

    it('do not reveal the job token, however it is split', async () => {
      const cuts = [
        [1],
        [5],
        [9],
        [12],
        [25],
        [3, 7, 12, 20],
        Array.from({ length: 60 }, (_, index) => index + 1),
      ];
      for (const places of cuts) {
        const job = await desk.run();
        const { length } = job.token;
        const text = `ab${job.token}cd`;
        const expected = `ab${'x'.repeat(length)}cd`;
        const borders = [
          0,
          ...places.map((place) => place + 2).filter((place) => place < text.length),
          text.length,
        ];
        for (const [index, from] of borders.slice(0, -1).entries()) {
          const to = borders[index + 1] ?? text.length;
          const answer = await patchTrace(api, job, `${from}-${to - 1}`, text.slice(from, to));
          expect([answer.status, answer.headers.get('Range')]).toEqual([202, `0-${to}`]);
          // Output read in the meantime does not reveal it either.
          expect(await desk.trace(job)).not.toContain(job.token.slice(0, 10));
        }
        expect(await desk.trace(job)).toBe(expected);
      }
    });

    it('are stored unchanged if they contain no part of the token', async () => {
      const job = await desk.run();
      const parts = ['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '\ngl', 'cbt-', ' and more', '\n'];
      let start = 0;
      for (const part of parts) {
        await patchTrace(api, job, `${start}-${start + part.length - 1}`, part);
        start += part.length;
      }
      expect(await desk.trace(job)).toBe(parts.join(''));
    });

    it('are readable only to users who may see secrets, once the runner reports debug output', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello', '?debug_trace=true');
      const path = `/projects/${desk.team.projectId}/jobs/${job.id}/trace`;
      expect((await desk.team.developer.get(path)).status).toBe(200);
      expect((await desk.team.reporter.get(path)).status).toBe(403);
    });
  });

  describe('whose job ends', () => {
    const checksum = (text: string): string => `crc32:${crc32(text).toString(16).padStart(8, '0')}`;
    const sent = (text: string): object => ({ checksum: checksum(text), bytesize: Buffer.byteLength(text) });

    it('are complete if all of it has arrived', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello');
      const body = { state: 'success', checksum: checksum('hello'), output: sent('hello') };
      expect((await desk.update(job, body)).status).toBe(200);
      expect(await desk.row(job)).toMatchObject({ status: 'success' });
    });

    it('are awaited if some of it is still to come', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello');
      const body = { state: 'success', output: sent('hello world') };
      for (let times = 0; times < 2; times += 1) {
        const early = await desk.update(job, body);
        expect([early.status, early.text, early.headers.get('Job-Status')]).toEqual([202, '202', 'running']);
        expect(Number(early.headers.get(INTERVAL))).toBeGreaterThan(0);
      }
      await patchTrace(api, job, '5-10', ' world');
      expect((await desk.update(job, body)).status).toBe(200);
      expect(await desk.trace(job)).toBe('hello world');
    });

    it('are no longer awaited after a while', async () => {
      const job = await desk.run();
      const body = { state: 'success', output: sent('hello') };
      expect((await desk.update(job, body)).status).toBe(202);
      await api.sql(`update ci_jobs set trace_checked_at = now() - interval '301 s' where id = $1`, [job.id]);
      expect((await desk.update(job, body)).status).toBe(200);
    });

    it('are awaited once if they do not match, and then accepted', async () => {
      const job = await desk.run();
      await patchTrace(api, job, '0-4', 'hello');
      const body = { state: 'failed', failure_reason: 'script_failure', checksum: 'crc32:12345678' };
      expect((await desk.update(job, body)).status).toBe(202);
      expect((await desk.update(job, body)).status).toBe(200);
      expect(await desk.row(job)).toMatchObject({ status: 'failed' });
    });

    it('end for a vanished runner, even if another job cannot be ended', async () => {
      const [stuck, lost] = [await desk.run(), await desk.run()];
      await api.sql(`update ci_jobs set runner_seen_at = now() - interval '1 hour' where id = any($1)`, [
        [stuck.id, lost.id],
      ]);
      const transitions = api.app.get(JobTransitionsService);
      const move = transitions.move.bind(transitions);
      const broken = jest.spyOn(transitions, 'move').mockImplementation((tx, job, ...how) => {
        return job.id === stuck.id ? Promise.reject(new Error('broken')) : move(tx, job, ...how);
      });
      await api.app
        .get(LostJobsService)
        .end(new AbortController().signal)
        .finally(() => {
          broken.mockRestore();
        });
      expect([(await desk.row(stuck))['status'], (await desk.row(lost))['status']]).toEqual([
        'running',
        'failed',
      ]);
    });

    it('are enqueued again if they were not archived for long', async () => {
      const build = async (age: string): Promise<{ id: number; token: string }> => {
        const job = await desk.run();
        for (const [range, text] of [
          ['0-1', 'ab'],
          ['2-3', 'cd'],
        ] as const)
          await patchTrace(api, job, range, text);
        const done = `update ci_jobs set status = 'success', finished_at = now() - $2::interval where id = $1`;
        await api.sql(done, [job.id, age]);
        return job;
      };
      const [old, fresh] = [await build('2 hours'), await build('1 minute')];
      const running = await desk.run();
      await patchTrace(api, running, '0-1', 'ab');
      const context = { signal: new AbortController().signal } as unknown as JobContext;
      await api.app.get(WatchJobsProcessor, { strict: false }).process({}, context);
      const chunks = 'select distinct job_id as id from ci_trace_chunks where job_id = any($1) order by 1';
      const left = (): Promise<{ id: number }[]> => api.sql(chunks, [[old.id, fresh.id, running.id]]);
      await until(async () => (await left()).every(({ id }) => id !== old.id));
      expect(await left()).toEqual([{ id: fresh.id }, { id: running.id }]);
      expect(await desk.trace(old)).toBe('abcd');
    });

    it('are archived as a file of the job, with its coverage', async () => {
      const job = await desk.run({}, { coverage: '/Coverage: (\\d+\\.\\d+)%/' });
      const text = `begin\nCoverage: 10.0%\nCoverage: 81.5%\nend\n`;
      await patchTrace(api, job, '0-1', text);
      await desk.update(job, { state: 'success' });
      const files = 'select file_type, filename, file_format, size from ci_job_artifacts where job_id = $1';
      await until(async () => (await api.sql(files, [job.id])).length === 1);
      expect(await api.sql(files, [job.id])).toEqual([
        { file_type: 'trace', filename: 'job.log', file_format: null, size: text.length },
      ]);
      expect(await api.sql('select 1 from ci_trace_chunks where job_id = $1', [job.id])).toEqual([]);
      expect(await desk.trace(job)).toBe(text);
      const shown = await desk.team.developer.get(`/projects/${desk.team.projectId}/jobs/${job.id}`);
      expect(shown.body).toMatchObject({
        coverage: 81.5,
        artifacts: [{ file_type: 'trace', filename: 'job.log', file_format: null, size: text.length }],
      });
      expect(shown.body).not.toHaveProperty('artifacts_file');
    });

    it('do not stop the service by the pattern of their coverage', async () => {
      const archived = `select 1 from ci_job_artifacts where file_type = 'trace' and job_id = $1`;
      const heavy = '(.?)'.repeat(200);
      const stop = await longestOwnStop(500, async () => {
        const job = await desk.run({}, { coverage: `${heavy}\\d{1000}` });
        const text = `${'x'.repeat(4_000)}\n`.repeat(20);
        await patchTrace(api, job, `0-${text.length - 1}`, text);
        await desk.update(job, { state: 'success' });
        await until(async () => (await api.sql(archived, [job.id])).length === 1);
      });
      expect(stop).toBeLessThan(500);
    });
  });
});
