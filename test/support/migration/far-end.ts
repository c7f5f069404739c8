import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../client.js';
import { Installation, type Member } from '../installation.js';
import { fillGroup, made, type Staff } from './filled-group.js';
import { Instance } from './instance.js';
import { tallyOf, type Tally } from './tally.js';

/** An instance with a group that has some of everything, and its content. */
export interface FilledSource {
  readonly instance: Instance;
  readonly token: string;
  readonly tally: Tally;
}

/** Starts an instance, and fills its group `acme`. */
export async function startFilledSource(projectCount = 3, issuesEach = 150): Promise<FilledSource> {
  const instance = await Instance.start();
  const staff: Staff = {
    mover: await instance.user('mover'),
    ada: await instance.user('ada'),
    bob: await instance.user('bob'),
  };
  await fillGroup(instance, staff, { projectCount, issuesEach });
  return { instance, token: staff.mover.token, tally: await tallyOf((text) => instance.sql(text)) };
}

/** Imports the group `acme` of a source, as `arrived`, and returns the id of the import. */
export async function migrate(client: ApiClient, url: string, token: string): Promise<number> {
  const entity = {
    ...{ source_type: 'group_entity', source_full_path: 'acme' },
    ...{ destination_slug: 'arrived', destination_namespace: '' },
  };
  const configuration = { url, access_token: token };
  return (await made(client.post('/bulk_imports', { configuration, entities: [entity] }))).id;
}

/** Creates `ada` at the far end too, so that her emoji are imported as hers; `bob` stays unknown. */
export async function addAda(client: ApiClient): Promise<void> {
  const ada = { username: 'ada', email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' };
  await made(client.post('/users', { ...ada, skip_confirmation: true }));
}

/**
 * Does the work of the reaper after a lease has ended, without waiting: the work of dead processes is
 * available to others.
 */
const GIVE_BACK = `update background_jobs set state = 'pending', run_token = null, lease_until = null, run_at = now(),
    dedupe_key = case when exists (select from background_jobs other where other.name = background_jobs.name
      and other.dedupe_key = background_jobs.dedupe_key and other.state in ('pending', 'handed')) then null else dedupe_key end
  where state = 'running' and name like any('{bulk-imports.%,relation-exports.%}')`;

/** Several processes of one installation with one data folder, to which groups are migrated. */
export class FarEnd {
  private readonly folder = mkdtempSync(join(tmpdir(), 'forgeplane-far-end-'));

  private constructor(readonly installation: Installation) {}

  static async create(options: Parameters<typeof Installation.create>[0] = {}): Promise<FarEnd> {
    return new FarEnd(await Installation.create(options));
  }

  /** Starts one more process. */
  start(kind: 'all' | 'api' | 'worker', env: Readonly<Record<string, string>> = {}): Promise<Member> {
    const own = { DATA_DIR: this.folder, ALLOW_LOCAL_REQUESTS: 'true' };
    return this.installation.start(kind, { ...own, ...env });
  }

  tally(): Promise<Tally> {
    return tallyOf((text) => this.installation.sql(text));
  }

  /** Lets others resume the work of dead processes immediately. */
  async giveBack(): Promise<void> {
    await this.installation.sql(GIVE_BACK);
  }

  /** Returns the state of the import. */
  async status(importId: number): Promise<string> {
    const find = 'select status from bulk_imports where id = $1';
    return (await this.installation.sql<{ status: string }>(find, [importId]))[0]?.status ?? '';
  }

  async hasEnded(importId: number): Promise<boolean> {
    return /finished|failed/.test(await this.status(importId));
  }

  /** Returns the failures in the table. */
  failures(): Promise<object[]> {
    return this.installation.sql(
      'select relation, step, exception_class, exception_message from bulk_import_failures order by id',
    );
  }

  async close(): Promise<void> {
    await this.installation.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
