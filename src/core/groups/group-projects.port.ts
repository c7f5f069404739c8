import type { Actor, Caller } from '#kernel/access/caller.js';
import { invalid } from '#kernel/http/errors.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { GroupStatisticsRecord } from './group.record.js';

/** What groups need of the projects in them. */
export abstract class GroupProjectsPort {
  /** Returns records of the projects directly in a group that the caller can see: by name, at most 100. */
  abstract embedded(groupId: number, caller: Caller): Promise<object[]>;

  /** Returns the same for other projects that are shared with the group. */
  abstract shared(groupId: number, caller: Caller): Promise<object[]>;

  /** Returns whether a user may read the code of a project. */
  abstract isReadable(projectId: number, actor: Actor | null): Promise<boolean>;

  /** Returns the storage use of the projects in or below each of the groups; zeros if there are none. */
  abstract statistics(groupIds: readonly number[]): Promise<ReadonlyMap<number, GroupStatisticsRecord>>;

  /**
   * Removes projects (already marked `pending_delete`) with their routes and members; jobs remove data
   * outside of the database.
   */
  abstract remove(tx: Tx, projectIds: readonly number[]): Promise<void>;

  /**
   * Asserts that the caller may read the code of the template project, whose files all members of the group
   * will see. @throws 400
   */
  async assertTemplates(projectId: unknown, { actor }: Caller): Promise<void> {
    if (typeof projectId !== 'number' || (await this.isReadable(projectId, actor))) return;
    throw invalid({ file_template_project_id: ['is invalid'] });
  }
}
