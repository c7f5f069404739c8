import type { Pipeline } from '../../pipelines/pipeline.entity.js';

/** Published in the transaction that stores a pipeline, which may have no jobs. */
export class PipelineCreated {
  constructor(readonly pipeline: Pipeline) {}
}
