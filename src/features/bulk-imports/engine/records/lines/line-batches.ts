import type { ImportLimits } from '../../import-limits.js';
import { LineSplitter, type Line } from './line-splitter.js';

/** Lines that are imported together. */
export interface LineBatch {
  readonly lines: readonly NumberedLine[];
  readonly bytes: number;
  /** Lines of the file that are done after this batch. */
  readonly linesDone: number;
}

/** A line that is not blank, with its number in the file, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly line: Line;
}

type Sizes = Pick<ImportLimits, 'batchRows' | 'batchBytes' | 'lineBytes'>;

/**
 * Groups the lines of a file after the first `skipped`. A file with a single object is one line, regardless
 * of line ends.
 */
export async function* lineBatches(
  bytes: AsyncIterable<Buffer>,
  { batchRows, batchBytes, lineBytes }: Sizes,
  skipped = 0,
): AsyncGenerator<LineBatch> {
  const splitter = new LineSplitter(lineBytes);
  let number = 0;
  let lines: NumberedLine[] = [];
  let size = 0;
  const full = (next: number): boolean =>
    lines.length > 0 && (lines.length >= batchRows || size + next > batchBytes);
  function* gather(found: readonly Line[]): Generator<LineBatch> {
    for (const line of found) {
      const length = line?.length ?? 0;
      if (full(length)) {
        yield { lines, bytes: size, linesDone: number };
        [lines, size] = [[], 0];
      }
      number += 1;
      if (number <= skipped || (line && isBlank(line))) continue;
      lines.push({ number, line });
      size += length;
    }
  }
  for await (const piece of bytes) yield* gather(splitter.push(piece));
  yield* gather(splitter.end());
  if (lines.length > 0) yield { lines, bytes: size, linesDone: number };
}

function isBlank(line: Buffer): boolean {
  return line.length < 16 && line.toString('latin1').trim() === '';
}
