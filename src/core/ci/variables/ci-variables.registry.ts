import { Injectable } from '@nestjs/common';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { Job } from '../jobs/job.entity.js';

/** For what variables are wanted: for the rules of a pipeline that is being made, or for one of its jobs. */
export interface VariableScope {
  readonly projectId: number;
  readonly ref: string;
  /** Whether the ref is protected. */
  readonly protected: boolean;
  /** Name of the environment, where the job has one. */
  readonly environment: string | null;
  /** Null while the pipeline is made. */
  readonly job: Job | null;
}

/** Answers with variables; the later of two of one key counts. */
export type VariableContribution = (scope: VariableScope) => Promise<readonly CiVariable[]>;

/** Whoever gives variables to jobs (projects and groups, freeze periods, environments) registers here, in `onModuleInit`. */
@Injectable()
export class CiVariablesRegistry {
  private readonly sources: VariableContribution[] = [];

  register(source: VariableContribution): void {
    this.sources.push(source);
  }

  /** Variables of all sources, in the order in which they have registered. */
  async of(scope: VariableScope): Promise<CiVariable[]> {
    const found = await Promise.all(this.sources.map((source) => source(scope)));
    return found.flat();
  }
}
