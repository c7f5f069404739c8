import { ListQuery, type KeysetOrder, type ListShape, type Statement } from './list-query.js';

/** A list merged from many short ones, each of which an index yields in the order of the whole. */
export interface MergePlan {
  /**
   * Rows `s`, one for each short list, such as the projects whose issues are listed; a `?` for each value.
   */
  readonly sources: string;
  readonly values: readonly unknown[];
  /** A table for use by all others, in the form of a `with` item; its values come first. */
  readonly table?: Statement;
  /**
   * A query for the total of exactly the list's filters that costs next to nothing, over `s` and that table:
   * read with the rows; null if unknown.
   */
  readonly total?: string | undefined;
  /** Tables of one short list; the list's own conditions are added. */
  readonly from: string;
  /** The column that leads the index of a short list, and its value in `s`: as in `ListQuery.of`. */
  readonly owner: readonly [column: string, value: string];
  /** A further condition of a short list, which may use `s`. */
  readonly where?: string;
  /** The order, and the id of the listed rows. */
  readonly order: string;
  readonly id: string;
  /** Whether two short lists can contain the same row. */
  readonly overlaps?: boolean;
  /**
   * With many sources: the tables of the whole, whose order an index yields, and a condition that keeps what
   * belongs to `s`.
   */
  readonly walk?: {
    readonly from: string;
    readonly where: string;
    readonly order: string;
    readonly id: string;
  };
}

/** From this many sources on, scanning the whole costs less than looking into each. */
const MANY_SOURCES = 500;

/**
 * A list over many parents, or over the links of one: the first rows of each short list are merged, and only
 * those of the page are joined with what the records show. The key of the shape must be the id named in the
 * plan.
 */
export class MergedListQuery<Row extends object> extends ListQuery<Row> {
  private readonly tables: string;

  constructor(
    shape: ListShape,
    private readonly plan: MergePlan,
    private readonly direction: 'asc' | 'desc',
  ) {
    super(shape);
    const bound = (sql: string, values: readonly unknown[]): string => {
      let index = 0;
      return sql.replace(/\?/g, () => this.bind(values[index++]));
    };
    const { table, sources, values } = plan;
    const before = table ? `${bound(table.text, table.values)}, ` : '';
    this.tables = `with ${before}s as materialized (${bound(sources, values)})`;
  }

  override pageStatement(limit: number, offset: number): Statement {
    const values = [...this.values, limit, offset];
    const [count, skip] = [`$${values.length - 1}`, `$${values.length}`];
    const total = this.plan.total === undefined ? '' : `, (${this.plan.total}) as page_total`;
    const shown = this.columnsShown(values);
    return { text: this.page(this.direction, '', count, skip, shown + total), values };
  }

  /** Only by id, which must be the order of the plan: keyset pages imply their order. */
  override keysetStatement(
    order: KeysetOrder,
    direction: 'asc' | 'desc',
    after: readonly unknown[] | null,
    limit: number,
  ): Statement {
    const [column, ...others] = order.columns;
    if (column?.sql !== this.plan.order || others.length > 0)
      throw new Error(`A list merged by ${this.plan.order} has no keyset pages by ${column?.sql}`);
    const values = [...this.values, limit, 0];
    const [count, skip] = [`$${values.length - 1}`, `$${values.length}`];
    const sign = direction === 'asc' ? '>' : '<';
    const behind = after ? ` and ${column.sql} ${sign} $${values.push(after[0])}::bigint` : '';
    return { text: this.page(direction, behind, count, skip, this.columnsShown(values)), values };
  }

  private page(
    direction: 'asc' | 'desc',
    behind: string,
    count: string,
    skip: string,
    alsoRead: string,
  ): string {
    const { owner, order, id, overlaps, walk } = this.plan;
    const { select, from, key } = this.shape;
    const first = (...columns: readonly string[]): string =>
      `order by ${columns.map((column) => `${column} ${direction}`).join(', ')} limit ${count}::bigint + ${skip}::bigint`;
    const short = `select ${id} as id, ${order} as sort_key from ${this.oneList()}${behind} ${first(owner[0], order, id)}`;
    const few = walk ? ` where (select count(*) from s) <= ${MANY_SOURCES}` : '';
    const merged = `select b.id, b.sort_key from s cross join lateral (${short}) b${few}${overlaps ? ' group by b.id, b.sort_key' : ''}`;
    const walked = walk
      ? ` union all (select ${walk.id} as id, ${walk.order} as sort_key from ${walk.from}${this.and(walk.where)}${behind}
          and (select count(*) from s) > ${MANY_SOURCES} ${first(walk.order, walk.id)})`
      : '';
    return `${this.tables} select ${select}${alsoRead} from (${merged}${walked}
        order by sort_key ${direction}, id ${direction} limit ${count} offset ${skip}) page
      cross join ${from} where ${key} = any(array[page.id]) order by page.sort_key ${direction}, page.id ${direction}`;
  }

  override countStatement(limit: number): Statement {
    const values = [...this.values, limit];
    const most = `limit $${values.length}`;
    const rows = `select b.id from s cross join lateral (select ${this.plan.id} as id from ${this.oneList()} order by ${this.plan.owner[0]} ${most}) b ${most}`;
    const what = this.plan.overlaps ? 'count(distinct id)' : 'count(*)';
    return {
      text: `${this.tables} select ${what} as total from (${rows}) counted`,
      values,
    };
  }

  override aggregateStatement(select: string): Statement {
    const alias = this.shape.key.split('.', 1)[0] ?? '';
    const rows = `select ${this.plan.overlaps ? 'distinct on (b.id) ' : ''}b.* from s cross join lateral (select ${alias}.* from ${this.oneList()} order by ${this.plan.owner[0]}) b`;
    return {
      text: `${this.tables} select ${select} from (${rows}) ${alias}`,
      values: this.values,
    };
  }

  private oneList(): string {
    const { from, owner, where } = this.plan;
    const [column, value] = owner;
    return `${from}${this.and(`${column} = any(array[${value}])${where === undefined ? '' : ` and ${where}`}`)}`;
  }

  private and(condition: string): string {
    return this.conditions === '' ? ` where ${condition}` : `${this.conditions} and ${condition}`;
  }
}
