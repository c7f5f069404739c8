import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JobWhen } from '../../jobs/job.entity.js';
import { isFinished, mayMove, type CiStatus } from '../../jobs/job-status.js';
import { PipelineJobs, type PipelineJob } from './pipeline-jobs.js';
import { takeSteps } from './pipeline-steps.js';

const need = (job: string) => ({ job, artifacts: true, optional: false });

const job = (name: string, stageIndex: number, values: Partial<PipelineJob> = {}): PipelineJob => ({
  id: 0,
  kind: 'build',
  name,
  stageIndex,
  when: 'on_success',
  attempt: 0,
  needs: null,
  awaited: null,
  status: 'created',
  allowFailure: false,
  ...values,
});

/** Formats the statuses of jobs after one step as `name:status`. */
function after(...jobs: PipelineJob[]): string {
  takeSteps(new PipelineJobs(jobs));
  return jobs.map(({ name, status }) => `${name}:${status}`).join(' ');
}

describe('processing a pipeline', () => {
  it('starts the first stage and jobs without needs', () => {
    expect(after(job('a', 0), job('b', 1), job('c', 2, { needs: [] }))).toBe('a:pending b:created c:pending');
  });

  it('starts a stage when all previous stages are finished', () => {
    expect(after(job('a', 0, { status: 'success' }), job('b', 1), job('c', 2))).toBe(
      'a:success b:pending c:created',
    );
    expect(after(job('a', 0, { status: 'success' }), job('x', 0, { status: 'running' }), job('b', 1))).toBe(
      'a:success x:running b:created',
    );
  });

  it.each<[CiStatus, boolean, JobWhen, CiStatus]>([
    ['success', false, 'on_success', 'pending'],
    ['success', false, 'on_failure', 'skipped'],
    ['success', false, 'always', 'pending'],
    ['success', false, 'manual', 'manual'],
    ['success', false, 'delayed', 'scheduled'],
    ['failed', false, 'on_success', 'skipped'],
    ['failed', false, 'on_failure', 'pending'],
    ['failed', false, 'always', 'pending'],
    ['failed', false, 'manual', 'skipped'],
    ['failed', false, 'delayed', 'skipped'],
    ['failed', true, 'on_success', 'pending'],
    ['failed', true, 'on_failure', 'skipped'],
    ['canceled', false, 'on_success', 'skipped'],
    ['canceled', false, 'on_failure', 'skipped'],
    ['canceled', false, 'always', 'pending'],
    ['skipped', false, 'on_success', 'pending'],
    ['manual', false, 'on_success', 'created'],
    ['manual', true, 'on_success', 'pending'],
    ['manual', true, 'on_failure', 'skipped'],
    ['scheduled', false, 'always', 'created'],
    ['waiting_for_resource', false, 'always', 'created'],
    ['running', true, 'always', 'created'],
  ])('after a stage that is %s (may fail: %s), %s is %s', (status, allowFailure, when, expected) => {
    expect(after(job('a', 0, { status, allowFailure }), job('b', 1, { when }))).toBe(
      `a:${status} b:${expected}`,
    );
  });

  it.each<[CiStatus, boolean, CiStatus]>([
    ['success', false, 'pending'],
    ['failed', true, 'pending'],
    ['failed', false, 'skipped'],
    ['skipped', false, 'skipped'],
    ['manual', true, 'skipped'],
    ['manual', false, 'created'],
    ['running', false, 'created'],
  ])('a job that needs one that is %s (may fail: %s) is %s', (status, allowFailure, expected) => {
    expect(after(job('a', 0, { status, allowFailure }), job('b', 1, { needs: [need('a')] }))).toBe(
      `a:${status} b:${expected}`,
    );
  });

  it('does not wait for a stage without jobs that are needed', () => {
    expect(
      after(
        job('a', 0, { status: 'success' }),
        job('slow', 0, { status: 'running' }),
        job('b', 1, { needs: [need('a')] }),
      ),
    ).toBe('a:success slow:running b:pending');
  });

  it('supports parallel jobs with the same name', () => {
    const needing = job('b', 1, { needs: [need('a')] });
    const first = job('a 1/2', 0, { status: 'success' });
    expect(after(first, job('a 2/2', 0, { status: 'running' }), { ...needing })).toContain('b:created');
    expect(after(first, job('a 2/2', 0, { status: 'success' }), { ...needing })).toContain('b:pending');
    expect(after(job('a: [x, y]', 0, { status: 'failed' }), { ...needing })).toContain('b:skipped');
  });

  it('skips all jobs that depend on a skipped one at once, in any order', () => {
    expect(
      after(
        job('a', 0, { status: 'failed' }),
        job('d', 1, { needs: [need('c')] }),
        job('c', 1, { needs: [need('b')] }),
        job('b', 1),
      ),
    ).toBe('a:failed d:skipped c:skipped b:skipped');
  });

  it('retries a manual job automatically, without waiting for a user', () => {
    expect(after(job('a', 0, { when: 'manual', attempt: 1 }))).toBe('a:pending');
  });

  it('finishes every job, whatever they need and however they end', () => {
    const whens: JobWhen[] = ['on_success', 'on_failure', 'always', 'manual', 'delayed'];
    const shape = fc.record({
      stage: fc.nat(4),
      when: fc.constantFrom(...whens),
      allowFailure: fc.boolean(),
      // Needed jobs, as distances backwards; null: all earlier stages.
      needs: fc.option(fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 })),
      ends: fc.constantFrom<CiStatus>('success', 'failed', 'canceled'),
    });
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 40 }), fc.func(fc.nat()), (shapes, choose) => {
        const inStages = [...shapes].sort((a, b) => a.stage - b.stage);
        const jobs = inStages.map((one, at) =>
          job(`j${at}`, one.stage, {
            id: at,
            when: one.when,
            allowFailure: one.allowFailure,
            needs: one.needs && one.needs.filter((back) => back <= at).map((back) => need(`j${at - back}`)),
          }),
        );
        for (let turn = 0; ; turn += 1) {
          expect(turn).toBeLessThan(jobs.length * 3 + 3);
          takeSteps(new PipelineJobs(jobs));
          const open = jobs.filter(
            ({ status, allowFailure }) => !isFinished(status) && !(status === 'manual' && allowFailure),
          );
          if (open.length === 0) break;
          const active = open.filter(({ status }) => status !== 'created');
          // A pipeline without an active job would never finish.
          expect(active.length).toBeGreaterThan(0);
          const one = active[choose(turn) % active.length] as PipelineJob;
          const next: CiStatus =
            one.status === 'pending'
              ? 'running'
              : one.status === 'running'
                ? (inStages[one.id] as { ends: CiStatus }).ends
                : 'pending';
          expect(mayMove(one.status, next)).toBe(true);
          one.status = next;
        }
        const { status } = new PipelineJobs(jobs);
        expect(isFinished(status)).toBe(true);
        const hasFailed = jobs.some((one) => one.status === 'failed' && !one.allowFailure);
        expect(status === 'failed').toBe(hasFailed);
      }),
      { numRuns: 500 },
    );
  });
});
