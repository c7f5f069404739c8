import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Orders of the list of tags. */
export const TAG_ORDERS = ['name', 'updated', 'version'] as const;

/** Filters and order of the list of tags. */
export class ListTagsParams {
  @Text({
    optional: true,
    maxLength: 1024,
    description: 'Part of the name; ^x for its beginning, x$ for its end',
  })
  search?: string;

  @OneOf(TAG_ORDERS, { optional: true, description: 'Default: updated' })
  order_by?: (typeof TAG_ORDERS)[number];

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';
}

/** Path parameters of a tag. */
export class FindTagParams {
  @Text({ maxLength: 1024, description: 'Name, encoded for a URL' })
  tag_name!: string;
}

/** Parameters of a new tag. */
export class CreateTagParams extends FindTagParams {
  @Text({ maxLength: 1024, description: 'Branch, tag or commit that it names' })
  ref!: string;

  @Text({ optional: true, maxLength: 100_000, description: 'Makes an annotated tag' })
  message?: string;
}
