import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkingCopy } from './git.js';

/** Pushes of new branches and clones by the real client, in turn and at an even pace, whatever their result. */
export class GitLoad {
  /** Commits of the pushed branches, whether or not their push was acknowledged. */
  readonly pushed: Record<string, string> = {};
  private readonly sent: Promise<string>[] = [];
  private running = true;
  private loading = Promise.resolve();

  private constructor(
    private readonly work: WorkingCopy,
    private readonly url: string,
    private readonly commits: readonly string[],
  ) {}

  /** Pushes `main`, and starts; that many branches can be pushed. */
  static async start(url: string, perSecond: number, branches: number): Promise<GitLoad> {
    const work = await new WorkingCopy().init();
    await work.commit({ 'README.md': 'Loaded\n' });
    await work.git('push', '--quiet', url, 'main');
    await work.pipe(['fast-import', '--quiet'], Array.from({ length: branches }, commitOf).join(''));
    const listed = await work.git(
      'for-each-ref',
      '--format=%(objectname)',
      '--sort=version:refname',
      'refs/prepared',
    );
    const load = new GitLoad(work, url, listed.split('\n'));
    load.loading = load.load(perSecond);
    return load;
  }

  /** Ends the load and returns `push` or `clone` with `done` or the error of git. */
  async end(): Promise<string[]> {
    this.running = false;
    await this.loading;
    const outcomes = await Promise.all(this.sent);
    this.work.remove();
    return outcomes;
  }

  private async load(perSecond: number): Promise<void> {
    const begun = Date.now();
    for (let number = 0; this.running; number += 1) {
      this.sent.push(number % 2 === 0 ? this.push(number / 2) : this.clone());
      await sleep(Math.max(0, begun + ((number + 1) * 1_000) / perSecond - Date.now()));
    }
  }

  private async push(number: number): Promise<string> {
    const commit = this.commits[number];
    if (commit === undefined) return 'push: no branch is left';
    const branch = `refs/heads/load-${number}`;
    this.pushed[branch] = commit;
    const { code, stderr } = await this.work.run(['push', '--quiet', this.url, `${commit}:${branch}`]);
    return code === 0 ? 'push done' : `push ${code}: ${stderr}`;
  }

  private async clone(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-clone-'));
    const { code, stderr } = await this.work.run([
      'clone',
      '--quiet',
      '--single-branch',
      this.url,
      join(folder, 'copy'),
    ]);
    rmSync(folder, { recursive: true, force: true });
    return code === 0 ? 'clone done' : `clone ${code}: ${stderr}`;
  }
}

/** A commit on `main` with its own file, for git fast-import. */
const commitOf = (_: unknown, number: number): string =>
  [
    `commit refs/prepared/${number}`,
    'committer Ada <ada@example.com> 1700000000 +0000',
    `data <<END\nBranch ${number}\nEND`,
    'from refs/heads/main^0',
    `M 100644 inline file-${number}.txt`,
    `data <<END\n${number}\nEND\n\n`,
  ].join('\n');
