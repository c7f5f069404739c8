import { isTooDeep } from '#kernel/http/bodies/json/json-shape.js';
import { countValues } from '#kernel/http/bodies/json/json-values.js';
import { isRecord, type SourceRecord } from '#core/exchange/source-record.js';
import type { ImportLimits } from '../../import-limits.js';
import type { NumberedLine } from './line-batches.js';

/** Thrown if a line of the source is not a record. */
export class MalformedLine extends Error {
  override readonly name = 'MalformedLine';
}

/** Short lines cannot contain too many values. */
const UNCOUNTED_BYTES = 256 * 1024;

/** Parses the object of a line. @throws MalformedLine */
export function parseLine({ number, line }: NumberedLine, limits: ImportLimits): SourceRecord {
  if (line === null) throw new MalformedLine(`Line ${number} is longer than ${limits.lineBytes} bytes`);
  if (isTooDeep(line)) throw new MalformedLine(`Line ${number} is nested too deeply`);
  if (line.length > UNCOUNTED_BYTES && countValues(line, limits.lineValues) >= limits.lineValues)
    throw new MalformedLine(`Line ${number} holds too many values`);
  const value = parsed(line);
  if (!isRecord(value)) throw new MalformedLine(`Line ${number} is not a JSON object`);
  return value;
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
