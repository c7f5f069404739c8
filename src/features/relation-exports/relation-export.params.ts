import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** Parameters of an export. */
export class StartExportParams {
  @Flag({ optional: true, description: 'In files of 1,000 records each, where a relation can have many' })
  batched?: boolean;
}

/** Relation whose status is requested; all by default. */
export class ExportStatusParams {
  @Text({ optional: true, maxLength: 255 })
  relation?: string;
}

/** A relation in the nested query of gitbeaker 43. */
export class NestedRelation {
  @Text({ maxLength: 255 })
  relation!: string;
}

/** Path parameters of a file. */
export class DownloadExportParams {
  @Text({ unless: 'search_params', maxLength: 255 })
  relation?: string;

  @Nested(() => NestedRelation, {
    optional: true,
    description: 'The relation, under the name that some clients use',
  })
  search_params?: NestedRelation;

  @Flag({ optional: true, description: 'Together with `batch_number`' })
  batched?: boolean;

  @Id({ optional: true, min: 1, description: 'Together with `batched`' })
  batch_number?: number;
}
