import type { INestApplicationContext } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MoveAudit } from '#features/storage-moves/schedule/move.audit.js';
import { MoveSchedulingService } from '#features/storage-moves/schedule/move-scheduling.service.js';
import { ScheduleBulkMoves } from '#features/storage-moves/schedule/schedule-bulk-moves.use-case.js';
import { MovePlansQueries } from '#features/storage-moves/schedule/move-plans.queries.js';
import { StorageMovesService } from '#features/storage-moves/storage-moves.service.js';
import { withServices } from '../framework/context.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { requireStorage } from '../storage-roots/require-storage.js';
import { waitForMoves } from './wait-for-moves.js';

/** Options of the command. */
export interface StorageMoveOptions {
  readonly source: string;
  readonly destination?: string;
  readonly kind: 'project' | 'snippet' | 'group';
  readonly id?: number;
  readonly dryRun?: true;
}

const OWNER_TYPES = { project: 'Project', snippet: 'Snippet', group: 'Group' } as const;

/**
 * Moves the repositories of all projects (snippets, groups) on a storage, or of a single one, to another
 * storage, and waits until they have finished. The service does the work, or this process if the database was
 * started for it.
 */
export async function storageMove(options: StorageMoveOptions, asJson: boolean): Promise<CommandResult> {
  return withServices(
    async ({ app, config }) => {
      const ownerType = OWNER_TYPES[options.kind];
      const { source, destination = null, id } = options;
      for (const name of [source, destination ?? source]) requireStorage(config, name);
      app.get(MoveSchedulingService, { strict: false }).destination(source, destination);
      if (id !== undefined) await refuseElsewhere(app, ownerType, id, source);
      if (options.dryRun) return dryRun(app, ownerType, options);
      const moves = await schedule(app, ownerType, source, destination, id);
      return waitForMoves(app, moves, asJson);
    },
    { runJobs: options.dryRun !== true },
  );
}

async function schedule(
  app: INestApplicationContext,
  ownerType: OwnerType,
  source: string,
  destination: string | null,
  ownerId: number | undefined,
): Promise<number[]> {
  if (ownerId !== undefined) {
    const moves = app.get(StorageMovesService, { strict: false });
    return [await moves.scheduleOne({ ownerType, ownerId }, destination, null)];
  }
  const audit = app.get(MoveAudit, { strict: false });
  await app.get(Transactions).run((tx) => audit.all(tx, null, ownerType, source, destination));
  const ids: number[] = [];
  const payload = { ownerType, source, destination, userId: null };
  for await (const batch of app.get(ScheduleBulkMoves, { strict: false }).run(payload)) ids.push(...batch);
  return ids;
}

async function dryRun(
  app: INestApplicationContext,
  ownerType: OwnerType,
  { kind, source, id }: StorageMoveOptions,
): Promise<CommandResult> {
  const plan = await app.get(MovePlansQueries, { strict: false }).find(ownerType, source, id ?? null);
  const { containers, repositories, bytes } = plan;
  const line = `Would move ${containers} ${kind}(s) with ${repositories} repositories, ${bytes} bytes, from ${source}`;
  return { json: plan, lines: [line] };
}

async function refuseElsewhere(
  app: INestApplicationContext,
  ownerType: OwnerType,
  id: number,
  source: string,
): Promise<void> {
  const text = `select repository_storage as storage from ${OWNER_TABLES[ownerType]} where id = $1`;
  const owner = await app.get(ReadDatabase).one<{ storage: string }>(text, [id]);
  if (!owner) throw new CommandError(`There is no ${ownerType.toLowerCase()} ${id}`);
  if (owner.storage !== source)
    throw new CommandError(`${ownerType} ${id} is on storage ${owner.storage}, not on ${source}`);
}
