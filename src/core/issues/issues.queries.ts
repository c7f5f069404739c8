import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { runWithNext } from '#kernel/database/statements/prepared.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { numbered } from '#core/notes/note-origins.service.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { issueCounts } from './issue-counts.js';
import { ISSUE_COLUMNS, ISSUE_FROM, type IssueRow } from './issue.record.js';

const ONE = `${ISSUE_COLUMNS}, ${subscribedSql('Issue', 'i.id', '$1::bigint')} as subscribed`;

const BY_ID = `from ${ISSUE_FROM} where i.id = $2`;

const IN_PROJECT = `from ${ISSUE_FROM} where i.project_id = $2 and i.iid = $3`;

function oneOf(from: string, named: readonly number[], actor: Actor | null): [string, unknown[]] {
  const given = [actor?.id ?? null, ...named];
  const { sql, values } = numbered(issueCounts(actor), given.length);
  return [`select ${ONE}, ${sql} ${from}`, [...given, ...values]];
}

/** A new issue has no notes and no closing merge requests, and its author is subscribed. */
const CREATED = `select ${ISSUE_COLUMNS}, true as subscribed, 0 as user_notes_count, 0 as merge_requests_count from ${ISSUE_FROM} where i.id = $1`;

/** Reads single issues. */
@Injectable()
export class IssuesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Returns an issue by its number in a project; the caller has checked that `actor` may read it. @throws 404
   */
  async find(projectId: number, iid: number, actor: Actor | null): Promise<IssueRow> {
    return this.one(IN_PROJECT, [projectId, iid], actor);
  }

  /**
   * Reads an issue that `tx` created, as its author sees it, in one round trip with the next statement of
   * `tx`, at the latest its commit.
   */
  created(tx: Tx, id: number): Promise<() => Promise<IssueRow>> {
    return this.withNext(tx, CREATED, [id]);
  }

  /** Reads an issue that `tx` changed, as `actor` sees it, in the same way. */
  written(tx: Tx, id: number, actor: Actor): Promise<() => Promise<IssueRow>> {
    return this.withNext(tx, ...oneOf(BY_ID, [id], actor));
  }

  /** Returns an issue by its id. @throws 404 */
  async findById(id: number, actor: Actor | null): Promise<IssueRow> {
    return this.one(BY_ID, [id], actor);
  }

  private async one(from: string, named: readonly number[], actor: Actor | null): Promise<IssueRow> {
    const row = await this.database.one<IssueRow>(...oneOf(from, named, actor));
    if (!row) throw notFound('Issue');
    return row;
  }

  private async withNext(tx: Tx, text: string, values: unknown[]): Promise<() => Promise<IssueRow>> {
    const rows = await runWithNext<IssueRow>(tx, text, values);
    return async () => {
      const [row] = await rows();
      if (!row) throw notFound('Issue');
      return row;
    };
  }
}
