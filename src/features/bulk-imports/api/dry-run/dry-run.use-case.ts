import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { integerIn, recordIn, type SourceRecord } from '#core/exchange/source-record.js';
import { SourceUsersService } from '../../engine/users/source-users.service.js';
import type { SourceApi, SourceQuery } from '../../source/source-api.js';
import { SourceRefused } from '../../source/source-errors.js';
import type { MigrationCountsRecord, PlannedEntityRecord, UnmatchedUserRecord } from './dry-run.record.js';
import { destinationOf, type PlannedEntity } from '../creation/planned-entity.js';

/** Limit of members read, because a client is waiting. */
const MAX_MEMBERS = 1_000;

/** Lists that are counted, below the path of the group or project. */
const COUNTED: Readonly<
  Record<PlannedEntity['of'], readonly (readonly [name: string, path: string, query?: SourceQuery])[]>
> = {
  group: [
    ['subgroups', 'descendant_groups'],
    ['projects', 'projects', { include_subgroups: true }],
    ['members', 'members'],
    ['labels', 'labels', { include_ancestor_groups: false }],
    ['milestones', 'milestones'],
    ['issues', 'issues', { scope: 'all' }],
    ['merge_requests', 'merge_requests', { scope: 'all' }],
  ],
  project: [
    ['members', 'members'],
    ['labels', 'labels', { include_ancestor_groups: false }],
    ['milestones', 'milestones'],
    ['issues', 'issues', { scope: 'all' }],
    ['merge_requests', 'merge_requests', { scope: 'all' }],
  ],
};

/** Plans a migration without creating anything. */
@Injectable()
export class DryRun {
  constructor(
    private readonly users: SourceUsersService,
    private readonly namespaces: NamespacesQueries,
  ) {}

  /** Plans an entity; `conflicts`: problems of its destination. */
  async run(
    source: SourceApi,
    actor: Actor,
    entity: PlannedEntity,
    conflicts: string[],
  ): Promise<PlannedEntityRecord> {
    const path = `/${entity.of}s/${encodeURIComponent(entity.sourceFullPath)}`;
    // Members of a group are not revealed to users who may not create anything in it.
    const namespaceId =
      conflicts.length > 0 || entity.namespace === ''
        ? null
        : ((await this.namespaces.findOrNull(actor, entity.namespace))?.id ?? null);
    const counts: Record<string, number | null> = {};
    for (const [name, list, query] of COUNTED[entity.of])
      counts[name] = await orNull(source.count(`${path}/${list}`, query));
    return {
      source_full_path: entity.sourceFullPath,
      destination: destinationOf(entity),
      conflicts,
      counts: {
        ...NOTHING_COUNTED,
        ...counts,
        repository_size: entity.of === 'project' ? await repositorySize(source, path) : null,
      },
      unmatched_users: await this.unmatched(source, path, actor, namespaceId),
    };
  }

  private async unmatched(
    source: SourceApi,
    path: string,
    { id: importerId, admin: importsAsAdmin }: Actor,
    namespaceId: number | null,
  ): Promise<UnmatchedUserRecord[]> {
    const ids: number[] = [];
    try {
      for await (const page of source.pages(`${path}/members/all`)) {
        ids.push(...page.map(({ id }) => id).filter((id): id is number => Number.isSafeInteger(id)));
        if (ids.length >= MAX_MEMBERS) break;
      }
    } catch (error) {
      if (!(error instanceof SourceRefused)) throw error;
    }
    const users = await this.users.look(
      { importerId, importsAsAdmin },
      { namespaceId, projectId: null },
      source,
      ids.slice(0, MAX_MEMBERS),
    );
    return users.filter(({ userId }) => userId === null).map(({ username, name }) => ({ username, name }));
  }
}

const NOTHING_COUNTED: { readonly [name in keyof MigrationCountsRecord]: null } = {
  subgroups: null,
  projects: null,
  members: null,
  labels: null,
  milestones: null,
  issues: null,
  merge_requests: null,
  repository_size: null,
};

/** Counts that the source does not have or show are omitted. */
async function orNull<T>(answer: Promise<T | null>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SourceRefused) return null;
    throw error;
  }
}

async function repositorySize(source: SourceApi, path: string): Promise<number | null> {
  const project = await orNull<SourceRecord>(source.get(path, { statistics: true }));
  return integerIn(recordIn(project ?? {}, 'statistics') ?? {}, 'repository_size');
}
