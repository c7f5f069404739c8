import { Role } from '#kernel/access/roles.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { ProtectedRefAccessLevelRecord } from '#core/repositories/protection/protected-ref-access-level.record.js';
import { Count, Text } from '#kernel/http/fields/scalar-fields.js';

/** Access levels of protections: a role with all above it, or administrators. */
export const DEPLOY_LEVELS: readonly number[] = [Role.Developer, Role.Maintainer, Role.Admin];

const WORDS = new Map<number, string>([
  [Role.Developer, 'Developers + Maintainers'],
  [Role.Maintainer, 'Maintainers'],
  [Role.Admin, 'Administrators'],
]);

/** Names the role of approvers. */
export const levelWords = (level: number): string => WORDS.get(level) ?? '';

/** A holder of the right to deploy: a role, a user or a group. */
export class DeployAccessLevelRecord extends ProtectedRefAccessLevelRecord {
  @Count({ description: '0: direct members of the group; 1: inherited ones too' })
  group_inheritance_type!: number;
}

/** Approvers of a deployment, and their required number. */
export class EnvironmentApprovalRuleRecord extends DeployAccessLevelRecord {
  @Count()
  required_approvals!: number;
}

/** An environment, or (for a group) a tier of environments, to which only some may deploy. */
export class ProtectedEnvironmentRecord {
  @Text({ example: 'production' })
  name!: string;

  @ListOf(() => DeployAccessLevelRecord)
  deploy_access_levels!: DeployAccessLevelRecord[];

  @Count({ description: 'Approvals that a deployment needs, where there are no rules' })
  required_approval_count!: number;

  @ListOf(() => EnvironmentApprovalRuleRecord)
  approval_rules!: EnvironmentApprovalRuleRecord[];
}

/** Row of an entry. */
export interface NamedEntryRow {
  readonly id: number;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly group_inheritance_type: number;
  /** Name of the user or group. */
  readonly title: string | null;
}

/** Row of an approval rule. */
export interface ApprovalRuleRow extends NamedEntryRow {
  readonly required_approvals: number;
}

/** A protection with all its entries. */
export interface ProtectedEnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly required_approval_count: number;
  readonly levels: readonly NamedEntryRow[];
  readonly rules: readonly ApprovalRuleRow[];
}

/**
 * Describes the user, group or role of an entry. A rule remains when its user or group is removed, or
 * approvals would no longer be required.
 */
export const entryWords = ({
  access_level: level,
  title,
}: Pick<NamedEntryRow, 'access_level' | 'title'>): string =>
  level === null ? (title ?? 'Nobody') : levelWords(level);

const presentEntry = (row: NamedEntryRow): DeployAccessLevelRecord => ({
  id: row.id,
  access_level: row.access_level,
  access_level_description: entryWords(row),
  user_id: row.user_id,
  group_id: row.group_id,
  group_inheritance_type: row.group_inheritance_type,
});

/** Presents a protection. */
export const presentProtectedEnvironment = (row: ProtectedEnvironmentRow): ProtectedEnvironmentRecord => ({
  name: row.name,
  deploy_access_levels: row.levels.map(presentEntry),
  required_approval_count: row.required_approval_count,
  approval_rules: row.rules.map((rule) =>
    Object.assign(presentEntry(rule), { required_approvals: rule.required_approvals }),
  ),
});
