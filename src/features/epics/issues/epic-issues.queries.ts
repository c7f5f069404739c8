import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { issueCounts } from '#core/issues/issue-counts.js';
import { numbered } from '#core/notes/note-origins.service.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { EPIC_BASIC_COLUMNS, EPIC_FROM } from '../records/epic-columns.sql.js';
import type { EpicBasicRow } from '../records/present-epic.js';
import { EPIC_ISSUE_COLUMNS, type EpicIssueRow } from './epic-issue-list.js';

/** An association with its issue. */
export interface EpicIssueLink extends EpicIssueRow {
  readonly epic_id: number;
}

const FROM = `epic_issues x join issues i on i.id = any(array[x.issue_id]) join projects p on p.id = any(array[i.project_id])
  left join users a on a.id = any(array[i.author_id])`;

const LINK = `${EPIC_ISSUE_COLUMNS}, x.epic_id from ${FROM} where x.id = $1 and x.epic_id = $2`;
const EPIC = `select ${EPIC_BASIC_COLUMNS} from ${EPIC_FROM} where e.id = $1`;
const SUBSCRIBED = `select i.id from unnest($1::bigint[]) i(id) where ${subscribedSql('Issue', 'i.id', '$2::bigint')}`;

/** Reads the issues of epics. */
@Injectable()
export class EpicIssuesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns an association of an epic with its issue, as `actor` sees it. @throws 404 */
  async link(actor: Actor | null, id: number, epicId: number): Promise<EpicIssueLink> {
    const { sql, values } = numbered(issueCounts(actor), 2);
    const row = await this.database.one<EpicIssueLink>(`select ${sql}, ${LINK}`, [id, epicId, ...values]);
    if (!row) throw notFound('Epic Issue');
    return row;
  }

  /** Returns the epic of an association. */
  epic(id: number): Promise<EpicBasicRow> {
    return this.database.always<EpicBasicRow>(EPIC, [id]);
  }

  /** Returns those of the issues to which a user is subscribed. */
  async subscribed(issueIds: readonly number[], userId: number): Promise<ReadonlySet<number>> {
    const rows = await this.database.short<{ id: number }>(SUBSCRIBED, [issueIds, userId]);
    return new Set(rows.map(({ id }) => id));
  }
}
