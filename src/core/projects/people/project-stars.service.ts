import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { HttpError } from '#kernel/http/errors.js';
import { UserDeleted } from '#core/users/events/user-deleted.event.js';

const ADD = `with added as (
    insert into project_stars (project_id, user_id) values ($1, $2) on conflict do nothing returning 1),
  counted as (update projects set star_count = star_count + 1 where id = $1 and exists (select 1 from added))
  select count(*)::int as changed from added`;

const REMOVE = `with removed as (delete from project_stars where project_id = $1 and user_id = $2 returning 1),
  counted as (update projects set star_count = star_count - 1 where id = $1 and exists (select 1 from removed))
  select count(*)::int as changed from removed`;

const REMOVE_ALL = `with removed as (delete from project_stars where user_id = $1 returning project_id)
  update projects p set star_count = star_count - 1 from removed where p.id = removed.project_id`;

/** Manages the stars of projects, and their number in the row of the project. */
@Injectable()
export class ProjectStarsService implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(UserDeleted, async ({ userId }, tx) => {
      await tx.query(REMOVE_ALL, [userId]);
    });
  }

  /** Stars a project. @throws 304 if the user has already starred it */
  async star(projectId: number, userId: number): Promise<void> {
    await this.transactions.run((tx) => this.change(tx, ADD, projectId, userId));
  }

  /** Removes a star. @throws 304 if the user has not starred it */
  async unstar(projectId: number, userId: number): Promise<void> {
    await this.transactions.run((tx) => this.change(tx, REMOVE, projectId, userId));
  }

  private async change(tx: Tx, text: string, projectId: number, userId: number): Promise<void> {
    const [row] = await tx.query<{ changed: number }[]>(text, [projectId, userId]);
    if (row?.changed !== 1) throw new HttpError(304, {});
  }
}
