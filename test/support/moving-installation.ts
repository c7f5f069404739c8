import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  projectRepository,
  relativePath,
  wikiRepository,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';
import type { ApiClient } from './client.js';
import { WorkingCopy } from './git.js';
import { gitUrl } from './git-http.js';
import { inParallel, Installation, type Member } from './installation.js';
import { ROOT_TOKEN } from './processes.js';
import { until } from './until.js';

/** A project with code and wiki, and their original content. */
export interface MovingProject {
  readonly id: number;
  readonly path: string;
  /** By repository: a digest over all refs and HEAD. */
  readonly refs: Readonly<Record<string, string>>;
}

/** A move, with its facts for the tests. */
export interface EndedMove {
  readonly id: number;
  readonly state: string;
  readonly error_message: string | null;
}

/** Time for a move to end once everything that it needs is available again. */
export const RECOVERY_MS = 60_000;

const repositoriesOf = (projectId: number): readonly RepositoryRef[] => [
  projectRepository(projectId),
  wikiRepository('Project', projectId),
];

/** Several processes of the product on one database and the storages `default` (folder `a`) and `second` (folder `b`). */
export class MovingInstallation {
  readonly folder = mkdtempSync(join(tmpdir(), 'forgeplane-moving-'));

  private constructor(
    readonly installation: Installation,
    readonly work: WorkingCopy,
  ) {}

  /** On a new database of the test server, or on the given one. */
  static async create(
    options: { redisUrl?: string | undefined; databaseUrl?: string } = {},
  ): Promise<MovingInstallation> {
    const work = await new WorkingCopy().init();
    // That many objects stay in a pack; later pushes are stored as loose objects.
    const files = Array.from({ length: 120 }, (_, n) => [`docs/${n}.txt`, `${n}\n`.repeat(200)] as const);
    // Incompressible data takes time to push.
    const noise = randomBytes(60_000).toString('base64');
    await work.commit({ ...Object.fromEntries(files), 'noise.txt': noise }, 'First');
    await work.git('tag', '--annotate', '--message', 'v1', 'v1');
    await work.git('branch', 'old');
    await work.commit({ 'a.txt': 'one\n' }, 'Second');
    return new MovingInstallation(await Installation.create(options), work);
  }

  /** Starts one more process that knows both storages. */
  start(kind: 'all' | 'api' | 'worker', env: Readonly<Record<string, string>> = {}): Promise<Member> {
    const storages = `default=${this.folder}/a,second=${this.folder}/b`;
    return this.installation.start(kind, { REPOSITORY_STORAGES: storages, ...env });
  }

  /**
   * Allows many concurrent moves, and creates new projects on `default`. Call it once, before there are
   * projects.
   */
  async arrange({ client }: Member): Promise<void> {
    const { status } = await client.put('/application/settings', {
      repository_storages_weighted: { default: 100 },
      repository_move_concurrency_per_storage: 100,
    });
    if (status !== 200) throw new Error(`The settings were not taken: ${status}`);
  }

  /** Creates projects on `default` by real pushes. */
  projects(member: Member, prefix: string, count: number): Promise<MovingProject[]> {
    return inParallel(count, (number) => this.project(member, `${prefix}-${number}`), 3);
  }

  /** Pushes refs of the working copy, and returns the output of git. */
  push(
    member: Member,
    path: string,
    ...refs: string[]
  ): Promise<{ readonly code: number; readonly stderr: string }> {
    return this.work.run(['push', '--quiet', this.url(member, path), ...refs]);
  }

  /** Returns the URL of a project for git. */
  url(member: Member, path: string): string {
    return gitUrl(member, `/root/${path}.git`, ['root', ROOT_TOKEN]);
  }

  /** Schedules a move and returns its id. */
  async schedule(client: ApiClient, { id }: MovingProject, destination = 'second'): Promise<number> {
    const { status, text, body } = await client.post<{ id: number }>(
      `/projects/${id}/repository_storage_moves`,
      { destination_storage_name: destination },
    );
    if (status !== 201) throw new Error(`The move was not scheduled: ${status} ${text}`);
    return body.id;
  }

  /** Schedules moves of several projects, one after another. */
  async scheduleAll(
    client: ApiClient,
    projects: readonly MovingProject[],
    destination = 'second',
  ): Promise<void> {
    for (const project of projects) await this.schedule(client, project, destination);
  }

