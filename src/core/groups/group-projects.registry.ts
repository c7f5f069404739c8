import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { invalid } from '#kernel/http/errors.js';
import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import type { Tx } from '#kernel/database/transactions.js';
import { GroupStatisticsRecord } from './group.record.js';

/** What groups need of the projects in them; the projects module, which stands above, answers (`GroupProjects.use`). */
export interface GroupProjectsSource {
  /** Records of the projects directly in a group that the caller can see: by name, 100 at most. */
  embedded(groupId: number, caller: Caller): Promise<object[]>;
  /** The same for projects of others that are shared with the group. */
  shared(groupId: number, caller: Caller): Promise<object[]>;
  /** Whether somebody may read the code of a project. */
  isReadable(projectId: number, actor: Actor | null): Promise<boolean>;
  /** Sizes of the projects directly in each of the groups and below; groups without any may be left out. */
  statistics(groupIds: readonly number[]): Promise<ReadonlyMap<number, GroupStatisticsRecord>>;
  /** Deletes projects (marked `pending_delete` already) with their routes and members; what lies outside the database goes by job. */
  remove(tx: Tx, projectIds: readonly number[]): Promise<void>;
}

const NOTHING = Object.fromEntries(
  fieldsOf(GroupStatisticsRecord).map(({ name }) => [name, 0]),
) as unknown as GroupStatisticsRecord;

/** The place where the projects module answers what groups ask of projects. */
@Injectable()
export class GroupProjectsRegistry {
  private source: GroupProjectsSource | null = null;

  /** Called once, in `onModuleInit` of the projects module. */
  register(source: GroupProjectsSource): void {
    this.source = source;
  }

  async embedded(groupId: number, caller: Caller): Promise<object[]> {
    return (await this.source?.embedded(groupId, caller)) ?? [];
  }

  async shared(groupId: number, caller: Caller): Promise<object[]> {
    return (await this.source?.shared(groupId, caller)) ?? [];
  }

  /** Whoever names a project for its templates shows its files to all of the group. @throws 400 for one whose code the caller may not read */
  async assertTemplates(projectId: unknown, { actor }: Caller): Promise<void> {
    if (typeof projectId !== 'number' || (await this.source?.isReadable(projectId, actor))) return;
    throw invalid({ file_template_project_id: ['is invalid'] });
  }

  /** Sizes for each of the groups, zeroes where there is nothing. */
  async statistics(groupIds: readonly number[]): Promise<ReadonlyMap<number, GroupStatisticsRecord>> {
    const found = await this.source?.statistics(groupIds);
    return new Map(groupIds.map((id) => [id, found?.get(id) ?? NOTHING]));
  }

  async remove(tx: Tx, projectIds: readonly number[]): Promise<void> {
    if (projectIds.length === 0) return;
    if (!this.source) throw new Error('Nobody removes the projects of a deleted group');
    await this.source.remove(tx, projectIds);
  }
}
