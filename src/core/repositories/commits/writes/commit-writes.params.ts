import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindCommitParams, REF } from '../commits.params.js';

/** Request bodies are limited to this anyway. */
const CONTENT = { maxLength: 10 * 1024 * 1024, blank: true } as const;

const ACTIONS = ['create', 'delete', 'move', 'update', 'chmod'] as const;

/** Encodings of file contents. */
export type Encoding = 'text' | 'base64';

/** A change of a file. */
export class CommitAction {
  @OneOf(ACTIONS)
  action!: (typeof ACTIONS)[number];

  @Text({ maxLength: 4096 })
  file_path!: string;

  @Text({ maxLength: 4096, optional: true, description: 'Where a moved file was; needed for move' })
  previous_path?: string;

  @Text({
    ...CONTENT,
    optional: true,
    description: 'Needed for update; a moved file keeps its own without it',
  })
  content?: string;

  @OneOf(['text', 'base64'], { optional: true })
  encoding?: Encoding;

  @Text({ maxLength: 64, optional: true, description: 'Refuse if the file has changed since this commit' })
  last_commit_id?: string;

  @Flag({ optional: true, description: 'Whether the file can be executed; needed for chmod' })
  execute_filemode?: boolean;
}

/** Branch and author of a commit. */
export class CommitTargetParams {
  @Text({ ...REF, description: 'Branch that gets the commit' })
  branch!: string;

  @Text({ maxLength: 100_000 })
  commit_message!: string;

  @Text({ ...REF, optional: true, description: 'Branch to make a new branch from' })
  start_branch?: string;

  @Text({ maxLength: 255, optional: true, description: 'Default: the caller' })
  author_email?: string;

  @Text({ maxLength: 255, optional: true, description: 'Default: the caller' })
  author_name?: string;
}

/** Parameters of a commit of several files. */
export class CreateCommitParams extends CommitTargetParams {
  @ExclusiveWith(['start_branch'])
  @Text({ maxLength: 64, optional: true, description: 'Commit to make a new branch from' })
  start_sha?: string;

  @Text({ maxLength: 1024, optional: true, description: 'Only the project itself' })
  start_project?: string;

  @ListOf(() => CommitAction, { maxItems: 1000 })
  actions!: CommitAction[];

  @Flag({ optional: true, description: 'Include the number of changed lines; default true' })
  stats?: boolean;

  @Flag({ optional: true, description: 'Replace the branch by one that begins at start_branch or start_sha' })
  force?: boolean;
}

/** Parameters for applying a commit to a branch. */
export class ApplyCommitParams extends FindCommitParams {
  @Text({ ...REF, description: 'Branch that gets the new commit' })
  branch!: string;

  @Flag({ optional: true, description: 'Only check whether it is possible' })
  dry_run?: boolean;

  @Text({ maxLength: 100_000, optional: true, description: 'Message of the new commit' })
  message?: string;
}
