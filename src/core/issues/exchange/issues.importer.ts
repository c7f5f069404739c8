import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { takeImportedIids } from '#core/iids/imported-iids.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { MAX_ASSIGNEES } from '#core/issuables/assignees.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { importResourceEvents } from '#core/issuables/resource-events/exchange/import-resource-events.js';
import {
  labelsOfEvents,
  milestonesOfEvents,
} from '#core/issuables/resource-events/exchange/read-resource-events.js';
import { labelIdsOf, resolveLabels } from '#core/labels/exchange/resolve-labels.js';
import { resolveMilestones } from '#core/milestones/exchange/resolve-milestones.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import { importEmoji, votesOf } from '#core/notes/exchange/emoji.js';
import { importMentions } from '#core/notes/exchange/import-mentions.js';
import { importNotes } from '#core/notes/exchange/import-notes.js';
import { userNotesCount } from '#core/notes/exchange/imported-note.js';
import { importTimelogs, totalTimeSpent } from '#core/notes/exchange/timelogs.js';
import { importSubscriptions } from '#core/subscriptions/exchange/subscriptions-exchange.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { ImportedIssue } from '../exchange/read-issue.js';

type NumberedIssue = ImportedIssue & { readonly id: number };

const INSERT = `insert into issues (id, project_id, iid, author_id, title, description, state, issue_type, severity, confidential, discussion_locked,
    milestone_id, due_date, weight, health_status, relative_position, closed_by_id, closed_at, time_estimate, total_time_spent, user_notes_count,
    upvotes, downvotes, task_count, completed_task_count, created_at, updated_at)
  select x.id, $1, x.iid, x.author_id, x.title, x.description, x.state, x.issue_type, x.severity, x.confidential, x.discussion_locked,
    x.milestone_id, x.due_date, x.weight, x.health_status, x.relative_position, x.closed_by_id, x.closed_at, x.time_estimate, x.spent, x.notes,
    x.upvotes, x.downvotes, x.tasks, x.completed, coalesce(x.created_at, now()), greatest(x.updated_at, coalesce(x.created_at, now()))
  from json_to_recordset($2::json) as x(id bigint, iid bigint, author_id bigint, title text, description text, state text, issue_type text,
    severity text, confidential boolean, discussion_locked boolean, milestone_id bigint, due_date date, weight integer, health_status text,
    relative_position integer, closed_by_id bigint, closed_at timestamptz, time_estimate bigint, spent bigint, notes integer, upvotes integer,
    downvotes integer, tasks integer, completed integer, created_at timestamptz, updated_at timestamptz)`;

const LINK_LABELS = `insert into issue_labels (issue_id, label_id) select issue, label from unnest($1::bigint[], $2::bigint[]) as x(issue, label)`;
const ASSIGN = `insert into issue_assignees (issue_id, user_id) select issue, u from unnest($1::bigint[], $2::bigint[]) as x(issue, u)`;

/** Imports issues with everything that belongs to them, in about ten statements per batch. */
@Injectable()
export class IssuesImporter {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly readers: ProjectReadersQueries,
  ) {}

  /** Inserts issues; returns their local ids. @throws RecordRefused if a number is taken */
  async load(tx: Tx, target: ImportTarget, rows: readonly ImportedIssue[]): Promise<number[]> {
    const histories = rows.map(({ events }) => events);
    const labels = await resolveLabels(tx, target, [
      ...rows.flatMap((row) => row.labels),
      ...labelsOfEvents(histories),
    ]);
    const milestones = await resolveMilestones(tx, this.iids, target, [
      ...rows.flatMap(({ milestone }) => milestone ?? []),
      ...milestonesOfEvents(histories),
    ]);
    await this.takeNumbers(
      tx,
      target.ownerId,
      rows.map(({ columns }) => columns.iid),
    );
    const ids = await drawIds(tx, 'issues', rows.length);
    const issues = rows.map((row, at) => ({ ...row, id: ids[at] as number }));
    // Insert notes and emoji before their issues, so that no trigger has to update counters.
    const votes = await importEmoji(tx, 'Issue', issues);
    await importNotes(tx, target, 'Issue', issues);
    await tx.query(INSERT, [
      target.ownerId,
      JSON.stringify(
        issues.map(({ id, columns, milestone, notes, timelogs }) => {
          const tasks = taskCounts(columns.description);
          return {
            id,
            ...columns,
            ...votesOf(votes, id),
            milestone_id: milestone && (milestones.get(milestone.title) ?? null),
            spent: totalTimeSpent(timelogs),
            notes: userNotesCount(notes),
            tasks: tasks.count,
            completed: tasks.completed,
          };
        }),
      ),
    ]);
    await link(tx, LINK_LABELS, issues, (issue) => labelIdsOf(labels, issue.labels));
    await this.assign(tx, target.ownerId, issues);
    await importTimelogs(tx, target, 'Issue', issues);
    await importSubscriptions(tx, 'Issue', issues);
    await importResourceEvents(tx, ISSUE, issues, { labels, milestones });
    const texts = issues.map(({ id, columns: { description: text } }) => ({
      noteableId: id,
      noteId: null,
      text,
    }));
    await importMentions(tx, target, 'Issue', texts);
    return ids;
  }

  private async takeNumbers(tx: Tx, projectId: number, iids: readonly number[]): Promise<void> {
    const numbered = { table: 'issues', owner: 'project_id', ownerId: projectId, word: 'issue' } as const;
    await takeImportedIids(tx, iids, numbered, () => this.iids.takeMany(tx, projectId, 'issues', iids));
  }

  /** Users who cannot read the project are not assigned. */
  private async assign(tx: Tx, projectId: number, issues: readonly NumberedIssue[]): Promise<void> {
    const wanted = [...new Set(issues.flatMap(({ assigneeIds }) => assigneeIds))];
    const able = await this.readers.among(projectId, wanted, 'issues', Role.Guest);
    await link(tx, ASSIGN, issues, ({ assigneeIds }) =>
      assigneeIds.filter((id) => able.has(id)).slice(0, MAX_ASSIGNEES),
    );
  }
}

async function link(
  tx: Tx,
  text: string,
  issues: readonly NumberedIssue[],
  idsOf: (issue: NumberedIssue) => readonly number[],
): Promise<void> {
  const pairs = issues.flatMap((issue) => idsOf(issue).map((id) => [issue.id, id] as const));
  if (pairs.length > 0) await tx.query(text, [pairs.map(([issue]) => issue), pairs.map(([, id]) => id)]);
}
