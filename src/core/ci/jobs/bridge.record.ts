import { Nested } from '#kernel/http/fields/composite-fields.js';
import type { Links } from '#kernel/http/links.js';
import {
  presentPipelineBasic,
  PipelineBasicRecord,
  type PipelineBasicRow,
} from '../pipelines/records/pipeline-basic.record.js';
import { JobBasicRecord, presentJobBasic } from './job.record.js';
import type { JobRow } from './job.row.js';

/** A job that starts another pipeline. */
export class BridgeRecord extends JobBasicRecord {
  @Nested(() => PipelineBasicRecord, { nullable: true, description: 'Null until it is started' })
  downstream_pipeline!: PipelineBasicRecord | null;
}

/** Row of a bridge with its child pipeline, which is of the same project. */
export interface BridgeRow extends JobRow {
  readonly downstream: PipelineBasicRow | null;
}

/** Presents the row of a bridge. */
export const presentBridge = (row: BridgeRow, links: Links, seesCode: boolean): BridgeRecord =>
  Object.assign(presentJobBasic(row, links, seesCode), {
    downstream_pipeline:
      row.downstream && presentPipelineBasic(row.downstream, links.project(row.project_path)),
  });
