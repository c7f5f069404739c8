import { createHash } from 'node:crypto';
import { isPlainObject } from '#kernel/http/plain-object.js';
import { integerIn, recordsIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { ExportStatus } from './source-api.js';

/** As numbers and as words, depending on the version of the source. */
const STATUSES = new Map<unknown, ExportStatus['status']>([
  [-2, 'pending'],
  [-1, 'failed'],
  [0, 'started'],
  [1, 'finished'],
  ['pending', 'pending'],
  ['created', 'pending'],
  ['started', 'started'],
  ['finished', 'finished'],
  ['failed', 'failed'],
]);

const MAX_BATCHES = 1_000_000;
/** Maximum number of records of a relation here; larger numbers of a source are ignored. */
const MAX_OBJECTS = 2_147_483_647;
const MAX_ERROR = 1_000;

/** Returns the status of a relation in a response (one status, or a list); null if there is none. */
export function exportStatusIn(answer: unknown, relation: string): ExportStatus | null {
  const found = Array.isArray(answer)
    ? answer.filter(isPlainObject).find((each) => each['relation'] === relation)
    : answer;
  if (!isPlainObject(found)) return null;
  const status = STATUSES.get(found['status']);
  if (status === undefined) return null;
  const batched = found['batched'] === true;
  return {
    status,
    error: errorOf(found),
    batched,
    batchesCount: batched ? batchesOf(found) : 0,
    failedBatches: batched ? failedIn(found) : new Map(),
    edition: batched ? editionOf(found) : null,
    objectsCount: objectsOf(found),
  };
}

const errorOf = ({ error }: SourceRecord): string | null =>
  typeof error === 'string' ? textIn({ error: error.slice(0, MAX_ERROR) }, 'error', MAX_ERROR) : null;

const failedIn = (status: SourceRecord): ReadonlyMap<number, string> =>
  new Map(
    recordsIn(status, 'batches', MAX_BATCHES)
      .filter((batch) => STATUSES.get(batch['status']) === 'failed')
      .map((batch) => [integerIn(batch, 'batch_number') ?? 0, errorOf(batch) ?? 'no reason is given']),
  );

function editionOf(status: SourceRecord): string | null {
  const files = recordsIn(status, 'batches', MAX_BATCHES).map(
    (batch) => [integerIn(batch, 'batch_number') ?? 0, batch['updated_at']] as const,
  );
  if (files.length === 0 || !files.every(([, time]) => typeof time === 'string' && time !== '')) return null;
  const text = JSON.stringify([...files].sort(([one], [other]) => one - other));
  return createHash('sha256').update(text).digest('hex');
}

const batchesOf = (status: SourceRecord): number =>
  integerIn(status, 'batches_count', 0, MAX_BATCHES) ?? recordsIn(status, 'batches', MAX_BATCHES).length;

function objectsOf(status: SourceRecord): number | null {
  const total = integerIn(status, 'total_objects_count', 0, MAX_OBJECTS);
  if (total !== null || !Array.isArray(status['batches'])) return total;
  const counts = recordsIn(status, 'batches', MAX_BATCHES).map((batch) => integerIn(batch, 'objects_count'));
  if (counts.length === 0 || !counts.every((count) => count !== null)) return null;
  const sum = counts.reduce((one, other) => one + other, 0);
  return sum <= MAX_OBJECTS ? sum : null;
}
