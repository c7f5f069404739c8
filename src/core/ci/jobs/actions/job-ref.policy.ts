import { Injectable } from '@nestjs/common';
import { forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import {
  PipelineProtectionsQueries,
  type PipelinePlace,
} from '../../pipelines/pipeline-protections.queries.js';

/** Who may run jobs of which branches and tags. */
@Injectable()
export class JobRefPolicy {
  constructor(private readonly protections: PipelineProtectionsQueries) {}

  /** @throws 403 for whoever may neither push nor merge to a protected branch, nor create a protected tag */
  async assertMayRun(pipeline: PipelinePlace, by: RightsOf): Promise<void> {
    const protection = await this.protections.of(pipeline, by);
    const mayRun =
      !protection || (pipeline.tag ? protection.may_create : protection.may_push || protection.may_merge);
    if (!mayRun) throw forbidden();
  }
}
