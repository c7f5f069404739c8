import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ExportedRow, RelationExport } from '../exchange/relation-export.js';

/** An export that one statement makes; its values: the id of the owner, the id after which the page begins, how many records it has. */
export const sqlExport = (
  database: ReadDatabase,
  relation: Pick<RelationExport, 'of' | 'relation' | 'batchable'>,
  text: string,
): RelationExport => ({
  ...relation,
  page: (ownerId, afterId, limit) => database.long<ExportedRow>(text, [ownerId, afterId, limit]),
});
