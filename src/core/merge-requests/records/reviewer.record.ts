import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import {
  presentUserBasic,
  UserBasicRecord,
  type UserBasicRow,
} from '#core/users/records/user-basic.record.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** A reviewer of a merge request. */
export class ReviewerRecord {
  @Nested(() => UserBasicRecord)
  user!: UserBasicRecord;

  @Text({ example: 'unreviewed' })
  state!: string;

  @IsoTime()
  created_at!: string;
}

/** Row of a reviewer. */
export interface ReviewerRow extends UserBasicRow {
  readonly review_state: string;
  readonly created_at: string;
}

/** Select list of a `ReviewerRow`, over `merge_request_reviewers r` and `users u`. */
export const REVIEWER_COLUMNS = `${userColumns('u')}, r.state as review_state, ${isoTimeSql('r.created_at')} as created_at`;

/** Presents a reviewer. */
export const presentReviewer = (row: ReviewerRow, links: Links): ReviewerRecord => ({
  user: presentUserBasic(row, links),
  state: row.review_state,
  created_at: row.created_at,
});
