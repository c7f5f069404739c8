import type { WalkedMergeRequest, WalkedPlace } from './code-walk.js';
import type { MergeWalk } from './merge-walk.js';
import { recordsOf } from './merge-records.js';

interface ShownPipeline {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly source: string;
  readonly status: string;
}

/** What holds at a quiet moment, from git and from settings. */
interface Moment {
  readonly walk: MergeWalk;
  /** Heads by place and branch. */
  readonly heads: ReadonlyMap<string, string>;
  readonly pipelines: readonly (ShownPipeline & { readonly project: number })[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly all: readonly WalkedMergeRequest[];
}

const RUNNING = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled'];

/** Compares merge requests with the rules, whenever nothing is under way. */
export class MergeFacts {
  private before: readonly WalkedMergeRequest[] = [];
  private mainBefore: string | null = null;
  private approvers = new Map<number, string>();

  constructor(private readonly walk: MergeWalk) {}

  /** What contradicts the rules. */
  async contradictions(): Promise<string[]> {
    const { walk } = this;
    const moment = await this.look();
    const found = walk.problems.splice(0);
    found.push(...(await this.ofMain(moment)));
    for (const one of moment.all) {
      const was = this.before.find(({ iid }) => iid === one.iid);
      const said = [...(await this.ofState(moment, one, was)), ...(await recordsOf(walk, one, was))];
      if (one.state === 'opened') said.push(...(await this.ofOpen(moment, one, was)));
      found.push(...said.map((text) => `!${one.iid}: ${text}`));
    }
    this.before = moment.all;
    walk.touched.clear();
    walk.judged.clear();
    return found;
  }

  private git(...args: string[]): Promise<string> {
    return this.walk.work.git('--git-dir', this.walk.world.code.repositoryPath, ...args);
  }

  private async tells(...args: string[]): Promise<boolean> {
    const all = ['--git-dir', this.walk.world.code.repositoryPath, ...args];
    return (await this.walk.work.run(all)).code === 0;
  }

  private isIn(commit: string, head: string): Promise<boolean> {
    return this.tells('merge-base', '--is-ancestor', commit, head);
  }

  private async look(): Promise<Moment> {
    const { walk } = this;
    const { root } = walk.api;
    const places = [walk.home, walk.fork].filter((place): place is WalkedPlace => place !== null);
    const heads = new Map<string, string>();
    const pipelines: Moment['pipelines'][number][] = [];
    for (const { id } of places) {
      const path = `/projects/${id}`;
      const branches = await root.get<{ name: string; commit: { id: string } }[]>(
        `${path}/repository/branches?per_page=100`,
      );
      for (const { name, commit } of branches.body) heads.set(`${id} ${name}`, commit.id);
      const found = await root.get<ShownPipeline[]>(`${path}/pipelines?per_page=100`);
      pipelines.push(...found.body.map((one) => ({ ...one, project: id })));
    }
    const { body: settings } = await root.get(walk.world.base);
    return { walk, heads, pipelines, settings, all: await walk.all() };
  }

  /** Nothing is lost, and every merge is there exactly once. */
  private async ofMain({ heads, all }: Moment): Promise<string[]> {
    const { walk } = this;
    const main = heads.get(`${walk.home.id} main`) ?? '';
    const found: string[] = [];
    if (this.mainBefore && !(await this.isIn(this.mainBefore, main))) found.push('main went back');
    this.mainBefore = main;
    for (const commit of walk.landed.splice(0))
      if (!(await this.isIn(commit, main))) found.push(`main lost ${commit}`);
    const messages = (await this.git('log', '--format=%x00%H %B', main)).split('\0');
    for (const { iid, merge_commit_sha: sha, target_branch: target } of all) {
      const merges = messages.filter((text) =>
        new RegExp(`See merge request ${walk.home.fullPath}!${iid}\\b`).test(text),
      );
      const named = merges.map((text) => text.slice(0, 40)).join();
      if (named !== (target === 'main' ? (sha ?? '') : ''))
        found.push(`main has the merges ${named} of !${iid}, not ${sha}`);
    }
    return found;
  }

