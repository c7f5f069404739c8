import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { ProjectDeleted } from '#core/projects/deletion/project-deleted.event.js';

const OF_GROUP =
  'delete from ci_runners where id in (select runner_id from ci_runner_groups where group_id = $1)';

const OF_PROJECT_ALONE = `delete from ci_runners where id in (select rp.runner_id from ci_runner_projects rp where rp.project_id = $1
  and not exists (select 1 from ci_runner_projects other where other.runner_id = rp.runner_id and other.project_id <> $1))`;

/** Removes runners that have lost their group or their last project. */
@Injectable()
export class RunnersOfRemovedOwnersListener implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on(GroupDeleted, async ({ groupId }, tx) => {
      await tx.query(OF_GROUP, [groupId]);
    });
    this.events.on(ProjectDeleted, async ({ projectId }, tx) => {
      await tx.query(OF_PROJECT_ALONE, [projectId]);
    });
  }
}
