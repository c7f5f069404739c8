import { ANY_WHOLE, Id, Integer, OneOf, Text } from '../fields/scalar-fields.js';

/** Query parameters of pagination, known to every list (`api-v4.md` 8.1). */
export class PageParams {
  @Integer({ optional: true, ...ANY_WHOLE, description: 'Page of offset pagination, from 1' })
  page?: number;

  @Integer({ optional: true, ...ANY_WHOLE, description: 'Rows per page: default 20, at most 100' })
  per_page?: number;

  @OneOf(['legacy', 'offset', 'keyset'], { optional: true, description: 'keyset needs order_by and sort' })
  pagination?: string;

  @Text({
    optional: true,
    maxLength: 100,
    description: 'Order of the list; every list with ids supports keyset pages by id',
  })
  order_by?: string;

  @Text({ optional: true, maxLength: 50, description: 'asc or desc; some lists know more' })
  sort?: string;

  @Text({ optional: true, maxLength: 2000, description: 'Position of a keyset page, from the Link header' })
  cursor?: string;

  @Id({ optional: true, min: 0, description: 'Keyset pages of projects: rows after this id' })
  id_after?: number;

  @Id({ optional: true, min: 0, description: 'Keyset pages of projects: rows before this id' })
  id_before?: number;
}
