import { ROOT_TOKEN, type TestApi } from '../api.js';
import type { Answer, ApiClient } from '../client.js';
import { WorkingCopy } from '../git.js';
import { gitUrl } from '../git-http.js';
import type { Chance } from '../hostile/chance.js';
import type { MergeWorld, ShownMergeRequest } from '../merge-world.js';

/** A merge request as its record shows it. */
export interface WalkedMergeRequest extends ShownMergeRequest {
  readonly source_project_id: number | null;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly description: string | null;
  readonly user_notes_count: number;
  readonly should_remove_source_branch: boolean | null;
  readonly force_remove_source_branch: boolean | null;
  readonly closed_at: string | null;
  readonly head_pipeline: { readonly id: number; readonly status: string; readonly sha: string } | null;
}

/** A place with branches: the project, or its fork. */
export interface WalkedPlace {
  readonly id: number;
  readonly fullPath: string;
  readonly client: ApiClient;
}

/** Changes branches of a project and its fork, over the API and with git. */
export class CodeWalk {
  readonly problems: string[] = [];
  readonly log: string[] = [];
  /** Heads that the default branch got by an answered commit. */
  readonly landed: string[] = [];
  /** Places and branches that were pushed to, or removed, since the last check. */
  readonly touched = new Set<string>();
  private serial = 0;
  private isGitBusy = false;

  protected constructor(
    readonly api: TestApi,
    readonly world: MergeWorld,
    public fork: WalkedPlace | null,
    readonly work: WorkingCopy,
    protected readonly chance: Chance,
  ) {}

  get home(): WalkedPlace {
    return { id: this.world.code.id, fullPath: this.world.code.fullPath, client: this.world.dev };
  }

  protected async commit(place: WalkedPlace | null, branch: string): Promise<void> {
    if (!place) return;
    const serial = (this.serial += 1);
    const clashes = this.chance.oneIn(4);
    const action = clashes ? 'update' : 'create';
    const there = await place.client.get(`/projects/${place.id}/repository/branches/${branch}`);
    this.touched.add(`${place.id} ${branch}`);
    const answer = await place.client.post<{ id: string }>(`/projects/${place.id}/repository/commits`, {
      branch,
      ...(there.status === 200 ? {} : { start_branch: 'main' }),
      commit_message: `Commit ${serial}`,
      actions: [{ action, file_path: clashes ? 'a.txt' : `f${serial}.txt`, content: `${serial}\n` }],
    });
    this.take(`commit ${serial} to ${branch} of ${place.id}`, answer, 201, 400, 409);
    if (answer.status === 201 && place.id === this.home.id && branch === 'main')
      this.landed.push(answer.body.id);
  }

  /** Pushes with git: a merge by hand to the target, or by force to the source or the second target. */
  protected async pushByGit(one: WalkedMergeRequest): Promise<void> {
    const place = one.source_project_id === this.home.id ? this.home : this.fork;
    const [kind, serial] = [this.chance.below(4), (this.serial += 1)];
    if (!place || this.isGitBusy) return;
    this.isGitBusy = true;
    try {
      const url = (path: string): string => gitUrl(this.api, `/${path}.git`, ['root', ROOT_TOKEN]);
      const { work } = this;
      const refs = '+refs/heads/*:refs/remotes';
      const run = (...args: string[]): Promise<{ code: number; stderr: string }> => work.run(args);
      await run('fetch', '--quiet', '--prune', url(this.home.fullPath), `${refs}/home/*`);
      await run('fetch', '--quiet', '--prune', url(place.fullPath), `${refs}/source/*`);
      const toTarget = kind === 0 || (kind === 1 && one.target_branch === 'next');
      const start = toTarget ? `home/${one.target_branch}` : `source/${one.source_branch}`;
      const [to, branch] = toTarget ? [this.home, one.target_branch] : [place, one.source_branch];
      const force = kind === 0 ? [] : ['--force'];
      const out = await run('checkout', '--quiet', '--force', '-B', 'here', `refs/remotes/${start}`);
      if (out.code !== 0) return;
      if (kind === 0) {
        const merge = await run(
          'merge',
          '--quiet',
          '--no-ff',
          '-m',
          `By hand ${serial}`,
          `refs/remotes/source/${one.source_branch}`,
        );
        if (merge.code !== 0) return void (await run('merge', '--abort'));
      } else {
        await run('reset', '--quiet', '--hard', 'HEAD~1');
        if (kind !== 2) await work.commit({ [`g${serial}.txt`]: `${serial}\n` }, `By force ${serial}`);
      }
      this.touched.add(`${to.id} ${branch}`);
      const pushed = await run('push', '--quiet', ...force, url(to.fullPath), `HEAD:refs/heads/${branch}`);
      this.log.push(`git push ${force.join('')} ${branch} of ${to.id} (${kind}): ${pushed.code}`);
    } finally {
      this.isGitBusy = false;
    }
  }

  protected async removeBranch(one: WalkedMergeRequest): Promise<void> {
    const place = one.source_project_id === this.home.id ? this.home : this.fork;
    if (!place || !this.chance.oneIn(3)) return;
    this.touched.add(`${place.id} ${one.source_branch}`);
    const path = `/projects/${place.id}/repository/branches/${one.source_branch}`;
    this.take(`remove ${one.source_branch} of ${place.id}`, await place.client.delete(path), 204, 404, 409);
  }

  protected take(what: string, { status, text }: Answer, ...expected: readonly number[]): void {
    const line = `${what}: ${status}${status < 300 ? '' : ` ${text.slice(0, 100)}`}`;
    this.log.push(line);
    if (!expected.includes(status)) this.problems.push(line);
  }
}
