import type { TestApi } from '../api.js';
import { registerRunner, requestJob, type BuiltRunner } from '../builders/runner.js';
import { createUser } from '../builders/user.js';
import type { Answer } from '../client.js';
import { WorkingCopy } from '../git.js';
import { Chance } from '../hostile/chance.js';
import { MergeWorld } from '../merge-world.js';
import { until } from '../until.js';
import { CodeWalk, type WalkedMergeRequest, type WalkedPlace } from './code-walk.js';

/** Branches that merge requests come from, and go to; only the second target is ever pushed by force. */
const SOURCES: readonly string[] = ['b1', 'b2', 'b3', 'b4'];
const TARGETS: readonly string[] = ['main', 'main', 'next'];

const MAX_OPEN = 5;

const CONFIG = JSON.stringify({
  a: { script: 'x', interruptible: true, rules: [{ if: "$CI_PIPELINE_SOURCE == 'merge_request_event'" }] },
});

const SOON = `select 1 from background_jobs where dedupe_key is distinct from 'schedule' and state <> 'failed'
  and run_at < now() + interval '1 minute' and name <> 'repositories.measure'`;

/** A project and its fork, in which users do whatever they may to merge requests, by a seed. */
export class MergeWalk extends CodeWalk {
  /** Comments of users, by the number of the merge request. */
  readonly comments = new Map<number, number>();
  /** Merge requests whose merge was answered with success. */
  readonly merged = new Set<number>();
  /** Merge requests of which approvals were given or taken since the last check. */
  readonly judged = new Set<number>();

  private constructor(
    api: TestApi,
    world: MergeWorld,
    fork: WalkedPlace,
    private readonly runner: BuiltRunner,
    work: WorkingCopy,
    chance: Chance,
  ) {
    super(api, world, fork, work, chance);
  }

  static async start(api: TestApi, seed: number): Promise<MergeWalk> {
    const chance = new Chance(seed);
    const world = await MergeWorld.build(api, {
      visibility: 'public',
      merge_method: chance.of(['merge', 'merge', 'merge', 'ff']),
    });
    await world.commit('main', { '.gitlab-ci.yml': CONFIG });
    await world.dev.post(`${world.base}/repository/branches`, { branch: 'next', ref: 'main' });
    const { client } = await createUser(api);
    const { body } = await client.post<{ id: number; path_with_namespace: string }>(`${world.base}/fork`);
    const fork = { id: body.id, fullPath: body.path_with_namespace, client };
    const runner = await registerRunner(api, { project: world.code.id });
    const walk = new MergeWalk(api, world, fork, runner, await new WorkingCopy().init(), chance);
    await until(
      async () => (await client.get(`/projects/${fork.id}/repository/branches/main`)).status === 200,
    );
    return walk;
  }

  at(iid: number, more = ''): string {
    return `${this.world.base}/merge_requests/${iid}${more}`;
  }

  async all(): Promise<readonly WalkedMergeRequest[]> {
    const path = `${this.world.base}/merge_requests?state=all&per_page=100&order_by=created_at&sort=asc`;
    const { body } = await this.api.root.get<{ iid: number }[]>(path);
    return Promise.all(
      body.map(async ({ iid }) => (await this.api.root.get<WalkedMergeRequest>(this.at(iid))).body),
    );
  }

  /** Waits until nothing is under way; the sizes of repositories, which are measured later, do not matter. */
  async untilQuiet(): Promise<void> {
    await until(async () => (await this.api.sql(SOON)).length === 0);
  }

  /** Several actions at once. */
  async round(): Promise<void> {
    const all = await this.all();
    const open = all.filter(({ state }) => state === 'opened');
    if (open.length < 2 || (open.length < MAX_OPEN && this.chance.oneIn(4))) await this.open();
    if (this.chance.oneIn(3)) return this.mergeAll(open);
    const count = 1 + this.chance.below(4);
    await Promise.all(Array.from({ length: count }, () => this.act(all)));
  }

