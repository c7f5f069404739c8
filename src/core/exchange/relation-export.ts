/** Kinds of entities that can be exported. */
export type Portable = 'group' | 'project';

/** A record of a relation, written as one line. */
export interface ExportedRow {
  /** Id after which the next page begins. */
  readonly id: number;
  /** JSON text of an object with the attributes that v4 servers exchange, including nested ones. */
  readonly json: string;
}

/**
 * A relation of a group or project that another instance can fetch; registered with `ExchangesRegistry` by
 * the module that owns its tables.
 */
export interface RelationExport {
  readonly of: Portable;
  /** Name in `export_relations`, such as `labels`. */
  readonly relation: string;
  /** Whether it can be split into files of 1,000 records; not for relations with few records. */
  readonly batchable: boolean;
  /**
   * Returns up to `limit` records with an id above `afterId`, in the order of ids: one statement. Fewer
   * records do not mean the end (records with files come a few at a time); only an empty page does. Data of
   * others (groups above) is limited to what `readerId`, the exporting user, may read.
   */
  page(ownerId: number, afterId: number, limit: number, readerId: number): Promise<readonly ExportedRow[]>;
}
