import type { INestApplicationContext } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { GroupsService } from '#core/groups/groups.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { levelName } from '#core/members/member-levels.js';
import { MembersService } from '#core/members/members.service.js';
import { CommandError } from '../framework/output.js';
import { actorNamed, callerOf, type Cast } from './people.js';
import { groups, type DemoGroup } from './world.js';

/** Ids of the groups by full path, and the number of new ones. */
export interface Teams {
  readonly ids: ReadonlyMap<string, number>;
  readonly created: number;
}

interface FoundGroup {
  readonly id: number;
  readonly description: string;
}

const FIND = `select id, description from namespaces
  where lower(full_path) = lower($1) and type = 'Group' and not pending_delete`;

const DATE_GROUP = `with dated as (update namespaces set created_at = $2 where id = $1)
  update members set created_at = $2 where source_type = 'Namespace' and source_id = $1`;

/** Finds or creates the groups and subgroups with their members. */
export async function ensureTeams(app: INestApplicationContext, cast: Cast, since: Date): Promise<Teams> {
  const ids = new Map<string, number>();
  let created = 0;
  const ensure = async (group: Omit<DemoGroup, 'subgroups'>, parent: string | null): Promise<void> => {
    const fullPath = parent === null ? group.path : `${parent}/${group.path}`;
    const found = await find(app, fullPath, group);
    if (!found) created += 1;
    const parentId = parent === null ? null : (ids.get(parent) ?? null);
    ids.set(fullPath, found?.id ?? (await create(app, cast, group, { parentId, fullPath, since })));
  };
  for (const group of groups) {
    await ensure(group, null);
    for (const subgroup of group.subgroups) await ensure(subgroup, group.path);
  }
  return { ids, created };
}

/** @throws CommandError if the path belongs to a group that is not part of the demo data */
async function find(
  app: INestApplicationContext,
  fullPath: string,
  { description }: Pick<DemoGroup, 'description'>,
): Promise<FoundGroup | null> {
  const found = await app.get(ReadDatabase).one<FoundGroup>(FIND, [fullPath]);
  if (found && found.description !== description)
    throw new CommandError(`There is already another group ${fullPath}: the demo needs that path`);
  return found;
}

async function create(
  app: INestApplicationContext,
  cast: Cast,
  { name, path, description, visibility, owner, members }: Omit<DemoGroup, 'subgroups'>,
  parent: { readonly parentId: number | null; readonly fullPath: string; readonly since: Date },
): Promise<number> {
  const author = actorNamed(cast, owner);
  const caller = callerOf(author, app.get(SettingsService, { strict: false }).tier);
  const { parentId, fullPath, since } = parent;
  const id = await app
    .get(GroupsService, { strict: false })
    .create(caller, { name, path, description, visibility, parent_id: parentId });
  const scope = { type: 'Group', id, path: fullPath } as const;
  const services = {
    members: app.get(MembersService, { strict: false }),
    audit: app.get(AuditLogService, { strict: false }),
  };
  await app.get(Transactions).run(async (tx) => {
    for (const [username, accessLevel] of Object.entries(members)) {
      const user = actorNamed(cast, username);
      const where = { sourceType: 'Namespace', sourceId: id } as const;
      const rights = { userId: user.id, accessLevel, createdById: author.id, expiresAt: null };
      await services.members.add(tx, { ...where, ...rights });
      const target = { type: 'User', id: user.id, details: user.name };
      await services.audit.record(tx, author, scope, target, {
        add: 'user_access',
        as: levelName(accessLevel),
      });
    }
    await tx.query(DATE_GROUP, [id, since]);
  });
  return id;
}

/** Members of a project's group and its parent who may deploy. */
export function deployersOf(groupPath: string): string[] {
  const [top = '', below] = groupPath.split('/');
  const group = groups.find(({ path }) => path === top);
  const subgroup = group?.subgroups.find(({ path }) => path === below);
  const names = new Set<string>();
  for (const one of [group, subgroup]) {
    if (!one) continue;
    names.add(one.owner);
    for (const [username, role] of Object.entries(one.members))
      if (role >= Role.Developer) names.add(username);
  }
  return [...names];
}
