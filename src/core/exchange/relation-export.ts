/** What can be moved to another instance. */
export type Portable = 'group' | 'project';

/** One record of a relation, to be written as one line. */
export interface ExportedRow {
  /** Where the next page begins. */
  readonly id: number;
  /** JSON text of an object with the attributes that v4 servers exchange, the nested ones included. */
  readonly json: string;
}

/** A relation of a group or project that another instance can fetch; offered to `Transfers` by the module that owns its tables. */
export interface RelationExport {
  readonly of: Portable;
  /** Name in `export_relations`, such as `labels`. */
  readonly relation: string;
  /** Whether it is split into files of 1,000 records when that is asked for; a relation of few records is not. */
  readonly batchable: boolean;
  /**
   * Up to `limit` records with an id above `afterId`, in order of id: one statement. Fewer do not mean that there are no more (records with
   * files come a few at a time): only none does. What belongs to others (groups above) is told as far as `readerId`, who exports, may know it.
   */
  page(ownerId: number, afterId: number, limit: number, readerId: number): Promise<readonly ExportedRow[]>;
}
