import { Injectable } from '@nestjs/common';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { Job } from '../jobs/job.entity.js';

/** Context of variables: the rules of a new pipeline, or one of its jobs. */
export interface VariableScope {
  readonly projectId: number;
  readonly ref: string;
  /** Whether the ref is protected. */
  readonly protected: boolean;
  /** Name of the environment, if the job has one. */
  readonly environment: string | null;
  /** Null while the pipeline is being created. */
  readonly job: Job | null;
}

/** Returns variables; the last of duplicate keys wins. */
export type VariableContribution = (scope: VariableScope) => Promise<readonly CiVariable[]>;

/**
 * Registry of sources of variables for jobs (projects and groups, freeze periods, environments); they
 * register in `onModuleInit`.
 */
@Injectable()
export class CiVariablesRegistry {
  private readonly sources: VariableContribution[] = [];

  register(source: VariableContribution): void {
    this.sources.push(source);
  }

  /** Returns the variables of all sources, in the order of registration. */
  async of(scope: VariableScope): Promise<CiVariable[]> {
    const found = await Promise.all(this.sources.map((source) => source(scope)));
    return found.flat();
  }
}
