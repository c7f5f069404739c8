import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitRecord } from './commit.record.js';
import { REF } from './commits.params.js';
import { DiffRecord } from './diff/diff.record.js';

/** Parameters of a comparison. */
export class CompareRefsParams {
  @Text({ ...REF, description: 'Branch, tag or id' })
  from!: string;

  @Text({ ...REF, description: 'Branch, tag or id' })
  to!: string;

  @Id({ optional: true, min: 1, description: 'The project of `from`: only the project itself' })
  from_project_id?: number;

  @Flag({ optional: true, description: 'Compare both directly, instead of `to` with the merge base' })
  straight?: boolean;

  @Flag({ optional: true, description: 'Start each diff with the file names' })
  unidiff?: boolean;
}

/** Differences between two commits. */
export class CompareRecord {
  @Nested(() => CommitRecord, { nullable: true, description: 'The newest of the commits' })
  commit!: CommitRecord | null;

  @ListOf(() => CommitRecord, { description: 'Commits in `to` that are not in `from`, oldest first' })
  commits!: CommitRecord[];

  @ListOf(() => DiffRecord)
  diffs!: DiffRecord[];

  @Flag({ description: 'Commits or diffs were too many to show all' })
  compare_timeout!: boolean;

  @Flag()
  compare_same_ref!: boolean;

  @Text()
  web_url!: string;
}

/** Refs whose merge base is requested. */
export class FindMergeBaseParams {
  @List(Text(REF), { maxItems: 100, description: 'Two or more branches, tags or ids' })
  refs!: string[];
}

/** Order of a list of contributors. */
export class ListContributorsParams {
  @Text({ ...REF, optional: true, description: 'Branch, tag or id; default: the default branch' })
  ref?: string;

  @OneOf(['name', 'email', 'commits'], { optional: true })
  order_by?: 'name' | 'email' | 'commits';

  @OneOf(['asc', 'desc'], { optional: true })
  sort?: 'asc' | 'desc';
}

/** An author of commits. */
export class ContributorRecord {
  @Text()
  name!: string;

  @Text()
  email!: string;

  @Count()
  commits!: number;

  @Count({ description: 'Always 0' })
  additions!: number;

  @Count({ description: 'Always 0' })
  deletions!: number;
}
