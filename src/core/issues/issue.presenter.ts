import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Links } from '#kernel/http/links.js';
import { presentIssue, type IssueRecord, type IssueRow, type IssueView } from './issue.record.js';
import { readableEpicIds } from './epics/readable-epics.js';

/** Presents issues with their epics, if the caller may see those: readers of an issue may lack access to the group of its epic. */
@Injectable()
export class IssuePresenter {
  constructor(
    private readonly database: ReadDatabase,
    private readonly links: Links,
  ) {}

  /** Presents issues that the caller may read. */
  async present(caller: Caller, rows: readonly IssueRow[]): Promise<IssueRecord[]> {
    const view = await this.of(caller, rows);
    return rows.map((row) => presentIssue(row, view, this.links));
  }

  /** Presents an issue. */
  async presentOne(caller: Caller, row: IssueRow): Promise<IssueRecord> {
    return presentIssue(row, await this.of(caller, [row]), this.links);
  }

  /** Returns the caller's view of these issues; looks up groups only if there are epics. */
  async of(caller: Caller, rows: readonly IssueRow[]): Promise<IssueView> {
    const { tier, subject } = caller;
    const epicIds = tier < Tier.Premium ? [] : rows.flatMap(({ epic }) => (epic ? [epic.id] : []));
    const readable = await readableEpicIds(this.database, caller, epicIds);
    return { tier, viewedFrom: subject?.fullPath ?? null, readableEpicIds: readable };
  }
}
