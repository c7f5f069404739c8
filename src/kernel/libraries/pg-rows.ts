import { insideFile, reach } from './reach.js';

/** A message of PostgreSQL as pg receives it. */
export interface PgMessage {
  readonly name: string;
  readonly length: number;
}

/** pg's parser of server messages; `bytes` contains a message from `offset` on, after its length. */
export interface PgParser {
  parse(bytes: Buffer, take: (message: PgMessage) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): PgMessage;
}

class NoParser implements PgParser {
  parse(): void {
    throw new Error('pg-protocol has no parser');
  }

  handlePacket(): PgMessage {
    throw new Error('pg-protocol has no parser');
  }
}

const inside = insideFile('pg-protocol/dist/parser.js') as { Parser?: new () => PgParser } | undefined;

/** The parser class of pg, to be extended. */
export const PgParserBase: new () => PgParser = inside?.Parser ?? NoParser;

/** A row of two columns, `a` and NULL, as the server sends it. */
const ROW = Buffer.from('440000000f00020000000161ffffffff', 'hex');

/** Benefit, measured: 10 % of a list. The public way is pg's own parser, column by column. */
export const rowReach = reach({
  library: 'pg-protocol',
  broken:
    'pg-protocol no longer takes the messages of the server apart in a method that can be replaced (src/kernel/database/lanes/row-parser.ts): rows are read a column at a time',
  looksRight: () => {
    const seen: unknown[] = [];
    class Watching extends PgParserBase {
      override handlePacket(offset: number, code: number, length: number, bytes: Buffer): PgMessage {
        const message = super.handlePacket(offset, code, length, bytes);
        seen.push([code, length, message.name, (message as { fields?: unknown }).fields]);
        return message;
      }
    }
    new Watching().parse(ROW, () => undefined);
    return JSON.stringify(seen) === '[[68,15,"dataRow",["a",null]]]';
  },
});