  /** Merges all that may be merged at once, twice, while their target moves. */
  private async mergeAll(open: readonly WalkedMergeRequest[]): Promise<void> {
    const ready = open.filter(({ detailed_merge_status: status }) => status === 'mergeable');
    const target = this.chance.of(['main', 'next']);
    await Promise.all(
      [...ready, ...ready].map((one) => this.merge(one)).concat(this.commit(this.home, target)),
    );
  }

  /** Removes the fork while its merge requests are being merged. */
  async end(): Promise<void> {
    const { fork } = this;
    if (!fork) return;
    const all = await this.all();
    const own = all.filter((one) => one.source_project_id === fork.id && one.state === 'opened');
    await Promise.all([...own.map((one) => this.merge(one)), fork.client.delete(`/projects/${fork.id}`)]);
    this.fork = null;
    await this.untilQuiet();
  }

  private async act(all: readonly WalkedMergeRequest[]): Promise<void> {
    const { chance } = this;
    if (all.length === 0 || chance.oneIn(5)) return this.actOnCode();
    const open = all.filter(({ state }) => state === 'opened');
    const one = chance.of(chance.oneIn(6) || open.length === 0 ? all : open);
    const actions: readonly (() => Promise<unknown>)[] = [
      () => this.merge(one),
      () => this.merge(one),
      () => this.merge(one),
      () => this.commit(one.source_project_id === this.home.id ? this.home : this.fork, one.source_branch),
      () => this.commit(this.home, one.target_branch),
      () => this.pushByGit(one),
      () => this.pushByGit(one),
      () => this.removeBranch(one),
      () => this.change(one, { title: chance.oneIn(4) ? `Draft: ${one.iid}` : `Bring ${one.iid}` }),
      () => this.change(one, { state_event: chance.oneIn(3) ? 'close' : 'reopen' }),
      () => this.change(one, { target_branch: chance.of(TARGETS) }),
      () => this.say(one),
      () => this.discuss(one),
      () => this.judge(one),
      () => this.send('rebase', one.iid, this.world.dev.put(this.at(one.iid, '/rebase'))),
      () => this.cancel(one),
      () => this.report(one),
      () => this.run(),
      () => this.set(),
    ];
    await chance.of(actions)();
  }

  private async actOnCode(): Promise<void> {
    const place = this.chance.oneIn(4) ? this.fork : this.home;
    const branch = this.chance.of([...SOURCES, 'main', 'next']);
    if (place) await this.commit(place, place === this.fork ? this.chance.of(SOURCES) : branch);
  }

  /** Opens a merge request, of a branch of either place. */
  async open(): Promise<void> {
    const { chance } = this;
    const place = (chance.oneIn(3) ? this.fork : null) ?? this.home;
    const branch = chance.of(SOURCES);
    const values = {
      title: chance.oneIn(8) ? 'Draft: new' : 'New',
      source_branch: branch,
      target_branch: chance.of(TARGETS),
      target_project_id: this.home.id,
      remove_source_branch: chance.oneIn(3),
      squash: chance.oneIn(4),
    };
    await this.commit(place, branch);
    const issue = await this.world.dev.post<{ iid: number }>(`${this.world.base}/issues`, { title: 'Wish' });
    const made = await place.client.post<{ iid: number }>(`/projects/${place.id}/merge_requests`, {
      ...values,
      description: `Closes #${issue.body.iid}`,
    });
    this.take(`open ${branch} of ${place.id} to ${values.target_branch}`, made, 201, 409, 422);
    await this.untilQuiet();
  }

  private async merge(one: WalkedMergeRequest): Promise<void> {
    const { chance } = this;
    const values = {
      ...(chance.oneIn(3) ? { squash: chance.oneIn(2) } : {}),
      ...(chance.oneIn(3) ? { should_remove_source_branch: true } : {}),
      ...(chance.oneIn(3) ? { auto_merge: true } : {}),
      ...(chance.oneIn(4) ? { sha: one.sha } : {}),
    };
    const client = chance.of([this.world.dev, this.world.code.maintainer]);
    const answer = await this.world.merge(one.iid, values, client);
    this.take(`merge !${one.iid} ${JSON.stringify(values)}`, answer, 200, 403, 404, 405, 409, 422);
    if (answer.status !== 200) return;
    if (answer.body.state !== 'merged' && !answer.body.merge_when_pipeline_succeeds)
      this.problems.push(`!${one.iid} answered 200 as ${answer.body.state}`);
    if (answer.body.state === 'merged' && this.merged.has(one.iid))
      this.problems.push(`!${one.iid} was merged twice`);
    if (answer.body.state === 'merged') this.merged.add(one.iid);
  }

