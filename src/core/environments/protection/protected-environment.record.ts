import { Role } from '#kernel/access/roles.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** Levels that a protection knows: a role with all above it, or administrators. */
export const DEPLOY_LEVELS: readonly number[] = [Role.Developer, Role.Maintainer, Role.Admin];

const WORDS = new Map<number, string>([
  [Role.Developer, 'Developers + Maintainers'],
  [Role.Maintainer, 'Maintainers'],
  [Role.Admin, 'Administrators'],
]);

/** A role as approvers name it. */
export const levelWords = (level: number): string => WORDS.get(level) ?? '';

/** Who may deploy to a protected environment: a role, a user or a group. */
export class DeployAccessLevelRecord {
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

  @Count({ description: '0: direct members of the group; 1: inherited ones too' })
  group_inheritance_type!: number;
}

/** Who has to approve a deployment, and how many of them. */
export class EnvironmentApprovalRuleRecord extends DeployAccessLevelRecord {
  @Count()
  required_approvals!: number;
}

/** An environment, or (of a group) a tier of environments, that only some may deploy to. */
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

/** Somebody named, as the database knows it. */
export interface NamedEntryRow {
  readonly id: number;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly group_inheritance_type: number;
  /** Of the user or group. */
  readonly title: string | null;
}

/** An approval rule, as the database knows it. */
export interface ApprovalRuleRow extends NamedEntryRow {
  readonly required_approvals: number;
}

/** A protection with everybody whom it names. */
export interface ProtectedEnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly required_approval_count: number;
  readonly levels: readonly NamedEntryRow[];
  readonly rules: readonly ApprovalRuleRow[];
}

/** A user, a group or a role in words. A rule stays when its user or group is gone: else nobody would have to approve any more. */
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

/** The protection of a row. */
export const presentProtectedEnvironment = (row: ProtectedEnvironmentRow): ProtectedEnvironmentRecord => ({
  name: row.name,
  deploy_access_levels: row.levels.map(presentEntry),
  required_approval_count: row.required_approval_count,
  approval_rules: row.rules.map((rule) =>
    Object.assign(presentEntry(rule), { required_approvals: rule.required_approvals }),
  ),
});
