import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { Links } from '#kernel/http/links.js';
import { groupRoleSql } from '#core/members/role-sql.js';
import { presentIssue, type IssueRecord, type IssueRow, type IssueView } from './issue.record.js';

const READABLE = `select r.id from (
    select e.id, e.confidential, $3::boolean or ${groupRoleSql('$1::bigint', 'g')} >= ${Role.Reporter} as reports,
      ${groupRoleSql('$1::bigint', 'g')} >= ${Role.Guest} or g.visibility = 'public' or g.visibility = 'internal' and $4::boolean as sees
    from epics e join namespaces g on g.id = e.group_id and not g.pending_delete where e.id = any($2::bigint[])) r
  where r.reports or r.sees and not r.confidential`;

/** Presents issues with the epics that the caller may know of: whoever reads an issue is not always let into the group of its epic. */
@Injectable()
export class IssueViews {
  constructor(
    private readonly database: ReadDatabase,
    private readonly links: Links,
  ) {}

  /** The records of issues that the caller may read. */
  async present(caller: Caller, rows: readonly IssueRow[]): Promise<IssueRecord[]> {
    const view = await this.of(caller, rows);
    return rows.map((row) => presentIssue(row, view, this.links));
  }

  /** The record of one issue. */
  async presentOne(caller: Caller, row: IssueRow): Promise<IssueRecord> {
    return presentIssue(row, await this.of(caller, [row]), this.links);
  }

  /** The view of a caller on these issues; asks for their groups only where there are epics. */
  async of({ actor, tier, subject }: Caller, rows: readonly IssueRow[]): Promise<IssueView> {
    const viewedFrom = subject?.fullPath ?? null;
    const epicIds = tier < Tier.Premium ? [] : rows.flatMap(({ epic }) => (epic ? [epic.id] : []));
    if (epicIds.length === 0) return { tier, viewedFrom, readableEpicIds: new Set() };
    const readable = await this.database.short<{ id: number }>(READABLE, [
      actor?.id ?? null,
      [...new Set(epicIds)],
      actor?.admin === true,
      actor !== null && !actor.external,
    ]);
    return { tier, viewedFrom, readableEpicIds: new Set(readable.map(({ id }) => id)) };
  }
}
