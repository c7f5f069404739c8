/** A keyset order of a list: its columns, the last one unique. */
export interface KeysetOrder {
  readonly columns: readonly {
    readonly sql: string;
    readonly property: string;
    readonly type: 'bigint' | 'text';
  }[];
  readonly directions: readonly ('asc' | 'desc')[];
}

/** The constant parts of a list. */
export interface ListShape {
  /** Name of the resource for messages, such as `Project`. */
  readonly kind: string;
  readonly select: string;
  readonly from: string;
  /** Tables that the filters need; joins that only add columns are left out of the count. Default: `from`. */
  readonly countFrom?: string;
  /**
   * Tables that filters and orders need: rows skipped by a deep page are read from these alone, and only its
   * own rows are joined.
   */
  readonly deepFrom?: string;
  /** The unique id, such as `d.id`; its property in the rows is `id`. */
  readonly key: string;
  /** Keyset orders besides `id`; an order of that name replaces the one by `key`. */
  readonly keyset?: Readonly<Record<string, KeysetOrder>>;
  /** `cursor` (default) or the id itself as `id_after` and `id_before`. */
  readonly keysetLink?: 'cursor' | 'id';
}

/** A column of an order with its direction. */
type Direction = readonly [column: string, direction: 'asc' | 'desc'];

/** Offsets from here on count as deep. */
export const DEEP_OFFSET = 200;

/** A text with its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The filters and the order of one request to a list; `Page` adds pagination. */
export class ListQuery<Row extends object> {
  protected conditions = '';
  private order: string | readonly Direction[] = '';
  private owner: string | null = null;
  private rows: string | null = null;
  protected readonly values: unknown[] = [];
  private counter: Statement | null = null;
  private rowTotal: Statement | null = null;
  private readonly shown: Statement[] = [];
  private extraJoin = '';
  /** Set by searches and the like: the query does not use the lanes of short reads. */
  isLong = false;
  /** Whether a replica may answer. */
  isForReplica = false;
  declare readonly row: Row;

  constructor(readonly shape: ListShape) {}

  /** Adds a condition; each `?` stands for the next value. */
  where(sql: string, ...values: readonly unknown[]): this {
    let index = 0;
    const text = values.length === 0 ? sql : sql.replace(/\?/g, () => this.bind(values[index++]));
    this.conditions += this.conditions === '' ? ` where ${text}` : ` and ${text}`;
    return this;
  }

  /**
   * Keeps the rows of one owner, by the column that leads its index; all orders start with it. Over
   * `any(array[...])` the planner cannot tell that there is only one owner, so that it never walks an index of
   * the order alone past the rows of all others, which it does where most rows it knows have one owner.
   */
  of(column: string, owner: unknown, type: 'bigint' | 'text' = 'bigint'): this {
    return this.ofSelected(column, `?::${type}`, owner);
  }

  /** Keeps the rows of one owner that a subquery finds. */
  ofSelected(column: string, select: string, ...values: readonly unknown[]): this {
    this.owner = column;
    return this.where(`${column} = any(array[(${select})])`, ...values);
  }

  /**
   * Reads the first table of the list from a query of its rows, for rows of several owners: each part is
   * ordered by the column of its owner, which makes the planner use that index, as in `of`.
   */
  from(sql: string, ...values: readonly unknown[]): this {
    let index = 0;
    this.rows = sql.replace(/\?/g, () => this.bind(values[index++]));
    return this;
  }

  /** Adds a join that a filter needs, to the rows and to the count. */
  join(sql: string, ...values: readonly unknown[]): this {
    let index = 0;
    this.extraJoin += ` ${sql.replace(/\?/g, () => this.bind(values[index++]))}`;
    return this;
  }

  /** Orders by a column, then by the key in the same direction (an index must match both). */
  orderBy(column: string, direction: 'asc' | 'desc'): this {
    const { key } = this.shape;
    this.order = [...new Set([column, key])].map((one) => [one, direction]);
    return this;
  }

  /** Orders by any expression; it must end in the key. Only for orders that need no index. */
  orderByExpression(sql: string): this {
    this.order = sql;
    return this;
  }

  /** A cheaper query for the total of exactly these filters: one row with a column `total`. */
  totalFrom(text: string, ...values: readonly unknown[]): this {
    this.counter = { text, values };
    return this;
  }

  /**
   * A scalar expression for the total of exactly these filters that costs next to nothing, such as a counter:
   * it is read with the rows, as `page_total`, and saves a statement.
   */
  totalWithRows(sql: string, ...values: readonly unknown[]): this {
    this.rowTotal = { text: sql, values };
    return this;
  }

  /**
   * Adds columns that depend on the reader; each `?` stands for the next value. They do not slow down the
   * count.
   */
  show(sql: string, ...values: readonly unknown[]): this {
    this.shown.push({ text: sql, values });
    return this;
  }

