import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Orders of the list of branches. */
export const BRANCH_ORDERS = ['name_asc', 'updated_asc', 'updated_desc'] as const;

/** Filters and order of the list of branches. */
export class ListBranchesParams {
  @Text({
    optional: true,
    maxLength: 1024,
    description: 'Part of the name; ^x for its beginning, x$ for its end',
  })
  search?: string;

  @Text({ optional: true, maxLength: 255, description: 'Regular expression in the syntax of RE2' })
  regex?: string;

  @OneOf(BRANCH_ORDERS, { optional: true, description: 'name_asc unless given' })
  sort?: (typeof BRANCH_ORDERS)[number];

  @Text({
    optional: true,
    maxLength: 1024,
    description: 'Keyset pages: branches after this name, from the Link header',
  })
  page_token?: string;
}

/** Path parameters of a branch. */
export class FindBranchParams {
  @Text({ maxLength: 1024, description: 'Name, encoded for a URL' })
  branch!: string;
}

/** Parameters of a new branch. */
export class CreateBranchParams {
  @Text({ maxLength: 1024, description: 'Name of the new branch' })
  branch!: string;

  @Text({ maxLength: 1024, description: 'Branch, tag or commit that it starts from' })
  ref!: string;
}
