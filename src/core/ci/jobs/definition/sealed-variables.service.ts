import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { CiVariable } from './job-definition.js';

/** Seals the variables that users give to pipelines and jobs, because they may be secret. */
@Injectable()
export class SealedVariablesService {
  constructor(private readonly box: SecretBox) {}

  /** Seals the variables of a pipeline; null for none. */
  sealForPipeline(variables: readonly CiVariable[]): string | null {
    return this.seal(variables, 'ci_pipeline:variables');
  }

  /** Opens variables sealed by `sealForPipeline`. */
  openOfPipeline(sealed: string | null): CiVariable[] {
    return this.open(sealed, 'ci_pipeline:variables');
  }

  /** Seals the variables of a played job; null for none. */
  sealForJob(jobId: number, variables: readonly CiVariable[]): string | null {
    return this.seal(variables, `ci_job:${jobId}:variables`);
  }

  /** Opens variables sealed by `sealForJob`. */
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
