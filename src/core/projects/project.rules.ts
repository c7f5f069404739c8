import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, invalid } from '#kernel/http/errors.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';
import type { NamespaceTarget } from '#core/groups/namespaces/namespaces.queries.js';
import { nameProblem, pathProblem } from '#core/instance/paths.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { cappedVisibility, visibilityProblem } from './project-values.js';

/** Facts of a namespace that the rules need. */
type Target = Pick<NamespaceTarget, 'type' | 'visibility' | 'settings' | 'role'>;

/** Problems by attribute, as for `invalid`. */
export type Problems = Record<string, string[]>;

const TAKEN = 'has already been taken';
const WIDER_THAN_SOURCE = 'is not allowed since the fork source project has lower visibility.';

/** Rules that creating, changing and transferring projects share. */
@Injectable()
export class ProjectRules {
  constructor(private readonly settings: SettingsService) {}

  /** Asserts that the user may create projects in a namespace. @throws 403 */
  assertMayCreate({ type, role, settings }: Target): void {
    if (role >= Role.Admin) return;
    if (type === 'User') {
      if (role < Role.Owner) throw forbidden();
      return;
    }
    const level = settings['project_creation_level'] ?? 'developer';
    const needed = level === 'noone' ? Role.Admin : level === 'maintainer' ? Role.Maintainer : Role.Developer;
    if (role < needed) throw forbidden();
  }

  /** Returns problems in the form of a name and a path. */
  nameProblems(name: string | undefined, path: string | undefined): Problems {
    const problems: Problems = {};
    const ofName = name === undefined ? null : nameProblem(name);
    const ofPath = path === undefined ? null : pathProblem(path, false);
    if (ofName !== null) problems['name'] = [ofName];
    if (ofPath !== null) problems['path'] = [ofPath];
    return problems;
  }

  /**
   * Returns problems of a visibility; `cap`: that of the group, null in users' namespaces; `forkCap`: that of
   * the source of a fork, null for others.
   */
  visibilityProblems(
    visibility: Visibility,
    cap: Visibility | null,
    actor: Actor,
    forkCap: Visibility | null = null,
  ): Problems {
    if (cappedVisibility(visibility, forkCap) !== visibility)
      return { visibility_level: [`${visibility} ${WIDER_THAN_SOURCE}`] };
    const restricted = this.settings.values.restricted_visibility_levels;
    const problem = visibilityProblem(visibility, cap, restricted, actor.admin);
    return problem === null ? {} : { visibility_level: [problem] };
  }

  /**
   * Asserts that no other project of the namespace has the name or path. @throws 400 that names both if both
   * are taken
   */
  async assertFree(
    tx: Tx,
    namespaceId: number,
    name: string,
    path: string,
    except: number | null,
  ): Promise<void> {
    const [row] = await tx.query<{ name: boolean | null; path: boolean | null }[]>(
      `select bool_or(lower(name) = lower($2)) as name, bool_or(lower(path) = lower($3)) as path from projects
       where namespace_id = $1 and not pending_delete and id is distinct from $4::bigint
         and (lower(name) = lower($2) or lower(path) = lower($3))`,
      [namespaceId, name, path, except],
    );
    refuse({ ...(row?.name ? { name: [TAKEN] } : {}), ...(row?.path ? { path: [TAKEN] } : {}) });
  }
}

/** Throws the given problems. @throws 400 if there are any */
export function refuse(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/** Error 400 for a path that a group or a concurrently created project has. */
export const pathTaken = (): Error => invalid({ path: [TAKEN] });

const NAMES = new Set(['projects_namespace_name', 'projects_namespace_path']);

/** Retries a write that lost a race for a name, so that the rules find the winner and report it. */
export async function onceMoreIfTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!NAMES.has(violatedConstraint(error) ?? '')) throw error;
    return write();
  }
}
