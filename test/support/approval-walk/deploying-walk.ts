import { ApprovalWalk } from './approval-walk.js';
import type { ModelDeployment, ModelProtection, ModelRule } from './approval-model.js';

interface Shown {
  readonly id: number;
  readonly status: string;
  readonly deployable: { readonly id: number; readonly status: string } | null;
  readonly pending_approval_count: number;
  readonly approvals: readonly { status: string; user: { id: number } }[];
  readonly approval_summary: {
    readonly rules: readonly { required_approvals: number; deployment_approvals: Shown['approvals'] }[];
  };
}

interface ShownRule {
  readonly id: number;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly required_approvals: number;
}

const MAX_OPEN = 4;

/** The same with the deployments themselves: their jobs, their protections, the API. */
export class DeployingWalk extends ApprovalWalk {
  /** One step. */
  async step(): Promise<void> {
    const { chance } = this;
    const open = [...this.model.deployments.values()].filter(({ job }) => job === 'manual');
    if (open.length === 0 || (open.length < MAX_OPEN && chance.oneIn(4))) return this.create();
    const steps = [
      ...Array.from({ length: 6 }, () => () => this.approve()),
      () => this.changeRights(),
      () => this.changeRights(),
      () => this.changeRules(),
      () => this.changeRules(),
      () => this.play(),
      () => this.play(),
      () => this.handOut(),
      () => this.cancel(),
      () => this.removePipeline(),
      () => this.report(),
      () => this.allowOwn(),
    ];
    return chance.of(steps)();
  }

  /** A new protected environment, and a pipeline of one who may deploy. */
  async create(): Promise<void> {
    const { chance, model } = this;
    const deployers = [...model.users.values()].filter(({ role, isBlocked }) => role >= 30 && !isBlocked);
    const user = deployers.length > 0 ? chance.of(deployers) : undefined;
    if (!user) return this.changeRights();
    const environment = `place-${(this.serial += 1)}`;
    const hasRules = chance.oneIn(2);
    const rules = hasRules ? Array.from({ length: 1 + chance.below(3) }, () => this.rule()) : [];
    const count = hasRules ? 0 : 1 + chance.below(3);
    const level = chance.oneIn(4) ? 40 : 30;
    const made = await this.ci.project.maintainer.post<{ approval_rules: ShownRule[] }>(
      this.at('/protected_environments'),
      {
        name: environment,
        deploy_access_levels: [{ access_level: level }],
        required_approval_count: count,
        approval_rules: rules,
      },
    );
    this.assert(made, 201);
    model.protections.set(environment, {
      count,
      rules: made.body.approval_rules.map(ruleOf),
      deployers: level,
    });
    await this.ci.configure(`deploy: { script: x, environment: ${environment} }`);
    const pipeline = await this.client(user.id).post<{ id: number }>(this.at('/pipeline'), { ref: 'main' });
    this.assert(pipeline, 201);
    const { body } = await this.api.root.get<Shown[]>(this.at(`/deployments?environment=${environment}`));
    const deployment: ModelDeployment = {
      id: body[0]?.id ?? 0,
      environment,
      jobId: body[0]?.deployable?.id ?? 0,
      userId: user.id,
      pipeline: pipeline.body.id,
      status: 'blocked',
      job: 'manual',
      approvals: new Map(),
    };
    if (!model.mayDeploy(environment, user.id)) [deployment.status, deployment.job] = ['failed', 'failed'];
    model.deployments.set(deployment.id, deployment);
    this.log.push(
      `${user.id} deploys ${deployment.id} ${JSON.stringify(model.protections.get(environment))}`,
    );
  }

  /** A random rule; its user is a member of the project. */
  private rule(): object {
    const { chance, model } = this;
    const required = 1 + (chance.oneIn(4) ? 1 : 0);
    const users = [...model.users.values()].filter(({ id }) => model.roleOf(id) > 0);
    if (chance.oneIn(3)) return { access_level: chance.of([30, 40]), required_approvals: required };
    if (chance.oneIn(2) || users.length === 0)
      return { group_id: model.groupId, required_approvals: required };
    return { user_id: chance.of(users).id, required_approvals: 1 };
  }

