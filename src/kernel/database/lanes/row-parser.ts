import type { PgWire } from '#kernel/libraries/pg-inside.js';
import { PgParserBase, rowReach, type PgMessage } from '#kernel/libraries/pg-rows.js';

const DATA_ROW = 0x44;
/** The length of a message includes its own four bytes. */
const LENGTH_BYTES = 4;

/** Bytes that start a multibyte character; among lengths only those from 194 to 244 look like one. */
const BEYOND_ASCII = /[\xc2-\xf4]/;

/**
 * Returns the columns of a row as strings, null for NULL. The row is decoded as a whole, because each call of
 * the decoder has a cost (10 % of a list).
 */
export function rowFields(bytes: Buffer, offset: number, end: number): (string | null)[] {
  const text = bytes.toString('latin1', offset, end);
  const isPlain = !BEYOND_ASCII.test(text);
  const fields = new Array<string | null>(bytes.readUInt16BE(offset));
  let at = offset + 2;
  for (let index = 0; index < fields.length; index += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      fields[index] = null;
      continue;
    }
    const from = at;
    at += length;
    fields[index] = isPlain ? text.slice(from - offset, at - offset) : bytes.toString('utf8', from, at);
  }
  return fields;
}

/** pg's message parser, except for rows. */
class RowParser extends PgParserBase {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): PgMessage {
    if (code !== DATA_ROW) return super.handlePacket(offset, code, length, bytes);
    const row = { name: 'dataRow', length, fields: rowFields(bytes, offset, offset + length - LENGTH_BYTES) };
    return row;
  }
}

/** Makes a connection of pg that is not open yet parse its rows by `rowFields`. */
export function readRowsAtOnce(connection: PgWire): void {
  if (!rowReach.available) return;
  connection.attachListeners = (stream) => {
    const parser = new RowParser();
    const take = (message: PgMessage): void => {
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    };
    stream.on('data', (bytes: Buffer) => parser.parse(bytes, take));
  };
}
