import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MembersService } from '#core/members/members.service.js';
import { UsersService } from '#core/users/users.service.js';
import { ProjectDeleted } from './project-deleted.event.js';
import { Project } from '../project.entity.js';

const BOTS = `select id from users where bot_source_type = 'Project' and bot_source_id = $1 and not pending_delete order by id`;

/** Hides projects and removes their rows. */
@Injectable()
export class PurgeProjectService {
  constructor(
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly events: DomainEvents,
  ) {}

  /** Hides a project and frees its paths, with effect from the commit. */
  async hide(tx: Tx, projectId: number): Promise<void> {
    await tx.query(`delete from routes where source_type = 'Project' and source_id = $1`, [projectId]);
    await tx.query('update projects set pending_delete = true, updated_at = now() where id = $1', [
      projectId,
    ]);
  }

  /** Removes the row of a project with all rows that refer to it. */
  async remove(tx: Tx, projectId: number): Promise<void> {
    for (const bot of await tx.query<{ id: number }[]>(BOTS, [projectId]))
      await this.users.removeBot(tx, bot.id);
    await this.events.publish(tx, new ProjectDeleted(projectId));
    await this.members.removeAll(tx, 'Project', projectId);
    for (const table of ['group_links', 'deploy_tokens', 'routes'])
      await tx.query(`delete from ${table} where source_type = 'Project' and source_id = $1`, [projectId]);
    await tx.delete(Project, { id: projectId });
  }
}