  /** Keeps the query off the lanes of short reads. */
  long(): this {
    this.isLong = true;
    return this;
  }

  /**
   * Lets a replica answer. Only for lists whose statement decides nothing about rights: callers of the route may see all rows that match, and
   * what was granted or revoked a moment ago does not change them.
   */
  fromReplica(): this {
    this.isForReplica = true;
    return this;
  }

  /** Builds the query for `limit` rows from `offset` on. */
  pageStatement(limit: number, offset: number): Statement {
    const { select, from, key } = this.shape;
    const values = [...this.values, limit, offset];
    const slice = `limit $${values.length - 1} offset $${values.length}`;
    const order = this.ordered(this.order === '' ? [[key, 'asc']] : this.order);
    let total = this.columnsShown(values);
    if (this.rowTotal) total += `, (${bound(this.rowTotal, values)}) as page_total`;
    const page = `${this.extraJoin}${this.conditions} order by ${order}`;
    const { deepFrom } = this.shape;
    if (offset < DEEP_OFFSET || deepFrom === undefined)
      return { text: `select ${select}${total} from ${this.within(from)}${page} ${slice}`, values };
    const keys = `array(select ${key} from ${this.within(deepFrom)}${page} ${slice})`;
    const own = `${this.conditions === '' ? 'where' : `${this.conditions} and`} ${key} = any(${keys})`;
    return {
      text: `select ${select}${total} from ${from}${this.extraJoin} ${own} order by ${order}`,
      values,
    };
  }

  /**
   * Builds the query for `limit` rows after a position of a keyset order; `after` contains one value for each
   * column.
   */
  keysetStatement(
    order: KeysetOrder,
    direction: 'asc' | 'desc',
    after: readonly unknown[] | null,
    limit: number,
  ): Statement {
    const { select, from } = this.shape;
    const values = [...this.values];
    const shown = this.columnsShown(values);
    const columns = order.columns.map((column) => column.sql);
    let conditions = this.conditions;
    if (after) {
      const marks = after.map(
        (value, index) => `$${values.push(value)}::${order.columns[index]?.type ?? 'text'}`,
      );
      const sign = direction === 'asc' ? '>' : '<';
      const behind =
        columns.length === 1
          ? `${columns[0] ?? ''} ${sign} ${marks[0] ?? ''}`
          : `(${columns.join(', ')}) ${sign} (${marks.join(', ')})`;
      conditions += conditions === '' ? ` where ${behind}` : ` and ${behind}`;
    }
    const by = this.ordered(columns.map((column) => [column, direction]));
    values.push(limit);
    return {
      text: `select ${select}${shown} from ${this.within(from)}${this.extraJoin}${conditions} order by ${by} limit $${values.length}`,
      values,
    };
  }

  /** Builds the query for the number of rows up to `limit`, in a column `total`. */
  countStatement(limit: number): Statement {
    if (this.counter) return this.counter;
    const from = this.shape.countFrom ?? this.shape.from;
    const values = [...this.values, limit];
    // By the owner's index again: where most rows have one owner, the whole table seems as good.
    const order = this.owner === null ? '' : ` order by ${this.owner}`;
    const text = `select count(*) as total from (select 1 from ${this.within(from)}${this.extraJoin}${this.conditions}${order} limit $${values.length}) counted`;
    return { text, values };
  }

  /** Builds a query for aggregates over all rows of the list, such as `count(*) as total`. */
  aggregateStatement(select: string): Statement {
    const from = this.shape.countFrom ?? this.shape.from;
    return {
      text: `select ${select} from ${this.within(from)}${this.extraJoin}${this.conditions}`,
      values: this.values,
    };
  }

  /** Returns the keyset order of that name, or null if the list has none. */
  keysetOrder(name: string): KeysetOrder | null {
    const { keyset, key } = this.shape;
    if (keyset && Object.hasOwn(keyset, name)) return keyset[name] ?? null;
    if (name !== 'id') return null;
    return { columns: [{ sql: key, property: 'id', type: 'bigint' }], directions: ['asc', 'desc'] };
  }

  private within(from: string): string {
    return this.rows === null ? from : from.replace(/^\w+/, () => `(${this.rows ?? ''})`);
  }

  private ordered(order: string | readonly Direction[]): string {
    if (typeof order === 'string') return order;
    const [[, direction] = ['', 'asc']] = order;
    const whole = this.owner === null ? order : [[this.owner, direction], ...order];
    return [...new Set(whole.map((one) => one.join(' ')))].join(', ');
  }

  protected bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The columns added by `show`, with their values after those that a statement already has. */
  protected columnsShown(values: unknown[]): string {
    return this.shown.map((columns) => `, ${bound(columns, values)}`).join('');
  }
}

/** A part of a statement, to be used once its values follow those of the rest. */
function bound({ text, values: own }: Statement, values: unknown[]): string {
  let index = 0;
  return text.replace(/\?/g, () => `$${values.push(own[index++])}`);
}