  private change({ iid }: WalkedMergeRequest, values: Readonly<Record<string, unknown>>): Promise<void> {
    const sent = this.world.code.maintainer.put(this.at(iid), values);
    return this.send(JSON.stringify(values), iid, sent, 403);
  }

  private async say({ iid }: WalkedMergeRequest): Promise<void> {
    await this.send('note', iid, this.world.dev.post(this.at(iid, '/notes'), { body: 'Well' }));
    this.comments.set(iid, (this.comments.get(iid) ?? 0) + 1);
  }

  /** Opens a thread, or resolves those that are open. */
  private async discuss({ iid }: WalkedMergeRequest): Promise<void> {
    const path = this.at(iid, '/discussions');
    if (this.chance.oneIn(2)) {
      this.comments.set(iid, (this.comments.get(iid) ?? 0) + 1);
      return this.send('thread', iid, this.world.dev.post(path, { body: 'Why?' }));
    }
    const { body } = await this.world.dev.get<{ id: string; individual_note: boolean }[]>(
      `${path}?per_page=100`,
    );
    for (const { id, individual_note: isNote } of body)
      if (!isNote)
        await this.send('resolve', iid, this.world.dev.put(`${path}/${id}`, { resolved: true }), 400);
  }

  private judge({ iid }: WalkedMergeRequest): Promise<void> {
    const what = this.chance.oneIn(4) ? 'unapprove' : 'approve';
    this.judged.add(iid);
    const client = this.chance.of([this.world.code.maintainer, this.world.dev]);
    return this.send(what, iid, client.post(this.at(iid, `/${what}`)), 401, 403, 404, 409);
  }

  private cancel({ iid }: WalkedMergeRequest): Promise<void> {
    const path = this.at(iid, '/cancel_merge_when_pipeline_succeeds');
    return this.send('cancel', iid, this.world.dev.post(path), 405, 406);
  }

  /** A status from outside for the head. */
  private report({ iid, sha, source_branch: ref }: WalkedMergeRequest): Promise<void> {
    const state = this.chance.of(['running', 'success', 'success', 'failed']);
    const sent = this.world.dev.post(`${this.world.base}/statuses/${sha}`, { state, ref, name: 'check' });
    return this.send(`status ${state}`, iid, sent, 400, 404);
  }

  /** A runner ends a job. */
  private async run(): Promise<void> {
    const state = this.chance.oneIn(5) ? 'failed' : 'success';
    for (;;) {
      const { status, body } = await requestJob(this.api, this.runner);
      if (status !== 201) return;
      const ended = await this.api.anonymous.put(`/jobs/${body.id}`, { token: body.token, state });
      this.log.push(`job ${body.id} ${state}: ${ended.status}`);
    }
  }

  private async set(): Promise<void> {
    const { chance, world } = this;
    const { maintainer } = world.code;
    const values = {
      only_allow_merge_if_pipeline_succeeds: chance.oneIn(4),
      only_allow_merge_if_all_discussions_are_resolved: chance.oneIn(4),
    };
    const count = chance.oneIn(4) ? 1 : 0;
    this.take(`set ${JSON.stringify(values)}`, await maintainer.put(world.base, values), 200);
    const approvals = { approvals_before_merge: count };
    this.take(`need ${count}`, await maintainer.post(`${world.base}/approvals`, approvals), 201);
  }

  private async send(
    what: string,
    iid: number,
    sent: Promise<Answer>,
    ...others: readonly number[]
  ): Promise<void> {
    this.take(`${what} !${iid}`, await sent, 200, 201, 202, 403, 405, 409, 422, ...others);
  }
}
