import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { GroupRules } from '#core/groups/group.rules.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { pathProblem } from '#core/instance/paths.js';
import { ProjectRules } from '#core/projects/project.rules.js';
import { destinationOf, type PlannedEntity } from './planned-entity.js';

const IS_TAKEN = 'select 1 from routes where path = lower($1)';

/** Checks the destinations of migrations (`ops.md` 1.2, points 6 to 9). */
@Injectable()
export class DestinationRules {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesQueries,
    private readonly groupRules: GroupRules,
    private readonly projectRules: ProjectRules,
  ) {}

  /** Returns the problems by entity, in the order of the specification; empty if there are none. */
  async problems(actor: Actor, entities: readonly PlannedEntity[]): Promise<string[][]> {
    const taken = new Set<string>();
    const found: string[][] = [];
    for (const entity of entities) {
      const path = destinationOf(entity).toLowerCase();
      found.push(await this.problemsOf(actor, entity, taken.has(path)));
      taken.add(path);
    }
    return found;
  }

  private async problemsOf(actor: Actor, entity: PlannedEntity, isTwice: boolean): Promise<string[]> {
    const { of, namespace, slug } = entity;
    const path = destinationOf(entity);
    const problems: string[] = [];
    if (of === 'project' && namespace === '')
      return ["Validation failed: Destination namespace can't be blank"];
    // Do not reveal other problems of a namespace that the user may not use.
    if (!(await this.mayCreate(actor, entity)))
      return [`Import failed. Destination '${namespace}' is invalid, or you don't have permission.`];
    const problem = pathProblem(slug, of === 'group' && namespace === '');
    if (problem !== null) problems.push(`Import failed. Destination URL ${problem}`);
    else if (isTwice || (await this.database.one(IS_TAKEN, [path])))
      problems.push(`Import failed. '${path}' already exists. Change the destination and try again.`);
    if (of === 'group' && (await this.isWithinSource(entity)))
      problems.push(
        'Import failed: Destination cannot be a subgroup of the source group. Change the destination and try again.',
      );
    return problems;
  }

  private async mayCreate(actor: Actor, { of, namespace }: PlannedEntity): Promise<boolean> {
    if (namespace === '')
      return isAllowed(() => this.transactions.run((tx) => this.groupRules.assertMayCreateAtTop(tx, actor)));
    const target = /^\d+$/.test(namespace) ? null : await this.namespaces.findOrNull(actor, namespace);
    if (target?.type !== 'Group' || (!actor.admin && target.role < Role.Maintainer)) return false;
    return isAllowed(() => {
      if (of === 'group') this.groupRules.assertMayCreateIn(target.settings, target.role);
      else this.projectRules.assertMayCreate(target);
      return Promise.resolve();
    });
  }

  /** A group imported into itself would grow forever; the source may be this instance. */
  private async isWithinSource({ sourceFullPath, namespace }: PlannedEntity): Promise<boolean> {
    const [source, destination] = [sourceFullPath.toLowerCase(), namespace.toLowerCase()];
    if (destination !== source && !destination.startsWith(`${source}/`)) return false;
    return (await this.database.one(IS_TAKEN, [source])) !== null;
  }
}

/** Converts the error of a rule to false. */
async function isAllowed(rule: () => Promise<void>): Promise<boolean> {
  try {
    await rule();
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return false;
    throw error;
  }
}