  /** Changes what is required while deployments wait. */
  private async changeRules(): Promise<void> {
    const { chance, model } = this;
    const deployment = this.deployment();
    const protection = deployment && model.protections.get(deployment.environment);
    if (!protection) return;
    const path = this.at(`/protected_environments/${deployment.environment}`);
    const { maintainer } = this.ci.project;
    if (chance.oneIn(6)) {
      this.assert(await maintainer.delete(path), 204);
      model.protections.delete(deployment.environment);
      this.log.push(`unprotected ${deployment.environment}`);
      return;
    }
    const count = chance.below(4);
    const change: object[] = protection.rules.length === 0 || chance.oneIn(3) ? [this.rule()] : [];
    const known = protection.rules.length > 0 ? chance.of(protection.rules) : null;
    const isRemoved = known !== null && chance.oneIn(2);
    const isResized = known !== null && !isRemoved && chance.oneIn(2);
    if (isRemoved) change.push({ id: known.id, _destroy: true });
    else if (isResized) change.push({ id: known.id, required_approvals: 1 + chance.below(2) });
    else if (known) change.push({ id: known.id, ...this.rule() });
    const values = chance.oneIn(3) ? { required_approval_count: count } : { approval_rules: change };
    const changed = await maintainer.put<{ approval_rules: ShownRule[]; required_approval_count: number }>(
      path,
      values,
    );
    this.assert(changed, 200);
    const next: ModelProtection = {
      ...protection,
      count: changed.body.required_approval_count,
      rules: changed.body.approval_rules.map(ruleOf),
    };
    const gone = protection.rules.filter(({ id }) => !next.rules.some((rule) => rule.id === id));
    for (const one of model.deployments.values())
      for (const approval of one.approvals.values())
        if (gone.some(({ id }) => id === approval.ruleId)) approval.ruleId = null;
    model.protections.set(deployment.environment, next);
    this.log.push(`rules of ${deployment.environment} ${JSON.stringify(next)}`);
  }

  private async play(): Promise<void> {
    const { model } = this;
    const one = this.deployment();
    if (!one || one.jobId === null) return;
    const user = this.someone();
    const answer = await this.client(user.id).post(this.at(`/jobs/${one.jobId}/play`));
    this.log.push(`${user.id} plays ${one.id}: ${answer.status}`);
    const role = model.roleOf(user.id);
    let expected = 200;
    if (role === 0) expected = 404;
    else if (role < 30) expected = 403;
    else if (one.job !== 'manual') expected = 400;
    else if (!model.mayDeploy(one.environment, user.id)) expected = 403;
    else if (model.missing(one) > 0) expected = 400;
    this.assert(answer, expected);
    if (expected !== 200) return;
    [one.status, one.job] = ['created', 'pending'];
  }

  /** A runner takes what may still run, judged by the rules and rights of now. */
  private async handOut(): Promise<void> {
    const { model } = this;
    const given = await this.take();
    this.log.push(`hand out: ${[...given.keys()].join()}`);
    for (const one of model.deployments.values()) {
      if (one.job !== 'pending' || one.jobId === null) continue;
      const token = given.get(one.jobId);
      const [job] = await this.api.sql<{ user_id: number }>('select user_id from ci_jobs where id = $1', [
        one.jobId,
      ]);
      const player = job?.user_id ?? 0;
      if (model.users.get(player)?.isBlocked || !model.mayDeploy(one.environment, player))
        [one.status, one.job] = ['failed', 'failed'];
      else if (model.missing(one) > 0) [one.status, one.job] = ['blocked', 'manual'];
      else {
        if (token === undefined) throw new Error(`${one.id} is not given\n${this.log.join('\n')}`);
        const state = this.chance.of(['success', 'failed']);
        this.assert(await this.api.anonymous.put(`/jobs/${one.jobId}`, { token, state }), 200);
        [one.status, one.job, one.userId] = [state, state, player];
        continue;
      }
      if (token !== undefined) throw new Error(`${one.id} is given\n${this.log.join('\n')}`);
    }
  }

