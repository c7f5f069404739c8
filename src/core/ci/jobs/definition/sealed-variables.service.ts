import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { CiVariable } from './job-definition.js';

/** Seals the variables that people give to pipelines and jobs: they may be secret. */
@Injectable()
export class SealedVariablesService {
  constructor(private readonly box: SecretBox) {}

  /** Of a pipeline; null for none. */
  sealForPipeline(variables: readonly CiVariable[]): string | null {
    return this.seal(variables, 'ci_pipeline:variables');
  }

  /** What `sealForPipeline` has sealed. */
  openOfPipeline(sealed: string | null): CiVariable[] {
    return this.open(sealed, 'ci_pipeline:variables');
  }

  /** Of a job that somebody plays; null for none. */
  sealForJob(jobId: number, variables: readonly CiVariable[]): string | null {
    return this.seal(variables, `ci_job:${jobId}:variables`);
  }

  /** What `sealForJob` has sealed. */
  openOfJob(jobId: number, sealed: string | null): CiVariable[] {
    return this.open(sealed, `ci_job:${jobId}:variables`);
  }

  private seal(variables: readonly CiVariable[], purpose: string): string | null {
    return variables.length === 0 ? null : this.box.seal(JSON.stringify(variables), purpose);
  }

  private open(sealed: string | null, purpose: string): CiVariable[] {
    return sealed === null ? [] : (JSON.parse(this.box.open(sealed, purpose)) as CiVariable[]);
  }
}
