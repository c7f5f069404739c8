import { JsonTooLarge, parseInTurns } from '#kernel/http/bodies/json/parse-in-turns.js';
import { isPlainObject } from '#kernel/http/plain-object.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { ImportLimits } from '../../import-limits.js';
import type { NumberedLine } from './line-batches.js';

/** Thrown if a line of the source is not a record. */
export class MalformedLine extends Error {
  override readonly name = 'MalformedLine';
}

/** Parses the object of a line, in pieces between which others have a turn. @throws MalformedLine */
export async function parseLine({ number, line }: NumberedLine, limits: ImportLimits): Promise<SourceRecord> {
  if (line === null) throw new MalformedLine(`Line ${number} is longer than ${limits.lineBytes} bytes`);
  const value = await parseInTurns(line, limits.lineValues).catch((error: unknown) => {
    if (error instanceof JsonTooLarge)
      throw new MalformedLine(
        `Line ${number} ${error.limit === 'depth' ? 'is nested too deeply' : 'holds too many values'}`,
      );
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  if (!isPlainObject(value)) throw new MalformedLine(`Line ${number} is not a JSON object`);
  return value;
}
