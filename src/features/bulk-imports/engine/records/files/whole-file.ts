import type { ImportLimits } from '../../import-limits.js';
import type { LineBatch } from '../lines/line-batches.js';

/** Reads a file with a single object as a batch of one line; no batch if it was already imported. */
export async function* wholeFile(
  bytes: AsyncIterable<Buffer>,
  { lineBytes }: Pick<ImportLimits, 'lineBytes'>,
  skipped = 0,
): AsyncGenerator<LineBatch> {
  if (skipped > 0) return;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > lineBytes) break;
    parts.push(part);
  }
  const line = size > lineBytes ? null : Buffer.concat(parts);
  yield { lines: [{ number: 1, line }], bytes: size, linesDone: 1 };
}
