import type { Pipeline } from '../pipelines/pipeline.entity.js';

/** A pipeline is about to be removed, with its jobs, which have ended; its rows are there until the listeners are done. */
export class PipelineRemoved {
  constructor(readonly pipeline: Pipeline) {}
}
