import { Count, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import type { Commit } from '../git/commit-log.js';
import type { CommitDetails } from './commit-details.js';
import { CommitPipelineRecord } from './commit-pipeline.record.js';
import { CommitRecord, presentCommit } from './commit.record.js';

/** Numbers of lines that a commit changes. */
export class CommitStatsRecord {
  @Count()
  additions!: number;

  @Count()
  deletions!: number;

  @Count()
  total!: number;
}

/** A commit in a list. */
export class ListedCommitRecord extends CommitRecord {
  @Nested(() => CommitStatsRecord, { optional: true, description: 'Only with with_stats' })
  stats?: CommitStatsRecord;
}

/** A commit with all details. */
export class CommitDetailRecord extends ListedCommitRecord {
  @Text({ nullable: true, description: 'State of its newest pipeline' })
  status!: string | null;

  @Id()
  project_id!: number;

  @Nested(() => CommitPipelineRecord, {
    nullable: true,
    description: 'Null if there is none or the user may not see it',
  })
  last_pipeline!: CommitPipelineRecord | null;
}

/** Presents a commit in a list; `details` contain only what was requested. */
export function presentListedCommit(
  commit: Commit,
  webBase: string,
  details: CommitDetails | undefined,
): ListedCommitRecord {
  const extended = details?.trailers ?? {};
  const last = Object.entries(extended).map(([name, values]) => [name, values.at(-1) ?? ''] as const);
  return Object.assign(presentCommit(commit, webBase), {
    trailers: Object.fromEntries(last),
    extended_trailers: extended,
    ...(details?.stats ? { stats: details.stats } : {}),
  });
}

/** Presents a commit with all details. */
export const presentCommitDetail = (
  commit: Commit,
  project: { readonly id: number; readonly webBase: string },
  details: CommitDetails | undefined,
  pipeline: CommitPipelineRecord | null,
): CommitDetailRecord =>
  Object.assign(presentListedCommit(commit, project.webBase, details), {
    status: pipeline?.status ?? null,
    project_id: project.id,
    last_pipeline: pipeline,
  });
