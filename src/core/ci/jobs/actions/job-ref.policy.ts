import { Injectable } from '@nestjs/common';
import { forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import {
  PipelineProtectionsQueries,
  type PipelineRefFacts,
} from '../../pipelines/pipeline-protections.queries.js';

/** Decides who may run the jobs of protected refs. */
@Injectable()
export class JobRefPolicy {
  constructor(private readonly protections: PipelineProtectionsQueries) {}

  /**
   * Asserts that the user may run jobs of the pipeline. @throws 403 if they can neither push nor merge to its
   * protected branch, nor create its protected tag
   */
  async assertMayRun(pipeline: PipelineRefFacts, by: RightsOf): Promise<void> {
    const protection = await this.protections.of(pipeline, by);
    const mayRun =
      !protection || (pipeline.tag ? protection.may_create : protection.may_push || protection.may_merge);
    if (!mayRun) throw forbidden();
  }
}
