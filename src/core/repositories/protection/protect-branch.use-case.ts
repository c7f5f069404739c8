import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { insertNew } from '#kernel/database/statements/insert-new.js';
import type { Tx } from '#kernel/database/transactions.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { ProtectedRef, ProtectedRefAccessLevel } from './protected-ref.entity.js';
import { patternMatcher } from './ref-pattern.js';

/**
 * Minimum roles to push and merge, by the value of the setting `default_branch_protection`; 0 protects
 * nothing.
 */
const LEVELS: Readonly<Record<number, readonly [push: Role, merge: Role]>> = {
  1: [Role.Developer, Role.Developer],
  2: [Role.Maintainer, Role.Maintainer],
  3: [Role.Maintainer, Role.Developer],
  4: [Role.Maintainer, Role.Maintainer],
};

/** The setting of a group overrides that of the instance. */
const OF_GROUP = `select (n.settings ->> 'default_branch_protection')::int as level
  from projects p join namespaces n on n.id = p.namespace_id and n.type = 'Group' where p.id = $1`;

/** Protects default branches automatically. */
@Injectable()
export class ProtectBranch {
  constructor(private readonly settings: SettingsService) {}

  /**
   * Protects the new default branch of a project by the setting `default_branch_protection`; keeps an
   * existing protection.
   */
  async run(tx: Tx, projectId: number, branch: string): Promise<void> {
    const [group] = await tx.query<{ level: number | null }[]>(OF_GROUP, [projectId]);
    const levels = LEVELS[group?.level ?? this.settings.values.default_branch_protection];
    if (!levels) return;
    const known = await tx.findBy(ProtectedRef, { projectId, refType: 'branch' });
    if (known.some(({ name }) => patternMatcher(name)(branch))) return;
    const id = await insertNew(tx, ProtectedRef, { projectId, refType: 'branch', name: branch });
    if (id === null) return;
    const [push, merge] = levels;
    const rights = [
      { kind: 'push', accessLevel: push },
      { kind: 'merge', accessLevel: merge },
    ] as const;
    await tx.insert(
      ProtectedRefAccessLevel,
      rights.map((right) => ({ ...right, protectedRefId: id })),
    );
  }
}
