import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { within } from '#kernel/time/within.js';
import type { ImportLimits } from '../../import-limits.js';
import { RelationFailed } from '../../runs/run-ended.js';

/**
 * Decompresses a gzip file in chunks, within limits of its size, its compression ratio, and the time per
 * chunk.
 */
export async function* unpacked(
  file: string,
  limits: ImportLimits,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { size } = await stat(file);
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const ended = pipeline(createReadStream(file), gunzip, { signal });
  ended.catch(() => undefined);
  const pieces = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let total = 0;
  try {
    for (;;) {
      const piece = await within(limits.stallMs, pieces.next(), () => {
        throw new RelationFailed('The file of the source cannot be read in time');
      });
      if (piece.done === true) break;
      total += piece.value.length;
      refuseBomb(total, size, limits);
      yield piece.value;
    }
    await ended;
  } finally {
    gunzip.destroy();
  }
}

function refuseBomb(
  total: number,
  packed: number,
  { unpackedBytes, ratio, ratioFromBytes }: ImportLimits,
): void {
  if (total > unpackedBytes) throw new RelationFailed('The file of the source is too large when unpacked');
  if (total > ratioFromBytes && total > packed * ratio)
    throw new RelationFailed('The file of the source unpacks to far more than its size');
}
