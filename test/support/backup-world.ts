import { expect } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type CliRun } from './cli.js';
import { WorkingCopy } from './git.js';
import { Installation, type Member } from './installation.js';
import { ROOT_TOKEN } from './processes.js';
import { RestoreTarget } from './restore-target.js';
import { until } from './until.js';

/** Output of a created backup. */
export interface CreatedBackup {
  readonly name: string;
  readonly repositories_changed: number;
  readonly objects_copied: number;
  readonly removed: string[];
  readonly findings: string[];
  readonly warnings: string[];
}

type Env = Readonly<Record<string, string>>;

const SECRETS_KEY = 'a key of the tests with 32 characters or more';

/** A service with a project, whose backups are created and restored on the command line. */
export class BackupWorld {
  private constructor(
    /** Folder of everything that the test writes. */
    readonly folder: string,
    readonly installation: Installation,
    readonly product: Member,
    readonly work: WorkingCopy,
    readonly project: { readonly id: number; readonly path_with_namespace: string },
  ) {}

  static async open(): Promise<BackupWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-backup-'));
    const installation = await Installation.create();
    const product = await installation.start('all', {
      DATA_DIR: join(folder, 'data'),
      SECRETS_KEY,
      BACKUP_TARGET: join(folder, 'scheduled'),
    });
    const work = await new WorkingCopy().init();
    const { body } = await product.client.post<BackupWorld['project']>('/projects', { name: 'Kept' });
    const world = new BackupWorld(folder, installation, product, work, body);
    await work.commit({ 'a.txt': 'one' });
    await world.push('main');
    await world.settle();
    return world;
  }

  async close(): Promise<void> {
    await this.installation.close();
    this.work.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Waits for the jobs of what was written: some of them add refs to the repository. */
  async settle(): Promise<void> {
    await until(async () => (await this.installation.jobs()) === 0, 60_000);
  }

  /** The environment of commands next to the service. */
  get env(): Env {
    const { databaseUrl } = this.installation;
    return { DATABASE_URL: databaseUrl, DATA_DIR: join(this.folder, 'data'), SECRETS_KEY };
  }

  /** A path below the project. */
  at(path: string): string {
    return `/projects/${this.project.id}${path}`;
  }

  /** URL of the project at a process, for git. */
  urlOf({ url }: Member): string {
    return `${url.replace('//', `//root:${ROOT_TOKEN}@`)}/${this.project.path_with_namespace}.git`;
  }

  push(branch: string): Promise<string> {
    return this.work.git('push', '--quiet', this.urlOf(this.product), `HEAD:${branch}`);
  }

  cli(args: readonly string[], env: Env = {}): Promise<CliRun> {
    return runCommand([...args, '--json'], { ...this.env, ...env });
  }

  async create(target: string, env: Env = {}, ...more: string[]): Promise<CreatedBackup> {
    const run = await this.cli(['backup', 'create', '--target', target, ...more], env);
    expect([run.code, run.stderr]).toEqual([0, '']);
    return run.json() as CreatedBackup;
  }

  /** Restores a backup into an empty database and `name` below the folder, and starts the product there. */
  async restored(
    target: string,
    name: string,
    env: Env,
    check: (member: Member) => Promise<void>,
  ): Promise<void> {
    const place = await RestoreTarget.open(this, name, env);
    try {
      await place.restore(target);
      await check(await place.start());
    } finally {
      await place.close();
    }
  }

  /** Work in many areas; acknowledged writes must be in any backup that starts afterwards. */
  async write(round: number): Promise<void> {
    const { client } = this.product;
    const answers = [
      await client.post(this.at('/issues'), { title: `Issue ${round}`, labels: `label-${round}` }),
      await client.post(this.at('/issues/1/notes'), { body: `Note ${round}` }),
      await client.post(this.at('/milestones'), { title: `Milestone ${round}` }),
      await client.post(this.at('/variables'), { key: `KEY_${round}`, value: `secret-${round}` }),
      await client.post(this.at('/freeze_periods'), { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' }),
      await client.put(this.at(`/packages/generic/p/1.0/f${round}.bin`), `content ${round}`),
      await client.post(this.at('/deployments'), {
        environment: `review/${round}`,
        sha: await this.work.git('rev-parse', 'HEAD'),
        ref: 'main',
        tag: false,
        status: 'success',
      }),
      await client.post(this.at('/repository/branches'), { branch: `branch-${round}`, ref: 'main' }),
    ];
    for (const { status, text } of answers) if (status >= 300) throw new Error(`${status} ${text}`);
  }

  /** Responses of a process about everything that `write` creates. */
  async shown({ client }: Member): Promise<unknown> {
    const lists = await Promise.all(
      [
        '/issues?per_page=100&sort=asc',
        '/issues/1/notes?per_page=100&sort=asc&order_by=created_at',
        '/milestones?per_page=100',
        '/variables?per_page=100',
        '/freeze_periods?per_page=100',
        '/packages?per_page=100',
        '/deployments?per_page=100',
        '/repository/branches?per_page=100',
        '/labels?per_page=100',
      ].map(async (path) => {
        const { status, text } = await client.get(this.at(path));
        expect(status).toBe(200);
        return JSON.parse(text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://here')) as unknown;
      }),
    );
    return lists;
  }
}
