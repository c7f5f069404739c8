/** A user as the model knows them. */
export interface ModelUser {
  readonly id: number;
  /** Role in the project by an own membership; 0: none. */
  role: number;
  /** Member of the group that rules name, with which the project is shared for Reporters. */
  isInGroup: boolean;
  isBlocked: boolean;
}

/** A rule as given: for a user, the group, or a role. */
export interface ModelRule {
  readonly id: number;
  userId: number | null;
  groupId: number | null;
  level: number | null;
  required: number;
}

/** The protection of an environment; null: there is none. */
export interface ModelProtection {
  count: number;
  rules: ModelRule[];
  /** The least role that deploys. */
  deployers: number;
}

/** A decision, in the order in which they were first given. */
export interface ModelApproval {
  status: 'approved' | 'rejected';
  ruleId: number | null;
}

/** A deployment, which its job follows. */
export interface ModelDeployment {
  readonly id: number;
  readonly environment: string;
  jobId: number | null;
  userId: number;
  pipeline: number;
  status: string;
  job: string;
  readonly approvals: Map<number, ModelApproval>;
}

/** Results of an approval in the order in which they are decided. */
export type ApprovalResult =
  | 'ok'
  | 'hidden'
  | 'notWaiting'
  | 'notProtected'
  | 'own'
  | 'notConfigured'
  | 'noRight'
  | 'noRule';

const HAS_BEGUN = ['running', 'success', 'failed', 'canceled'];
const ROLE_WORDS: Readonly<Record<number, string>> = { 30: 'Developers + Maintainers', 40: 'Maintainers' };

/** The rules of `ci.md` 2 and `decisions.md`, in plain words. */
export class ApprovalModel {
  readonly users = new Map<number, ModelUser>();
  readonly protections = new Map<string, ModelProtection>();
  readonly deployments = new Map<number, ModelDeployment>();
  mayApproveOwn = false;

  constructor(readonly groupId: number) {}

  roleOf(userId: number): number {
    const { role = 0, isInGroup = false } = this.users.get(userId) ?? {};
    return Math.max(role, isInGroup ? 20 : 0);
  }

  mayDeploy(environment: string, userId: number): boolean {
    const least = this.protections.get(environment)?.deployers ?? 30;
    return !this.users.get(userId)?.isBlocked && this.roleOf(userId) >= least;
  }

  private means(rule: ModelRule, userId: number): boolean {
    const role = this.roleOf(userId);
    if (role === 0) return false;
    if (rule.level !== null) return role >= rule.level;
    if (rule.userId !== null) return rule.userId === userId;
    return this.users.get(userId)?.isInGroup === true;
  }

  /** Whether an approval still counts: once the deployment has begun, all do. */
  private counts(deployment: ModelDeployment, userId: number, { ruleId }: ModelApproval): boolean {
    if (HAS_BEGUN.includes(deployment.status)) return true;
    if (this.users.get(userId)?.isBlocked || this.roleOf(userId) < 20) return false;
    if (userId === deployment.userId && !this.mayApproveOwn) return false;
    const rule = this.protections.get(deployment.environment)?.rules.find(({ id }) => id === ruleId);
    return rule
      ? this.means(rule, userId)
      : this.roleOf(userId) >= 30 && this.mayDeploy(deployment.environment, userId);
  }

  private given(deployment: ModelDeployment, ruleId?: number): number {
    return [...deployment.approvals].filter(
      ([userId, one]) =>
        one.status === 'approved' &&
        (ruleId === undefined || one.ruleId === ruleId) &&
        this.counts(deployment, userId, one),
    ).length;
  }

  missing(deployment: ModelDeployment): number {
    const protection = this.protections.get(deployment.environment);
    if (!protection || deployment.jobId === null) return 0;
    if (protection.rules.length === 0) return Math.max(0, protection.count - this.given(deployment));
    return protection.rules
      .map(({ id, required }) => Math.max(0, required - this.given(deployment, id)))
      .reduce((sum, one) => sum + one, 0);
  }

  /** Gives an approval; the caller is not blocked. */
  approve(
    deployment: ModelDeployment,
    userId: number,
    status: ModelApproval['status'],
    word: { text: string; ruleIds: readonly number[] } | null,
  ): ApprovalResult {
    if (this.roleOf(userId) === 0) return 'hidden';
    const isHeld =
      deployment.status === 'created' && deployment.job === 'manual' && this.missing(deployment) > 0;
    if (deployment.status !== 'blocked' && !isHeld) return 'notWaiting';
    const protection = this.protections.get(deployment.environment);
    if (!protection) return 'notProtected';
    if (status === 'approved' && userId === deployment.userId && !this.mayApproveOwn) return 'own';
    if (protection.rules.length === 0 && protection.count === 0) return 'notConfigured';
    let ruleId: number | null = null;
    if (protection.rules.length > 0) {
      const own = protection.rules.filter((rule) => this.means(rule, userId));
      if (own.length === 0) return 'noRight';
      const chosen = own.find(({ id }) => word === null || word.ruleIds.includes(id));
      if (!chosen) return 'noRule';
      ruleId = chosen.id;
    } else if (this.roleOf(userId) < 30 || !this.mayDeploy(deployment.environment, userId)) return 'noRight';
    const known = deployment.approvals.get(userId);
    const hasRule = protection.rules.length === 0 || protection.rules.some(({ id }) => id === known?.ruleId);
    if (known?.status === status && hasRule && this.counts(deployment, userId, known)) return 'ok';
    deployment.status = 'blocked';
    deployment.approvals.set(userId, { status, ruleId });
    if (deployment.jobId === null) return 'ok';
    if (status === 'rejected') [deployment.status, deployment.job] = ['failed', 'failed'];
    else if (this.missing(deployment) === 0) deployment.status = 'created';
    return 'ok';
  }

  /** The text by which a rule is known. */
  words(rule: ModelRule, nameOf: (userId: number) => string, groupName: string): string {
    if (rule.level !== null) return ROLE_WORDS[rule.level] ?? '';
    return rule.userId === null ? groupName : nameOf(rule.userId);
  }

  /** What the record of a deployment should say. */
  shown(deployment: ModelDeployment): object {
    const decisions = (ruleId?: number): string[] =>
      [...deployment.approvals]
        .filter(([, one]) => ruleId === undefined || one.ruleId === ruleId)
        .map(([userId, { status }]) => `${userId} ${status}`);
    const rules =
      deployment.jobId === null ? [] : (this.protections.get(deployment.environment)?.rules ?? []);
    return {
      status: deployment.status,
      pending: this.missing(deployment),
      approvals: decisions(),
      rules: rules.map(({ id, required }) => ({ required, approvals: decisions(id) })),
    };
  }
}
