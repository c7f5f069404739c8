import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** How relations are written. */
export class StartExportParams {
  @Flag({ optional: true, description: 'In files of 1,000 records each, where a relation can have many' })
  batched?: boolean;
}

/** Which relation to tell of; all unless given. */
export class ExportStatusParams {
  @Text({ optional: true, maxLength: 255 })
  relation?: string;
}

/** A relation as gitbeaker 43 names it in a query of its own. */
export class NestedRelation {
  @Text({ maxLength: 255 })
  relation!: string;
}

/** One file. */
export class DownloadExportParams {
  @Text({ unless: 'search_params', maxLength: 255 })
  relation?: string;

  @Nested(() => NestedRelation, { optional: true, description: 'The relation, as some clients send it' })
  search_params?: NestedRelation;

  @Flag({ optional: true, description: 'Together with `batch_number`' })
  batched?: boolean;

  @Id({ optional: true, min: 1, description: 'Together with `batched`' })
  batch_number?: number;
}
