import { Gate } from '#kernel/crypto/gate.js';
import type { ExportedRow, RelationExport } from '#core/exchange/relation-export.js';

/** Rows of the first page, and of the largest. */
const FIRST = 50;
const MOST = 500;
/** Characters of a page that are aimed at: what is nested can make records large, and pages are held in memory. */
const PAGE_SIZE = 2_000_000;

/** Pages that are read at a time in this process: whoever else reads needs connections too. */
const gate = new Gate(2, 1_000);

/** Goes through the records of a relation page by page, in pages of about the same size. */
export class RecordWalk {
  private limit = FIRST;

  constructor(
    private readonly source: Pick<RelationExport, 'page'>,
    private readonly of: { readonly ownerId: number; readonly userId: number },
    private lastId: number,
  ) {}

  /** Id of the last record that was handed out. */
  get position(): number {
    return this.lastId;
  }

  /** Up to `max` records; none at the end. */
  async next(max: number): Promise<readonly ExportedRow[]> {
    const limit = Math.min(this.limit, max);
    const rows = await gate.run(() => this.source.page(this.of.ownerId, this.lastId, limit, this.of.userId));
    const last = rows.at(-1);
    if (!last) return rows;
    // Whatever page answers, the walk comes to an end.
    if (last.id <= this.lastId) throw new Error('The pages of a relation go backwards');
    this.lastId = last.id;
    const largest = rows.reduce((size, { json }) => Math.max(size, json.length), 1);
    this.limit = Math.max(1, Math.min(MOST, this.limit * 4, Math.floor(PAGE_SIZE / largest)));
    return rows;
  }
}

/** Records as lines: line breaks in JSON text stand between its tokens only, where a blank does as well. */
export const linesOf = (rows: readonly ExportedRow[]): string =>
  rows.map(({ json }) => `${json.replace(/[\r\n]+/g, ' ')}\n`).join('');
