import { Injectable } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import { clock, STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { replacePeople } from '#core/issuables/assignees.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { replaceLabels } from '#core/issuables/label-links.js';
import { held } from '#core/labels/reach/planning-container.js';
import { NoteOriginsService } from '#core/notes/note-origins.service.js';
import { IssueRelationsService } from '../writes/issue-relations.service.js';
import { Issue } from '../issue.entity.js';

const PEOPLE = { table: 'issue_assignees', key: 'issue_id' } as const;
const TITLES = `select l.title from issue_labels il join labels l on l.id = il.label_id where il.issue_id = $1`;

const MILESTONE = `select ms.id from milestones ms where ${held.project('ms', '$2')}
    and ms.title = (select own.title from milestones own where own.id = $1) order by ms.project_id nulls last limit 1 for key share of ms`;

/**
 * Copies notes with their emoji and mentions; draws new ids first, so that dependants find the copy of their
 * note.
 */
const COPY_NOTES = `with pairs as materialized (
    select n.id as old_id, nextval(pg_get_serial_sequence('notes', 'id')) as new_id from notes n
    where n.noteable_type = 'Issue' and n.noteable_id = $1 order by n.id),
  copied as (
    insert into notes (id, noteable_type, noteable_id, project_id, author_id, type, discussion_id, body, system, system_action, internal,
      resolved_at, resolved_by_id, position, created_at, updated_at)
    select pairs.new_id, 'Issue', $2, $3, n.author_id, n.type, n.discussion_id, n.body, n.system, n.system_action, n.internal,
      n.resolved_at, n.resolved_by_id, n.position, n.created_at, n.updated_at
    from pairs join notes n on n.id = pairs.old_id),
  emoji as (
    insert into award_emoji (name, user_id, awardable_type, awardable_id, created_at, updated_at)
    select e.name, e.user_id, 'Note', pairs.new_id, e.created_at, e.updated_at
    from pairs join award_emoji e on e.awardable_type = 'Note' and e.awardable_id = pairs.old_id)
  select old_id, new_id from pairs`;

const COPY_MENTIONS_OF_NOTES = `insert into mentions (target_type, target_id, note_id, user_id, via_group_id)
  select 'Issue', $1, pairs.new_id, m.user_id, m.via_group_id
  from unnest($2::bigint[], $3::bigint[]) as pairs (old_id, new_id) join mentions m on m.note_id = pairs.old_id`;

const COPY_MENTIONS = `insert into mentions (target_type, target_id, note_id, user_id, via_group_id)
  select 'Issue', $2, null, user_id, via_group_id from mentions where target_type = 'Issue' and target_id = $1 and note_id is null`;

const COPY_EMOJI = `insert into award_emoji (name, user_id, awardable_type, awardable_id, created_at, updated_at)
  select name, user_id, 'Issue', $2, created_at, updated_at from award_emoji where awardable_type = 'Issue' and awardable_id = $1`;

const COPY_SUBSCRIPTIONS = `insert into subscriptions (user_id, target_type, target_id, project_id, subscribed, created_at)
  select user_id, 'Issue', $2, null, subscribed, created_at from subscriptions where target_type = 'Issue' and target_id = $1`;

const COPY_TIME = `insert into timelogs (target_type, target_id, project_id, user_id, seconds, summary, spent_at, created_at)
  select 'Issue', $2, $3, user_id, seconds, summary, spent_at, created_at from timelogs where target_type = 'Issue' and target_id = $1`;

/** Links of a moved issue point to its copy. */
const KEEP_LINKS = `update issue_links set source_id = case source_id when $1 then $2 else source_id end,
    target_id = case target_id when $1 then $2 else target_id end, updated_at = ${STATEMENT_TIME}
  where source_id = $1 or target_id = $1`;

const KEEP_EPIC = `update epic_issues x set issue_id = $2 from epics e where x.issue_id = $1 and e.id = x.epic_id
  and e.group_id = any((select n.traversal_ids from projects p join namespaces n on n.id = p.namespace_id where p.id = $3)::bigint[])`;

const LEAVE_EPIC = 'delete from epic_issues where issue_id = $1';

/** Copies an issue to another project: labels and milestone by title, and users who can read it there. */
@Injectable()
export class IssueCopyService {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly relations: IssueRelationsService,
    private readonly sources: NoteOriginsService,
  ) {}

  /** Copies the issue itself with `authorId` as its author; created at `createdAt`, or now. */
  async copy(
    tx: Tx,
    issue: Issue,
    projectId: number,
    { authorId, createdAt }: { authorId: number | null; createdAt?: Date },
  ): Promise<Issue> {
    const titles = await tx.query<{ title: string }[]>(TITLES, [issue.id]);
    const names = titles.map(({ title }) => title);
    // Moving an issue does not create labels.
    const labelIds = await this.relations.labelIds(tx, projectId, names, Role.Guest);
    const [milestone] = issue.milestoneId
      ? await tx.query<{ id: number }[]>(MILESTONE, [issue.milestoneId, projectId])
      : [];
    const people = await tx.query<{ user_id: number }[]>(
      'select user_id from issue_assignees where issue_id = $1 order by user_id',
      [issue.id],
    );
    const wanted = { assignee_ids: people.map((row) => row.user_id) };
    const assigneeIds = await this.relations.assignees(tx, projectId, wanted, Tier.Ultimate);
    const iid = await this.iids.next(tx, projectId, 'issues');
    const created = await tx.insert(Issue, {
      projectId,
      iid,
      authorId,
      title: issue.title,
      description: issue.description,
      issueType: issue.issueType,
      severity: issue.severity,
      confidential: issue.confidential,
      discussionLocked: issue.discussionLocked,
      milestoneId: milestone?.id ?? null,
      dueDate: issue.dueDate,
      weight: issue.weight,
      healthStatus: issue.healthStatus,
      taskCount: issue.taskCount,
      completedTaskCount: issue.completedTaskCount,
      createdAt: createdAt ?? clock,
      updatedAt: clock,
    });
    const { id } = created.identifiers[0] as { id: number };
    await replaceLabels(tx, ISSUE, id, labelIds, null);
    await replacePeople(tx, PEOPLE, id, assigneeIds ?? []);
    await tx.query(COPY_MENTIONS, [issue.id, id]);
    return Object.assign(new Issue(), issue, { id, projectId, iid, authorId });
  }

  /** Copies the notes of the issue. */
  async copyNotes(tx: Tx, fromId: number, to: Issue): Promise<void> {
    const pairs = await tx.query<{ old_id: number; new_id: number }[]>(COPY_NOTES, [
      fromId,
      to.id,
      to.projectId,
    ]);
    const olds = pairs.map((pair) => pair.old_id);
    const news = pairs.map((pair) => pair.new_id);
    await tx.query(COPY_MENTIONS_OF_NOTES, [to.id, olds, news]);
    await this.sources.copy(tx, to.id, olds, news);
  }

  /** Copies emoji, subscriptions, time tracking and links, and the epic unless the issue leaves its group. */
  async copyRest(tx: Tx, from: Issue, to: Issue): Promise<void> {
    await tx.query(COPY_EMOJI, [from.id, to.id]);
    await tx.query(COPY_SUBSCRIPTIONS, [from.id, to.id]);
    await tx.query(COPY_TIME, [from.id, to.id, to.projectId]);
    await tx.query(KEEP_LINKS, [from.id, to.id]);
    await tx.query(KEEP_EPIC, [from.id, to.id, to.projectId]);
    await tx.query(LEAVE_EPIC, [from.id]);
    const { timeEstimate, totalTimeSpent } = from;
    await tx.update(Issue, { id: to.id }, { timeEstimate, totalTimeSpent, updatedAt: clock });
  }
}