  private async ofState(
    { heads, all }: Moment,
    one: WalkedMergeRequest,
    was: WalkedMergeRequest | undefined,
  ): Promise<string[]> {
    const { walk } = this;
    const found: string[] = [];
    const isMerged = one.state === 'merged';
    if (one.state === 'locked') found.push('is locked');
    if (was?.state === 'merged' && !isMerged) found.push('is no longer merged');
    if (walk.merged.has(one.iid) && !isMerged) found.push(`answered as merged, is ${one.state}`);
    if (isMerged !== (one.merged_at !== null)) found.push(`${one.state}, merged at ${one.merged_at}`);
    if ((one.state === 'closed') !== (one.closed_at !== null) && !isMerged)
      found.push(`${one.state}, closed at ${one.closed_at}`);
    if (one.state !== 'opened') {
      if (one.detailed_merge_status !== 'not_open') found.push(one.detailed_merge_status);
      if (one.merge_when_pipeline_succeeds) found.push(`${one.state} with auto-merge`);
    }
    const issue = /#(\d+)/.exec(one.description ?? '')?.[1];
    const { body } = await walk.api.root.get<{ state: string }>(`${walk.world.base}/issues/${issue}`);
    const isDone = isMerged && one.target_branch === 'main';
    if ((body.state === 'closed') !== isDone) found.push(`its issue is ${body.state}`);
    if (!isMerged || was?.state === 'merged') return found;
    if (!one.merge_user) found.push('merged by nobody');
    if (one.merge_error !== null) found.push(`merged with ${one.merge_error}`);
    const target = heads.get(`${walk.home.id} ${one.target_branch}`);
    const isForced = one.target_branch === 'next' && walk.touched.has(`${walk.home.id} next`);
    const commit = one.merge_commit_sha ?? one.squash_commit_sha ?? one.sha;
    if (target && !isForced && !(await this.isIn(commit, target)))
      found.push(`${commit} is not in ${one.target_branch}`);
    // Who merges may not remove branches of a fork, unless they may push there.
    const removes = one.should_remove_source_branch ?? one.force_remove_source_branch ?? false;
    const key = `${one.source_project_id} ${one.source_branch}`;
    const isShared = all.some(
      (other) => other.state === 'opened' && `${other.source_project_id} ${other.source_branch}` === key,
    );
    const isOwn = one.source_project_id === walk.home.id;
    const isLeft =
      walk.touched.has(key) || isShared || !walk.merged.has(one.iid) || one.source_project_id === null;
    if (!isLeft && (isOwn ? removes === heads.has(key) : !heads.has(key)))
      found.push(`source branch ${heads.has(key) ? 'kept' : 'lost'}`);
    return found;
  }

  private async ofOpen(
    moment: Moment,
    one: WalkedMergeRequest,
    was: WalkedMergeRequest | undefined,
  ): Promise<string[]> {
    const { walk, heads } = moment;
    if (one.source_project_id === null) return ['is open without its fork'];
    const head = heads.get(`${one.source_project_id} ${one.source_branch}`);
    const start = heads.get(`${walk.home.id} ${one.target_branch}`);
    if (!head || !start) return [`is open without ${head ? one.target_branch : one.source_branch}`];
    const found: string[] = [];
    const same = (what: string, shown: unknown, wanted: unknown): void => {
      if (shown !== wanted) found.push(`${what} is ${String(shown)}, not ${String(wanted)}`);
    };
    same('sha', one.sha, head);
    const kept = await this.git(
      'rev-parse',
      '--verify',
      '--quiet',
      `refs/merge-requests/${one.iid}/head`,
    ).catch(() => '');
    same('its ref', kept, head);
    if (found.length > 0) return found;
    const base = await this.git('merge-base', head, start);
    same('base', one.diff_refs.base_sha, base);
    same('start', one.diff_refs.start_sha, start);
    same('head', one.diff_refs.head_sha, head);
    const isEmpty = base === head;
    if (isEmpty && was?.state === 'opened' && was.sha === head && was.target_branch === one.target_branch) {
      const had = await this.isIn(head, was.diff_refs.start_sha);
      if (!had) found.push('is open, though its target has it');
    }
    const names = isEmpty ? '' : await this.git('diff', '--name-only', base, head);
    const count = names === '' ? null : String(names.split('\n').length);
    same('changes', one.changes_count, count);
    const isClean = !isEmpty && (await this.tells('merge-tree', '--write-tree', start, head));
    same('merge status', one.merge_status, isClean ? 'can_be_merged' : 'cannot_be_merged');
    const commits = await walk.api.root.get<{ id: string }[]>(walk.at(one.iid, '/commits?per_page=100'));
    const listed = await this.git('rev-list', `${base}..${head}`);
    same(
      'commits',
      commits.body
        .map(({ id }) => id)
        .sort()
        .join('\n'),
      listed.split('\n').sort().join('\n'),
    );
    const pipeline = pipelineOf(moment, one);
    same('pipeline', one.head_pipeline?.id, pipeline?.id);
    const stale = moment.pipelines.filter(
      ({ ref, sha, status }) =>
        ref === `refs/merge-requests/${one.iid}/head` && sha !== head && RUNNING.includes(status),
    );
    for (const { id, status } of stale) found.push(`pipeline ${id} of a former head is ${status}`);
    if (one.merge_when_pipeline_succeeds && pipeline?.status === 'success') found.push('waits for a success');
    const isApproved = await this.approved(moment, one, was, found);
    same(
      'status',
      one.detailed_merge_status,
      await this.status(moment, one, { isClean, isApproved, pipeline }),
    );
    return found;
  }

