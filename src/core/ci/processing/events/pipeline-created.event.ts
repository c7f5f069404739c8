import type { Pipeline } from '../../pipelines/pipeline.entity.js';

/** A pipeline has been stored, perhaps without jobs; in the transaction that stores it. */
export class PipelineCreated {
  constructor(readonly pipeline: Pipeline) {}
}
