import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ExportedRow, RelationExport } from '../exchange/relation-export.js';
import type { RelationPipeline } from '../exchange/relation-pipeline.js';
import { sourceKey, sourceTitle } from '../exchange/source-key.js';

/** A relation that can be exported and imported. */
export interface ExchangedRelation<Row>
  extends
    Pick<RelationPipeline<Row>, 'of' | 'relation' | 'stage' | 'transform' | 'load'>,
    Partial<Pick<RelationPipeline<Row>, 'isExtension' | 'userIds'>>,
    Partial<Pick<RelationExport, 'batchable'>> {
  /**
   * Statement of a page; its values: the id of the owner, the id after which the page begins, the number of
   * records, and, if it names them, the reader.
   */
  readonly page: string | RelationExport['page'];
  /**
   * Attributes of which the first present one is the title of a record in failures and its key at the source.
   */
  readonly titledBy: readonly string[];
  readonly keyedBy: readonly string[];
}

/** Creates the export and import of a relation; by default batchable, not an extension, and without users. */
export function bothWays<Row>(
  database: ReadDatabase,
  exchanged: ExchangedRelation<Row>,
): { readonly exported: RelationExport; readonly pipeline: RelationPipeline<Row> } {
  const { page, titledBy, keyedBy, batchable = true, ...relation } = exchanged;
  return {
    exported: {
      of: relation.of,
      relation: relation.relation,
      batchable,
      page: typeof page === 'string' ? pageOf(database, page) : page,
    },
    pipeline: {
      isExtension: false,
      userIds: () => [],
      ...relation,
      title: (record) => sourceTitle(record, ...titledBy),
      key: (record) => sourceKey(record, ...keyedBy),
    },
  };
}

function pageOf(database: ReadDatabase, text: string): RelationExport['page'] {
  const count = text.includes('$4') ? 4 : 3;
  return (...values) => database.long<ExportedRow>(text, values.slice(0, count));
}
