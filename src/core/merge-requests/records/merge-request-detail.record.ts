import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { PipelineBasicRecord } from '#core/ci/pipelines/records/pipeline-basic.record.js';
import { PipelineRecord } from '#core/ci/pipelines/records/pipeline.record.js';
import { MergeRequestRecord } from './merge-request.record.js';

/** Commits of the diff of a merge request. */
export class DiffRefsRecord {
  @Text({ nullable: true, description: 'The merge base' })
  base_sha!: string | null;

  @Text({ nullable: true })
  head_sha!: string | null;

  @Text({ nullable: true })
  start_sha!: string | null;
}

/** The caller's rights on a merge request. */
export class MergeRequestCallerRecord {
  @Flag()
  can_merge!: boolean;
}

/** A merge request with all attributes. */
export class MergeRequestDetailRecord extends MergeRequestRecord {
  @Text({ optional: true, description: 'With render_html' })
  title_html?: string;

  @Text({ optional: true, nullable: true, description: 'With render_html' })
  description_html?: string | null;

  @Flag()
  subscribed!: boolean;

  @Text({ nullable: true, description: 'Number of changed files, as text', example: '1000+' })
  changes_count!: string | null;

  @IsoTime({ nullable: true })
  latest_build_started_at!: string | null;

  @IsoTime({ nullable: true })
  latest_build_finished_at!: string | null;

  @IsoTime({ nullable: true })
  first_deployed_to_production_at!: string | null;

  @Nested(() => PipelineBasicRecord, { nullable: true, description: 'Only for users who may see pipelines' })
  pipeline!: PipelineBasicRecord | null;

  @Nested(() => PipelineRecord, { nullable: true, description: 'Only for users who may see pipelines' })
  head_pipeline!: PipelineRecord | null;

  @Nested(() => DiffRefsRecord, { nullable: true })
  diff_refs!: DiffRefsRecord | null;

  @Text({ nullable: true })
  merge_error!: string | null;

  @Flag({ optional: true, description: 'With include_rebase_in_progress' })
  rebase_in_progress?: boolean;

  @Count({ optional: true, description: 'With include_diverged_commits_count' })
  diverged_commits_count?: number;

  @Flag({ description: 'Whether it is the first merge request of its author here' })
  first_contribution!: boolean;

  @Nested(() => MergeRequestCallerRecord)
  user!: MergeRequestCallerRecord;
}
