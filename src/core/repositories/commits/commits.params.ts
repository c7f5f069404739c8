import { Flag, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Maximum length of refs and paths that git accepts. */
export const REF = { maxLength: 1024 } as const;

/** Filters of the list of commits. */
export class ListCommitsParams {
  @Text({ ...REF, optional: true, description: 'Branch, tag or id; default: the default branch' })
  ref_name?: string;

  @IsoTime({ optional: true })
  since?: Date;

  @IsoTime({ optional: true })
  until?: Date;

  @Text({ maxLength: 4096, optional: true, description: 'Only commits that change this file or folder' })
  path?: string;

  @Text({ maxLength: 255, optional: true, description: 'Part of the name or e-mail address of the author' })
  author?: string;

  @Flag({ optional: true, description: 'Commits of all branches and tags' })
  all?: boolean;

  @Flag({ optional: true })
  with_stats?: boolean;

  @Flag({ optional: true, description: 'Follow only the first parent of merges' })
  first_parent?: boolean;

  @OneOf(['default', 'topo'], { optional: true })
  order?: 'default' | 'topo';

  @Flag({ optional: true, description: 'Parse the trailers of the messages' })
  trailers?: boolean;
}

/** Path parameters of a commit. */
export class FindCommitParams {
  @Text({ ...REF, description: 'Id of a commit, or name of a branch or tag' })
  sha!: string;
}

/** Parameters of a single commit. */
export class ShowCommitParams extends FindCommitParams {
  @Flag({ optional: true, description: 'Include the number of changed lines; default true' })
  stats?: boolean;
}

/** Parameters of the diff of a commit. */
export class ShowDiffParams extends FindCommitParams {
  @Flag({ optional: true, description: 'Start each diff with the file names' })
  unidiff?: boolean;
}

/** Filters of the refs that contain a commit. */
export class ListRefsParams extends FindCommitParams {
  @OneOf(['all', 'branch', 'tag'], { optional: true })
  type?: 'all' | 'branch' | 'tag';
}

/** Parameters of the sequence of a commit. */
export class ShowSequenceParams extends FindCommitParams {
  @Flag({ optional: true, description: 'Follow only the first parent of merges' })
  first_parent?: boolean;
}
