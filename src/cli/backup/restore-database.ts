import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { CopyJournal } from '#kernel/database/copy/copy-journal.js';
import { loadTables, type CopyProgress } from '#kernel/database/copy/load-tables.js';
import { columnList, quoted } from '#kernel/database/copy/tables.js';
import type { Backups } from '#features/backups/backups.js';
import type { Manifest } from '#features/backups/manifest/manifest.js';

/** Loads the tables of the backup that the journal does not name. Returns their number. */
export const restoreTables = (
  client: pg.Client,
  journal: CopyJournal,
  { tables, sequences }: Manifest,
  backups: Backups,
  progress: CopyProgress,
): Promise<number> =>
  loadTables(client, journal, {
    tables,
    sequences,
    load: (to, { name, columns, file }) =>
      backups.read(file, (content) =>
        pipeline(content, to.query(copyFrom(`copy ${quoted(name)} (${columnList(columns)}) from stdin`))),
      ),
    progress,
  });
