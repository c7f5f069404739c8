import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Role } from '#kernel/access/roles.js';
import { CommandStarter } from '#kernel/processes/command-starter.js';
import type { RefChange } from '#core/repositories/pushes/ref-change.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import type { TestApi } from './api.js';

/** Result of a git command. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** Test processes are large, so starting a process directly from them is slow. */
const starter = new CommandStarter();

/** A working copy in its own folder, driven by the real client. */
export class WorkingCopy {
  readonly path: string;

  /** Without a parent, what a test leaves behind goes with the folder of its run. */
  constructor(parent = process.env['TEST_FOLDER'] ?? tmpdir()) {
    this.path = mkdtempSync(join(parent, 'forgeplane-work-'));
  }

  /** Runs git in the copy; returns the result, whatever the exit code. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ''): Promise<GitAnswer> {
    const command = {
      program: 'git',
      args: ['-C', this.path, ...args],
      env: { ...ENVIRONMENT, ...env },
      ownGroup: false,
      input,
    };
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let stderr = '';
      starter.start(command, {
        output: (piece) => pieces.push(piece),
        errors: (text) => (stderr += text),
        failed: reject,
        closed: (code) => resolve({ code: code ?? 1, stdout: Buffer.concat(pieces).toString(), stderr }),
      });
    });
  }

  /** Runs git and returns its trimmed output. @throws if git fails */
  git(...args: string[]): Promise<string> {
    return this.pipe(args, '');
  }

  /** Runs git with an input. @throws if git fails */
  async pipe(args: readonly string[], input: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, {}, input);
    if (code !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
    return stdout.trim();
  }

  /** An empty repository with the branch `main`. */
  async init(): Promise<this> {
    await this.git('init', '--quiet', '--initial-branch=main', '--template=');
    return this;
  }

  /** Takes over everything from another copy, without a process. */
  copyOf(other: WorkingCopy): this {
    cpSync(other.path, this.path, { recursive: true });
    return this;
  }

  /** Writes files and commits them, at a given time so that orders by time are deterministic; returns the id of the commit. */
  async commit(files: Readonly<Record<string, string>>, message = 'Change', time?: string): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
    await this.git('add', '--all');
    const dates = time === undefined ? {} : { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
    const { code, stderr } = await this.run(
      ['commit', '--quiet', '--allow-empty', '--message', message],
      dates,
    );
    if (code !== 0) throw new Error(`git commit failed: ${stderr}`);
    return this.head();
  }

  /** The commit just made: git has written its branch, or HEAD itself if that is detached, as a file. */
  private head(): string {
    const read = (name: string): string => readFileSync(join(this.path, '.git', name), 'utf8').trim();
    const head = read('HEAD');
    return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Puts the branches and tags of a working copy into a project (or wiki, or snippet) without the service, for setup. */
export async function seedRepository(
  api: TestApi,
  ref: RepositoryRef,
  work: WorkingCopy,
): Promise<OpenRepository> {
  const repository = await api.app.get(RepositoriesService, { strict: false }).ensure(ref);
  await work.git('push', '--quiet', repository.path, 'refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*');
  if (ref.ownerType === 'Project' && ref.kind === 'code')
    await api.sql('update projects set empty_repo = false where id = $1', [ref.ownerId]);
  return repository;
}

/** Changes refs as a push does, with all effects; the objects come from the working copy. */
export async function pushRefs(
  api: TestApi,
  ref: RepositoryRef,
  work: WorkingCopy,
  changes: readonly RefChange[],
): Promise<OpenRepository> {
  const repository = await api.app.get(RepositoriesService, { strict: false }).ensure(ref);
  await work.git('--git-dir', repository.path, 'fetch', '--quiet', work.path, 'refs/*:refs/keep-around/*');
  const root = { userId: 1, role: Role.Admin, via: 'git' } as const;
  const writes = api.app.get(RepositoryWritesService, { strict: false });
  await writes.change(repository, root, () => Promise.resolve(changes));
  return repository;
}
