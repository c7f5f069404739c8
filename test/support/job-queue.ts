import { expect } from '@jest/globals';
import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { TestApi } from './api.js';
import { buildJob, buildPipeline } from './builders/ci.js';
import { buildCodeProject, type CodeProject } from './builders/code-project.js';
import { buildGroup } from './builders/group.js';
import { registerRunner, requestJob, type BuiltRunner, type Payload } from './builders/runner.js';

type Waiting = [values?: Partial<Job>, definition?: Partial<JobDefinition>, on?: Partial<Pipeline>];

/** A project with commits in a group, with its own runner. */
export class JobQueue {
  private constructor(
    private readonly api: TestApi,
    readonly group: number,
    readonly code: CodeProject,
    readonly runner: BuiltRunner,
  ) {}

  static async build(api: TestApi): Promise<JobQueue> {
    const { id: group } = await buildGroup(api);
    const code = await buildCodeProject(api, (work) => work.git('tag', 'v1'), { namespace_id: group });
    const runner = await registerRunner(api, { project: code.id }, { description: 'builder' });
    return new JobQueue(api, group, code, runner);
  }

  pipeline(values: Partial<Pipeline> = {}): Promise<Pipeline> {
    return buildPipeline(this.api, this.code.id, { sha: this.code.commits[1] ?? '', ...values });
  }

  /** Adds a waiting job, in its own pipeline. */
  async wait(...[values, definition, on]: Waiting): Promise<Job> {
    return buildJob(this.api, await this.pipeline(on), values, definition);
  }

  /** Adds a job, which the runner of the project takes. */
  async pick(...waiting: Waiting): Promise<Payload> {
    const job = await this.wait(...waiting);
    const answer = await requestJob(this.api, this.runner);
    expect([answer.status, answer.body.id]).toEqual([201, job.id]);
    return answer.body;
  }

  /** Removes all waiting jobs. */
  async clear(): Promise<void> {
    await this.api.sql('delete from ci_pending_jobs', []);
  }
}
