import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, link, mkdir, open, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { relativePath } from '#core/repositories/repository-ref.js';

/** Repositories of projects on a storage: one git process answers all requests for one. */
export class GitRepositories {
  private readonly open = new Map<number, Questions>();

  constructor(private readonly root: string) {}

  /** The id of the commit of a name, or null. */
  commit(projectId: number, name: string): Promise<string | null> {
    let questions = this.open.get(projectId);
    if (!questions) this.open.set(projectId, (questions = new Questions(this.path(projectId))));
    return questions.ask(`${name}^{commit}`);
  }

  /** Makes a ref that is not there, as git makes one: of a commit that is there, whole and on disk under another name first. */
  async keepRef(projectId: number, ref: string, sha: string): Promise<void> {
    if ((await this.commit(projectId, sha)) !== sha) return;
    const path = join(this.path(projectId), ref);
    const whole = `${path}.${randomBytes(6).toString('hex')}.lock`;
    await mkdir(dirname(path), { recursive: true });
    const file = await open(whole, 'wx');
    await file.writeFile(`${sha}\n`);
    await file.datasync();
    await file.close();
    try {
      await link(whole, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await unlink(whole);
    }
  }

  /** Whether a ref is there. */
  hasRef(projectId: number, ref: string): Promise<boolean> {
    return access(join(this.path(projectId), ref)).then(
      () => true,
      () => false,
    );
  }

  private path(projectId: number): string {
    return join(this.root, relativePath({ ownerType: 'Project', ownerId: projectId, kind: 'code' }));
  }
}

class Questions {
  private readonly git: ChildProcessWithoutNullStreams;
  private readonly waiting: ((answer: string) => void)[] = [];
  private rest = '';

  constructor(path: string) {
    this.git = spawn('git', ['-c', 'safe.directory=*', '--git-dir', path, 'cat-file', '--batch-check']);
    this.git.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop() ?? '';
      for (const line of lines) this.waiting.shift()?.(line);
    });
    // The end of the process for requests that are pending.
    this.git.on('close', () => this.waiting.splice(0).forEach((answer) => answer('gone')));
    this.git.stderr.resume();
  }

  async ask(name: string): Promise<string | null> {
    const answer = await new Promise<string>((resolve) => {
      this.waiting.push(resolve);
      this.git.stdin.write(`${name}\n`);
    });
    return /^([0-9a-f]{40,64}) commit /.exec(answer)?.[1] ?? null;
  }
}