  private async cancel(): Promise<void> {
    const one = this.deployment();
    if (!one || one.jobId === null || !this.chance.oneIn(3)) return;
    this.assert(await this.ci.project.maintainer.post(this.at(`/jobs/${one.jobId}/cancel`)), 201);
    this.log.push(`cancel ${one.id}`);
    if (one.job === 'manual' || one.job === 'pending') [one.status, one.job] = ['canceled', 'canceled'];
  }

  private async removePipeline(): Promise<void> {
    const one = this.deployment();
    if (!one || one.jobId === null || !this.chance.oneIn(3)) return;
    this.assert(await this.api.root.delete(this.at(`/pipelines/${one.pipeline}`)), 204);
    this.log.push(`remove pipeline of ${one.id}`);
    if (one.job === 'manual' || one.job === 'pending') one.status = 'canceled';
    [one.jobId, one.job] = [null, 'gone'];
  }

  /** Deployments of jobs are not changed by the API; those without a job are. */
  private async report(): Promise<void> {
    const one = this.deployment();
    if (!one) return;
    const user = this.someone();
    const status = this.chance.of(['running', 'success', 'failed', 'canceled']);
    const answer = await this.client(user.id).put(this.at(`/deployments/${one.id}`), { status });
    this.log.push(`${user.id} reports ${one.id} ${status}: ${answer.status}`);
    const role = this.model.roleOf(user.id);
    const may = role >= 30 && this.model.mayDeploy(one.environment, user.id) && one.jobId === null;
    this.assert(answer, role === 0 ? 404 : may ? 200 : 403);
    if (!may) return;
    one.status = status;
  }

  private async allowOwn(): Promise<void> {
    this.model.mayApproveOwn = !this.model.mayApproveOwn;
    const values = { allow_pipeline_trigger_approve_deployment: this.model.mayApproveOwn };
    this.assert(await this.ci.put(values), 200);
    this.log.push(`own ${this.model.mayApproveOwn}`);
  }

  /** Deployments that are shown otherwise than they should be, alone or in the list. */
  async contradictions(): Promise<object[]> {
    const { reporter } = this.ci.project;
    const { body: list } = await reporter.get<Shown[]>(this.at('/deployments?per_page=100'));
    const found: object[] = [];
    for (const one of this.model.deployments.values()) {
      const { body } = await reporter.get<Shown>(this.at(`/deployments/${one.id}`));
      const expected = { ...this.model.shown(one), job: one.jobId === null ? 'gone' : one.job };
      const inList = list.find(({ id }) => id === one.id);
      for (const shown of [body, inList])
        if (!shown || JSON.stringify(factsOf(shown)) !== JSON.stringify(expected))
          found.push({ id: one.id, shown: shown && factsOf(shown), expected });
    }
    return found;
  }
}

const ruleOf = (rule: ShownRule): ModelRule => ({
  id: rule.id,
  userId: rule.user_id,
  groupId: rule.group_id,
  level: rule.access_level,
  required: rule.required_approvals,
});

function factsOf(shown: Shown): object {
  const decisions = (approvals: Shown['approvals']): string[] =>
    approvals.map(({ status, user }) => `${user.id} ${status}`);
  return {
    status: shown.status,
    pending: shown.pending_approval_count,
    approvals: decisions(shown.approvals),
    rules: shown.approval_summary.rules.map((rule) => ({
      required: rule.required_approvals,
      approvals: decisions(rule.deployment_approvals),
    })),
    job: shown.deployable?.status ?? 'gone',
  };
}
