import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { GroupNotSaved } from './group-problems.js';
import { groupSettings } from './settings/group-settings.js';
import { VISIBILITIES, type Namespace, type Visibility } from './namespaces/namespace.entity.js';
import { nameProblem, pathProblem } from '#core/instance/paths.js';

/** Maximum nesting of groups. */
export const MAX_DEPTH = 20;

/** Returns whether the first visibility is wider than the second. */
export const isWider = (one: Visibility, other: Visibility): boolean =>
  VISIBILITIES.indexOf(one) > VISIBILITIES.indexOf(other);

const WIDER_BELOW = `select
  exists (select 1 from namespaces where parent_id = $1 and not pending_delete and visibility = any($2)) as groups,
  exists (select 1 from projects where namespace_id = $1 and not pending_delete and visibility = any($2)) as projects`;

/** Rules that creating, changing and moving groups share. */
@Injectable()
export class GroupRules {
  constructor(private readonly settings: SettingsService) {}

  /** Asserts that a user may create top-level groups. @throws 403 */
  async assertMayCreateAtTop(tx: Tx, actor: Actor): Promise<void> {
    if (actor.admin) return;
    const [user] = await tx.query<{ can_create_group: boolean }[]>(
      'select can_create_group from users where id = $1',
      [actor.id],
    );
    if (!user?.can_create_group || !this.settings.values.can_create_group || actor.external)
      throw forbidden();
  }

  /** Asserts that a role allows creating subgroups. @throws 403 */
  assertMayCreateIn(stored: Readonly<Record<string, unknown>>, role: Role): void {
    const needed = groupSettings(stored).subgroup_creation_level === 'owner' ? Role.Owner : Role.Maintainer;
    if (role < needed) throw forbidden();
  }

  /** Asserts the form of name and path. @throws GroupNotSaved */
  assertNames(name: string, path: string, isTop: boolean): void {
    const found = { name: nameProblem(name), path: pathProblem(path, isTop) };
    const problems = Object.entries(found).flatMap(([key, text]) => (text === null ? [] : [[key, [text]]]));
    if (problems.length > 0)
      throw new GroupNotSaved(Object.fromEntries(problems) as Record<string, string[]>);
  }

  /**
   * Asserts that a requested visibility is allowed. @throws GroupNotSaved if it is restricted, or wider than
   * the parent's
   */
  assertVisibility(actor: Actor, wanted: Visibility, parent: Pick<Namespace, 'visibility'> | null): void {
    const texts = [];
    if (!actor.admin && this.settings.values.restricted_visibility_levels.includes(wanted))
      texts.push(`${wanted} has been restricted by your administrator`);
    if (parent && isWider(wanted, parent.visibility))
      texts.push(`${wanted} is not allowed since the parent group has a ${parent.visibility} visibility.`);
    if (texts.length > 0) throw new GroupNotSaved({ visibility_level: texts });
  }

  /** Asserts that a locked group is not less visible than its content. @throws GroupNotSaved */
  async assertNotNarrowerThanContent(tx: Tx, groupId: number, wanted: Visibility): Promise<void> {
    const wider = VISIBILITIES.filter((one) => isWider(one, wanted));
    const [found] = await tx.query<{ groups: boolean; projects: boolean }[]>(WIDER_BELOW, [groupId, wider]);
    const texts = [];
    if (found?.projects)
      texts.push(`${wanted} is not allowed since this group contains projects with higher visibility.`);
    if (found?.groups)
      texts.push(`${wanted} is not allowed since there are sub-groups with higher visibility.`);
    if (texts.length > 0) throw new GroupNotSaved({ visibility_level: texts });
  }

  /** Returns the default visibility of a group, limited by its parent and by restrictions. */
  defaultVisibility(actor: Actor, parent: Pick<Namespace, 'visibility'> | null): Visibility {
    const { default_group_visibility: standard, restricted_visibility_levels: restricted } =
      this.settings.values;
    const isAllowed = (one: Visibility): boolean =>
      !(parent && isWider(one, parent.visibility)) && (actor.admin || !restricted.includes(one));
    const preferred = standard as Visibility;
    return isAllowed(preferred) ? preferred : (VISIBILITIES.find(isAllowed) ?? 'private');
  }
}
