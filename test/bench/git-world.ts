import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { projectRepository, relativePath } from '#core/repositories/repository-ref.js';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };

/** Runs the real client, and waits. @throws when it fails */
export function runGit(args: readonly string[], input?: Buffer, variables: Readonly<Record<string, string>> = {}): void {
  const env = { ...ENVIRONMENT, ...variables };
  const { status, stderr } = spawnSync('git', args, { env, ...(input ? { input } : {}), maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${String(stderr)}`);
}

/** Clones, and throws the clone away. Each calls its program by another name: equal clones within half a minute would get the pack of the first. */
export function cloneAnew(url: string, target: string): void {
  runGit(['clone', '--quiet', '--bare', url, target], undefined, { GIT_USER_AGENT: `bench/${randomUUID()}` });
  rmSync(target, { recursive: true });
}

/** The same, as all clients of one version do. */
export function cloneAgain(url: string, target: string): void {
  runGit(['clone', '--quiet', '--bare', url, target]);
  rmSync(target, { recursive: true });
}

/** A repository of some 40 MB: `commits` changes of one of 400 files, a third of each file random. */
export function makeRepository(path: string, commits: number): void {
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', path]);
  const parts: Buffer[] = [];
  for (let number = 1; number <= commits; number += 1) {
    const text = `${'a line of a program that is much like others\n'.repeat(200)}${randomBytes(10_000).toString('base64')}\n`;
    const message = `Change number ${number}\n`;
    parts.push(
      Buffer.from(
        `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + number} +0000\ndata ${message.length}\n${message}` +
          `M 100644 inline src/part${number % 20}/file${number % 400}.txt\ndata ${text.length}\n${text}\n`,
      ),
    );
  }
  runGit(['--git-dir', path, 'fast-import', '--quiet'], Buffer.concat(parts));
  runGit(['--git-dir', path, 'repack', '-adq']);
}

/** Copies one small repository to where those of `count` new projects lie, and gives them their rows. */
export async function addSmallProjects(client: pg.Client, storage: string, folder: string, count: number): Promise<void> {
  const template = join(folder, 'small.git');
  makeRepository(template, 20);
  writeFileSync(join(template, 'description'), '');
  const { rows } = await client.query<{ id: number }>(
    `insert into projects (namespace_id, creator_id, name, path, full_path, full_name, repository_storage, empty_repo, default_branch)
     select n.id, 1, 'small' || i, 'small' || i, n.full_path || '/small' || i, 'small' || i, 'default', false, 'main'
     from namespaces n, generate_series(1, $1::int) i where n.owner_id = 1 returning id`,
    [count],
  );
  await client.query(
    `insert into repositories (owner_type, owner_id, kind) select 'Project', id, 'code' from projects where path like 'small%'`,
  );
  for (const { id } of rows) {
    const path = join(storage, relativePath(projectRepository(id)));
    mkdirSync(dirname(path), { recursive: true });
    cpSync(template, path, { recursive: true });
  }
}
