import { Injectable } from '@nestjs/common';
import { clock } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { MentionsService } from '#core/notes/participants/mentions.service.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import { issueTarget } from '../issue.rules.js';
import { Issue, type IssueType } from '../issue.entity.js';

/** An issue created by the product itself. */
export interface ProductIssue {
  readonly projectId: number;
  /** An internal user, who needs no role in the project. */
  readonly authorId: number;
  readonly title: string;
  readonly description: string;
  readonly issueType: IssueType;
  /** In lower case. */
  readonly severity: string;
  /** The only part of the description in which mentions count. */
  readonly mentioning: string | null;
}

/** Creates issues without a request: callers have checked everything that guards would. */
@Injectable()
export class CreateProductIssue {
  constructor(
    private readonly events: DomainEvents,
    private readonly iids: InternalIdsService,
    private readonly mentions: MentionsService,
  ) {}

  /** Creates an issue within `tx` and returns its id. */
  async run(tx: Tx, { mentioning, ...issue }: ProductIssue): Promise<number> {
    const { projectId, authorId, title, description } = issue;
    const container = { projectId, groupId: null };
    const mentionedUsers = await this.mentions.mentionedUsers(tx, mentioning, {
      ...container,
      author: { id: authorId, admin: null },
    });
    const tasks = taskCounts(description);
    const iid = await this.iids.next(tx, projectId, 'issues');
    const created = await tx.insert(Issue, {
      ...issue,
      iid,
      taskCount: tasks.count,
      completedTaskCount: tasks.completed,
      createdAt: clock,
      updatedAt: clock,
    });
    const { id } = created.identifiers[0] as { id: number };
    const mentionedUserIds = await this.mentions.recordNew(tx, { type: 'Issue', id }, null, mentionedUsers);
    const target = issueTarget({ id, iid, title });
    await this.events.publish(
      tx,
      new ActivityHappened('created', authorId, container, target, { mentionedUserIds }),
    );
    return id;
  }
}
