import { expect } from '@jest/globals';
import { join } from 'node:path';
import type { BackupWorld } from './backup-world.js';
import { losing, runCli, type CliRun } from './cli.js';
import { createEmptyDatabase, type TestDatabase } from './database.js';
import { Installation, type Member } from './installation.js';
import { launch } from './launch.js';
import { freePort } from './processes.js';

type Env = Readonly<Record<string, string>>;

/** The output of a restore. */
export interface Restored {
  readonly name: string;
  readonly tables: number;
  readonly tables_copied: number;
  readonly repositories: number;
  readonly repositories_copied: number;
  readonly objects: number;
  readonly objects_copied: number;
}

/** An empty database and an empty folder, into which a backup is restored. */
export class RestoreTarget {
  private constructor(
    private readonly world: BackupWorld,
    private readonly database: TestDatabase,
    private readonly installation: Installation,
    /** DATA_DIR */
    readonly folder: string,
    private readonly more: Env,
  ) {}

  /** Creates both; `name` is that of the folder. */
  static async open(world: BackupWorld, name: string, more: Env = {}): Promise<RestoreTarget> {
    const database = await createEmptyDatabase();
    const installation = await Installation.create({ databaseUrl: database.url });
    return new RestoreTarget(world, database, installation, join(world.folder, name), more);
  }

  async close(): Promise<void> {
    await this.installation.close();
    await this.database.drop();
  }

  /** Variables of commands for it. */
  get env(): Env {
    return { ...this.world.env, DATABASE_URL: this.database.url, DATA_DIR: this.folder, ...this.more };
  }

  cli(args: readonly string[], env: Env = {}): Promise<CliRun> {
    return this.world.cli(args, { ...this.env, ...env });
  }

  /** Starts or continues a restore. */
  async restore(target: string): Promise<Restored> {
    const run = await this.cli(['backup', 'restore', '--target', target]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    return run.json() as Restored;
  }

  /** Error of a refused restore. */
  async refusal(args: readonly string[], env: Env = {}): Promise<string> {
    const run = await this.cli(['backup', 'restore', ...args], env);
    expect([run.code, run.stdout]).toEqual([1, '']);
    return (JSON.parse(run.stderr) as { error: string }).error;
  }

  /** Restores in a separate process, which is killed at a point as described in lose-at.mjs. */
  async killedAt(point: string, target: string): Promise<void> {
    const run = await runCli(['backup', 'restore', '--target', target], { ...this.env, ...losing(point) });
    expect([run.code, run.stdout]).toEqual([null, '']);
  }

  /** Output of a refused start of the service. */
  async refusedStart(env: Env = {}): Promise<string> {
    const port = String(await freePort());
    const start = launch('dist/app/main.js', { ...this.env, HOST: '127.0.0.1', PORT: port, ...env });
    expect(await start.ended).toBe(1);
    return start.problems();
  }

  sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.installation.sql<Row>(text, values);
  }

  /** The recorded progress of an incomplete restore; empty for a complete one. */
  async steps(): Promise<string[]> {
    const [table] = await this.sql<{ name: string | null }>(
      `select to_regclass('unfinished_copy')::text as name`,
    );
    if (table?.name === null) return [];
    const rows = await this.sql<{ step: string }>('select step from unfinished_copy');
    return rows.map(({ step }) => step);
  }

  /** Expects that the checks of the product find no problem in the restored data. */
  async expectWhole(): Promise<void> {
    const doctor = await this.cli(['doctor']);
    const { checks } = doctor.json() as { checks: { problem: string | null }[] };
    expect(checks.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(doctor.code).toBe(0);
    expect((await this.cli(['storage', 'check', '--fsck', '--grace', '0'])).json()).toMatchObject({
      ok: true,
    });
  }

  /** Starts the service on the restored data. */
  async start(): Promise<Member> {
    await this.expectWhole();
    return this.installation.start('all', { DATA_DIR: this.folder });
  }

  /** Drops everything in the database, even under a running service. */
  async loseTables(): Promise<void> {
    await this.sql('drop schema public cascade');
    await this.sql('create schema public');
  }
}