  /** Waits until the last move of each project has ended, and shows these moves in the same order. */
  async ended(projects: readonly MovingProject[], withinMs = RECOVERY_MS): Promise<EndedMove[]> {
    const ids = projects.map(({ id }) => id);
    const find = (): Promise<EndedMove[]> =>
      this.installation.sql<EndedMove>(
        `select m.id, m.state, m.error_message from unnest($1::bigint[]) with ordinality as p(id, number)
         cross join lateral (select * from storage_moves where owner_type = 'Project' and owner_id = p.id
           order by id desc limit 1) m order by number`,
        [ids],
      );
    await until(async () => {
      const moves = await find();
      return moves.length === ids.length && moves.every(({ state }) => /finished|failed/.test(state));
    }, withinMs);
    return find();
  }

  /**
   * Returns the state of a project's repositories on all storages and in the database; compare it with
   * `wholeOn`.
   */
  async look({ id }: MovingProject): Promise<unknown> {
    const [owner] = await this.installation.sql<{ storage: string; readOnly: boolean }>(
      'select repository_storage as storage, repository_read_only as "readOnly" from projects where id = $1',
      [id],
    );
    const copies: Record<string, string> = {};
    for (const [storage, folder] of Object.entries({ default: 'a', second: 'b' }))
      for (const ref of repositoriesOf(id)) {
        const path = join(this.folder, folder, relativePath(ref));
        if (existsSync(path)) copies[`${ref.kind} on ${storage}`] = digestOfRefs(path);
      }
    return { owner, copies };
  }

  /**
   * Result of `look` for a project that is writable on one storage and nowhere else, with its original refs.
   */
  wholeOn({ refs }: MovingProject, storage: string): unknown {
    const copies: Record<string, string> = {};
    for (const [kind, digest] of Object.entries(refs)) copies[`${kind} on ${storage}`] = digest;
    return { owner: { storage, readOnly: false }, copies };
  }

  /** Names of leftovers of moves in the folders of all storages. */
  remains(): string[] {
    return ['a', 'b'].flatMap((name) => namesIn(join(this.folder, name, '+moves')));
  }

  /**
   * Clones a project and its wiki, checks all objects, and pushes a new branch; throws if any of it does not
   * work.
   */
  async use(member: Member, { path }: MovingProject): Promise<void> {
    for (const [number, name] of [path, `${path}.wiki`].entries()) {
      const clone = join(this.folder, `clone-${path}-${number}`);
      await this.work.git('clone', '--quiet', '--mirror', this.url(member, name), clone);
      await this.work.git('--git-dir', clone, 'fsck', '--full', '--strict');
      rmSync(clone, { recursive: true });
    }
    const { code, stderr } = await this.push(member, path, 'main:refs/heads/after');
    if (code !== 0) throw new Error(`A push after the move failed: ${stderr}`);
  }

  /** The folder of a project's code on a storage. */
  place(folder: 'a' | 'b', { id }: MovingProject): string {
    return join(this.folder, folder, relativePath(projectRepository(id)));
  }

  /** Waits until no job of this kind, or of any kind, waits or runs. */
  async idle(name = '%'): Promise<void> {
    const left = `select count(*) from background_jobs where state <> 'failed' and name like $1`;
    await until(async () => (await this.installation.count(left, [name])) === 0, RECOVERY_MS);
  }

  async close(): Promise<void> {
    await this.installation.close();
    this.work.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async project(member: Member, path: string): Promise<MovingProject> {
    const { status, text, body } = await member.client.post<{ id: number }>('/projects', { name: path });
    if (status !== 201) throw new Error(`The project was not made: ${status} ${text}`);
    for (const [name, refs] of [
      [path, ['main', 'old']],
      [path, ['v1']],
      [`${path}.wiki`, ['main']],
    ] as const) {
      const { code, stderr } = await this.push(member, name, ...refs);
      if (code !== 0) throw new Error(`The push failed: ${stderr}`);
    }
    const refs: Record<string, string> = {};
    for (const ref of repositoriesOf(body.id))
      refs[ref.kind] = digestOfRefs(join(this.folder, 'a', relativePath(ref)));
    return { id: body.id, path, refs };
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** A digest over all refs, the targets of tags, and HEAD. @throws if one of them cannot be read */
export function digestOfRefs(path: string): string {
  const format = '--format=%(refname) %(objectname) %(objecttype) %(*objectname)';
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const refs = execFileSync('git', ['-C', path, 'for-each-ref', format], { env });
  const head = readFileSync(join(path, 'HEAD'));
  return createHash('sha256').update(refs).update(head).digest('hex');
}