  private async approved(
    { walk, settings }: Moment,
    { iid, sha, target_branch: target }: WalkedMergeRequest,
    was: WalkedMergeRequest | undefined,
    found: string[],
  ): Promise<boolean> {
    const { body } = await walk.api.root.get<{
      approvals_left: number;
      approved_by: { user: { id: number } }[];
    }>(walk.at(iid, '/approvals'));
    const given = body.approved_by
      .map(({ user }) => user.id)
      .sort()
      .join();
    if (!walk.judged.has(iid) && was) {
      const isSame = was.sha === sha && was.target_branch === target;
      const former = this.approvers.get(iid) ?? '';
      if (isSame ? given !== former && given !== '' : given !== '')
        found.push(`approved by ${given}, formerly by ${former}`);
      if (isSame && was.state === 'opened' && given !== former)
        found.push(`lost approvals of ${former}: ${given}`);
    }
    this.approvers.set(iid, given);
    const left = Math.max(0, Number(settings['approvals_before_merge']) - body.approved_by.length);
    if (left !== body.approvals_left) found.push(`${body.approvals_left} approvals left, not ${left}`);
    return left === 0;
  }

  private async status(
    { walk, settings }: Moment,
    one: WalkedMergeRequest,
    facts: { isClean: boolean; isApproved: boolean; pipeline: ShownPipeline | undefined },
  ): Promise<string> {
    if (/^draft/i.test(one.title)) return 'draft_status';
    if (settings['only_allow_merge_if_all_discussions_are_resolved'] === true) {
      const { body } = await walk.api.root.get<{ notes: { resolvable: boolean; resolved?: boolean }[] }[]>(
        walk.at(one.iid, '/discussions?per_page=100'),
      );
      const isOpen = body.some(({ notes }) => notes.some((note) => note.resolvable && !note.resolved));
      if (isOpen) return 'discussions_not_resolved';
    }
    if (!facts.isClean) return 'broken_status';
    const { base_sha: base, start_sha: start } = one.diff_refs;
    if (settings['merge_method'] !== 'merge' && base !== start) return 'need_rebase';
    if (!facts.isApproved) return 'not_approved';
    const status = facts.pipeline?.status;
    if (settings['only_allow_merge_if_pipeline_succeeds'] !== true || status === 'success')
      return 'mergeable';
    return status && RUNNING.includes(status) ? 'ci_still_running' : 'ci_must_pass';
  }
}

/** The newest pipeline of the merge request for its head, else that of its branch; in a fork both are of the branch. */
function pipelineOf({ pipelines, walk }: Moment, one: WalkedMergeRequest): ShownPipeline | undefined {
  const isOfFork = one.source_project_id !== walk.home.id;
  const own = isOfFork ? one.source_branch : `refs/merge-requests/${one.iid}/head`;
  const fits = pipelines
    .filter(({ sha, project }) => sha === one.sha && project === one.source_project_id)
    .sort((a, b) => b.id - a.id);
  const events = fits.filter(({ source, ref }) => source === 'merge_request_event' && ref === own);
  const rest = fits.filter(
    ({ source, ref }) => source !== 'merge_request_event' && ref === one.source_branch,
  );
  // Merge requests of one branch of a fork to several targets have pipelines that look the same.
  const shown = isOfFork ? events.find(({ id }) => id === one.head_pipeline?.id) : undefined;
  return shown ?? events[0] ?? rest[0];
}
