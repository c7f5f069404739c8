import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { commandConfig } from '../framework/context.js';
import { withDatabase } from '../framework/database.js';
import type { CommandResult } from '../framework/output.js';
import { requireStorage } from '../storage-roots/require-storage.js';
import { StorageComparison } from './storage-comparison.js';
import type { StorageProblem } from './storage-problem.js';

/** Scope of the check. */
export interface StorageCheckOptions {
  readonly storage?: string;
  readonly fsck?: boolean;
  /** Minutes. */
  readonly grace: number;
}

/** Compares the database with the storages. Changes nothing. The exit code is 1 if a problem is found. */
export async function storageCheck(options: StorageCheckOptions, asJson: boolean): Promise<CommandResult> {
  const config = commandConfig();
  const all = config.repositoryStorages;
  const { storage } = options;
  if (storage !== undefined) requireStorage(config, storage);
  const chosen = storage === undefined ? [...all.keys()] : [storage];
  const problems: StorageProblem[] = [];
  const checked = await withDatabase(config, ({ url }) => {
    const connection = {
      connectionString: utcUrl(url, '-c default_transaction_read_only=on'),
      application_name: 'forgeplane-storage-check',
      connectionTimeoutMillis: 10_000,
    };
    return withClient(connection, (client) => {
      const how = { isThorough: options.fsck === true, graceMs: options.grace * 60_000, asJson };
      const tell = (problem: StorageProblem): number => problems.push(problem);
      return new StorageComparison(client, all, new Set(chosen), tell, how).run();
    });
  });
  const count = problems.filter(({ isNote }) => isNote !== true).length;
  const verdict = count === 0 ? 'all is well' : `${count} problems`;
  return {
    json: { ok: count === 0, storages: chosen, repositories: checked, problems },
    lines: [...problems.map(line), `${checked} repositories on ${chosen.join(', ')}: ${verdict}.`],
    exitCode: count === 0 ? 0 : 1,
  };
}

const line = ({ storage, path, problem, advice, isNote }: StorageProblem): string =>
  `${isNote === true ? 'NOTE     ' : 'PROBLEM  '}${storage}:${path} ${problem}. ${advice}`;
