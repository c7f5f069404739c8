import { describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { PermanentFailure } from '#kernel/queue/job-processor.js';
import { backoffMs } from '#kernel/queue/job-definition.js';
import type { CreatePipelineService } from '../creation/create-pipeline.service.js';
import type { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import { CreatePushPipelineJob } from './create-push-pipeline.job.js';
import { CreatePushPipelineProcessor } from './create-push-pipeline.processor.js';

const PUSHED = { projectId: 1, userId: 1, ref: 'refs/heads/main', before: '', after: '', variables: null };

const failing = (error: Error, openOfPipeline = (): [] => []): Promise<unknown> => {
  const pipelines = { create: () => Promise.reject(error) } as unknown as CreatePipelineService;
  const sealed = { openOfPipeline } as unknown as SealedVariablesService;
  const context = {} as unknown as JobContext;
  return new CreatePushPipelineProcessor(pipelines, sealed)
    .process(PUSHED, context)
    .catch((thrown: unknown) => thrown);
};

describe('the pipeline of a push', () => {
  it('is retried for about an hour', () => {
    const pauses = Array.from({ length: CreatePushPipelineJob.attempts - 1 }, (_, at) =>
      backoffMs(CreatePushPipelineJob.backoff, at + 1),
    );
    const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThan(75);
  });

  it.each([['08006'], ['40P01'], ['23505'], [undefined]])('is retried after %s', async (code) => {
    const error = Object.assign(new Error('away'), { code });
    expect(await failing(error)).toBe(error);
  });

  it('is not retried if it can never be created', async () => {
    const value = Object.assign(new Error('invalid byte sequence'), { code: '22021' });
    expect(await failing(value)).toBeInstanceOf(PermanentFailure);
    const unreadable = (): never => {
      throw new Error('sealed with another key');
    };
    expect(await failing(new Error('unused'), unreadable)).toBeInstanceOf(PermanentFailure);
  });
});
