import type { Pipeline } from '../pipelines/pipeline.entity.js';

/**
 * Published before a pipeline and its finished jobs are removed; the rows exist until all listeners are done.
 */
export class PipelineRemoved {
  constructor(readonly pipeline: Pipeline) {}
}
