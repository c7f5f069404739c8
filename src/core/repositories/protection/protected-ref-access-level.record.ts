import { Role } from '#kernel/access/roles.js';
import { Count, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import type { ProtectedAction } from './protected-ref.entity.js';

/** Access levels of protections: nobody, a role and all above it, administrators. */
export const PROTECTION_LEVELS = [Role.None, Role.Developer, Role.Maintainer, Role.Admin] as const;

/** Access level of a protected ref. */
export type ProtectionLevel = (typeof PROTECTION_LEVELS)[number];

const WORDS: Readonly<Record<ProtectionLevel, string>> = {
  [Role.None]: 'No one',
  [Role.Developer]: 'Developers + Maintainers',
  [Role.Maintainer]: 'Maintainers',
  [Role.Admin]: 'Administrators',
};

/** An access level of a protected branch or tag: a role, a user or a group. */
export class ProtectedRefAccessLevelRecord {
  @Id()
  id!: number;

  @Count({ nullable: true, example: 40 })
  access_level!: number | null;

  @Text({ example: 'Maintainers' })
  access_level_description!: string;

  @Id({ nullable: true })
  user_id!: number | null;

  @Id({ nullable: true })
  group_id!: number | null;
}

/** Row of an access level. */
export interface AccessLevelRow {
  readonly id: number;
  readonly kind: ProtectedAction;
  readonly access_level: ProtectionLevel | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  /** Name of the user or group. */
  readonly name: string | null;
}

/** Describes an access level. */
export const describeLevel = ({
  access_level: level,
  name,
}: Pick<AccessLevelRow, 'access_level' | 'name'>): string => (level === null ? (name ?? '') : WORDS[level]);

/** Presents the levels of an action. */
export const presentLevels = (
  rows: readonly AccessLevelRow[],
  kind: ProtectedAction,
): ProtectedRefAccessLevelRecord[] =>
  rows
    .filter((row) => row.kind === kind)
    .map((row) => ({
      id: row.id,
      access_level: row.access_level,
      access_level_description: describeLevel(row),
      user_id: row.user_id,
      group_id: row.group_id,
    }));
