import { Gate } from '#kernel/crypto/gate.js';
import type { ExportedRow, RelationExport } from '#core/exchange/relation-export.js';

/** Rows of the first page, and of the largest. */
const FIRST = 50;
const MOST = 500;
/** Target size of a page in characters: nested data can make records large, and pages are held in memory. */
const PAGE_SIZE = 2_000_000;

/** Pages read at a time in this process: other readers need connections too. */
const gate = new Gate(2, 1_000);

/** Reads the records of a relation page by page, in pages of similar size. */
export class RecordWalk {
  private limit = FIRST;

  constructor(
    private readonly source: Pick<RelationExport, 'page'>,
    private readonly of: { readonly ownerId: number; readonly userId: number },
    private lastId: number,
  ) {}

  /** Id of the last returned record. */
  get position(): number {
    return this.lastId;
  }

  /** Returns up to `max` records; none at the end. */
  async next(max: number): Promise<readonly ExportedRow[]> {
    const limit = Math.min(this.limit, max);
    const rows = await gate.run(() => this.source.page(this.of.ownerId, this.lastId, limit, this.of.userId));
    const last = rows.at(-1);
    if (!last) return rows;
    // Guarantees that the walk ends for any content of the pages.
    if (last.id <= this.lastId) throw new Error('The pages of a relation go backwards');
    this.lastId = last.id;
    const largest = rows.reduce((size, { json }) => Math.max(size, json.length), 1);
    this.limit = Math.max(1, Math.min(MOST, this.limit * 4, Math.floor(PAGE_SIZE / largest)));
    return rows;
  }
}

/**
 * Formats records as lines: line breaks in JSON text occur only between tokens, where a blank is equivalent.
 */
export const linesOf = (rows: readonly ExportedRow[]): string =>
  rows.map(({ json }) => `${json.replace(/[\r\n]+/g, ' ')}\n`).join('');
