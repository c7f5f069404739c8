import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import type { MergeRequestState } from '../merge-request.entity.js';

/** States of merge requests. */
export const MERGE_REQUEST_STATES = ['opened', 'closed', 'locked', 'merged'] as const;

/** A merge request in the short form of `view=simple` (`planning.md` 5.3). */
export class MergeRequestSimpleRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the project' })
  iid!: number;

  @Id({ description: 'The target project' })
  project_id!: number;

  @Text()
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @OneOf(MERGE_REQUEST_STATES)
  state!: MergeRequestState;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Text({ example: 'https://forge.example.com/group/project/-/merge_requests/1' })
  web_url!: string;
}

/** Row of the short form. */
export interface MergeRequestSimpleRow {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: MergeRequestState;
  readonly created_at: string;
  readonly updated_at: string;
  readonly full_path: string;
}

/** Returns the path of the page of a merge request. */
export const mergeRequestPath = (fullPath: string, iid: number): string =>
  `/${fullPath}/-/merge_requests/${iid}`;

/** Presents the short form. */
export const presentSimpleMergeRequest = (
  row: MergeRequestSimpleRow,
  links: Links,
): MergeRequestSimpleRecord => ({
  id: row.id,
  iid: row.iid,
  project_id: row.project_id,
  title: row.title,
  description: row.description,
  state: row.state,
  created_at: row.created_at,
  updated_at: row.updated_at,
  web_url: links.base + mergeRequestPath(row.full_path, row.iid),
});
