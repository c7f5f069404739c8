import type { TestApi } from '../api.js';
import { buildGroup } from '../builders/group.js';
import { buildMember } from '../builders/member.js';
import { registerRunner, requestJob, type BuiltRunner } from '../builders/runner.js';
import { createUser, type CreatedUser } from '../builders/user.js';
import { CiEngine } from '../ci-engine.js';
import type { Answer, ApiClient } from '../client.js';
import { Chance } from '../hostile/chance.js';
import {
  ApprovalModel,
  type ApprovalResult,
  type ModelDeployment,
  type ModelUser,
} from './approval-model.js';

const ROLES = [20, 30, 30, 40];

/** The answers to approvals. */
const TEXTS: Readonly<Record<Exclude<ApprovalResult, 'ok' | 'hidden'>, string>> = {
  notWaiting: 'This deployment is not waiting for approvals.',
  notProtected: 'This environment is not protected.',
  own: 'You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings.',
  notConfigured: 'Deployment approvals is not configured for this environment.',
  noRight:
    "You don't have permission to approve this deployment. Contact the project or group owner for help.",
  noRule:
    'There are no approval rules for the given `represent_as` parameter. Use a valid User/Group/Role name instead.',
};

/** A project whose people approve, reject, play and cancel deployments by a seed, while rules and rights change. */
export class ApprovalWalk {
  readonly log: string[] = [];
  readonly people = new Map<number, CreatedUser>();
  protected serial = 0;

  constructor(
    readonly api: TestApi,
    readonly ci: CiEngine,
    readonly runner: BuiltRunner,
    readonly model: ApprovalModel,
    readonly groupName: string,
    readonly chance: Chance,
  ) {}

  static async start<Walk extends ApprovalWalk>(
    this: new (...args: ConstructorParameters<typeof ApprovalWalk>) => Walk,
    api: TestApi,
    seed: number,
  ): Promise<Walk> {
    const chance = new Chance(seed);
    const ci = await CiEngine.start(api);
    await ci.put({ auto_cancel_pending_pipelines: 'disabled', ci_forward_deployment_enabled: false });
    const name = `judges of ${ci.project.id}`;
    const group = await buildGroup(api, { name });
    await api.root.post(`/projects/${ci.project.id}/share`, { group_id: group.id, group_access: 20 });
    const runner = await registerRunner(api, { project: ci.project.id });
    const walk = new this(api, ci, runner, new ApprovalModel(group.id), name, chance);
    for (const [role, isInGroup] of [
      [40, false],
      [40, true],
      [30, false],
      [30, true],
      [20, false],
      [0, true],
    ] as const)
      await walk.join(role, isInGroup);
    return walk;
  }

  at(suffix = ''): string {
    return `/projects/${this.ci.project.id}${suffix}`;
  }

  client(userId: number): ApiClient {
    return (this.people.get(userId) as CreatedUser).client;
  }

  /** A random user who may still sign in. */
  someone(): ModelUser {
    return this.chance.of([...this.model.users.values()].filter(({ isBlocked }) => !isBlocked));
  }

  /** A random deployment, mostly one that waits. */
  deployment(): ModelDeployment | undefined {
    const all = [...this.model.deployments.values()];
    const waiting = all.filter(({ job }) => job === 'manual');
    const from = waiting.length > 0 && !this.chance.oneIn(6) ? waiting : all;
    return from.length > 0 ? this.chance.of(from) : undefined;
  }

  private async join(role: number, isInGroup: boolean): Promise<void> {
    const user = await createUser(this.api, { name: `Person ${this.people.size}` });
    if (role > 0) await buildMember(this.api, `projects/${this.ci.project.id}`, user.id, role);
    if (isInGroup) await buildMember(this.api, `groups/${this.model.groupId}`, user.id, 30);
    this.people.set(user.id, user);
    this.model.users.set(user.id, { id: user.id, role, isInGroup, isBlocked: false });
  }

  /** Approves or rejects, and compares the answer. */
  async approve(): Promise<void> {
    const { chance, model } = this;
    const deployment = this.deployment();
    if (!deployment) return;
    const { id: userId } = this.someone();
    const status = chance.oneIn(8) ? 'rejected' : 'approved';
    const rules = model.protections.get(deployment.environment)?.rules ?? [];
    const wordOf = (rule: (typeof rules)[number]): string =>
      model.words(rule, (id) => this.people.get(id)?.name ?? '', this.groupName);
    const text = chance.oneIn(3) && rules.length > 0 ? wordOf(chance.of(rules)) : null;
    const word =
      text === null
        ? null
        : {
            text,
            ruleIds: rules.filter((rule) => wordOf(rule).includes(text)).map(({ id }) => id),
          };
    const answer = await this.client(userId).post<{ status?: string; message?: string }>(
      this.at(`/deployments/${deployment.id}/approval`),
      { status, ...(text === null ? {} : { represented_as: text }) },
    );
    const result = model.approve(deployment, userId, status, word);
    this.log.push(`${userId} ${status} ${deployment.id} as ${text}: ${answer.status}, ${result}`);
    if (result === 'ok') this.assert(answer, 201, answer.body.status === status);
    else if (result === 'hidden') this.assert(answer, 404);
    else this.assert(answer, 400, answer.body.message === TEXTS[result]);
  }

  /** Takes a role away or gives it, joins or leaves the group, blocks or unblocks. */
  async changeRights(): Promise<void> {
    const { chance, api } = this;
    const user = chance.of([...this.model.users.values()]);
    const members = this.at('/members');
    const inGroup = `/groups/${this.model.groupId}/members`;
    const isOfState = chance.oneIn(4);
    const isOfGroup = !isOfState && chance.oneIn(3);
    if (isOfState) {
      user.isBlocked = !user.isBlocked;
      this.assert(await api.root.post(`/users/${user.id}/${user.isBlocked ? 'block' : 'unblock'}`), 201);
    } else if (isOfGroup) {
      user.isInGroup = !user.isInGroup;
      if (user.isInGroup)
        this.assert(await api.root.post(inGroup, { user_id: user.id, access_level: 30 }), 201);
      else this.assert(await api.root.delete(`${inGroup}/${user.id}`), 204);
    } else if (user.role > 0 && chance.oneIn(3)) {
      user.role = 0;
      this.assert(await api.root.delete(`${members}/${user.id}`), 204);
    } else {
      const role = chance.of(ROLES);
      const body = { user_id: user.id, access_level: role };
      if (user.role === 0) this.assert(await api.root.post(members, body), 201);
      else this.assert(await api.root.put(`${members}/${user.id}`, body), 200);
      user.role = role;
    }
    this.log.push(`rights ${JSON.stringify(user)}`);
  }

  /** Fails with the whole story. */
  assert(answer: Answer, status: number, isRight = true): void {
    if (answer.status === status && isRight) return;
    throw new Error(`not ${status}: ${answer.status} ${answer.text}\n${this.log.join('\n')}`);
  }

  /** Gives a runner all that it gets. Returns the ids. */
  protected async take(): Promise<Map<number, string>> {
    const given = new Map<number, string>();
    for (;;) {
      const { status, body } = await requestJob(this.api, this.runner);
      if (status === 204) return given;
      if (status === 201) given.set(body.id, body.token);
    }
  }
}
