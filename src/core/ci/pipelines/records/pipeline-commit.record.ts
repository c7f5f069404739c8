import { partialOf } from '#kernel/http/fields/derived-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitRecord, presentCommit } from '#core/repositories/commits/commit.record.js';
import type { PipelineCommit } from '../pipeline-commit.js';

const Whole: new () => Omit<Partial<CommitRecord>, 'id' | 'short_id'> = partialOf(CommitRecord);

/** The commit of a pipeline; only its ids for callers who may not read the code. */
export class PipelineCommitRecord extends Whole {
  @Text({ example: 'ed899a2f4b50b4370feeea94676502b42383c746' })
  id!: string;

  @Text({ example: 'ed899a2f' })
  short_id!: string;
}

/** Presents a stored commit; `projectWeb` is the page of the project. */
export function presentPipelineCommit(
  commit: PipelineCommit,
  projectWeb: string,
  seesCode: boolean,
): PipelineCommitRecord {
  const whole = presentCommit(
    {
      id: commit.id,
      parentIds: commit.parent_ids,
      title: commit.title,
      message: commit.message,
      authorName: commit.author_name,
      authorEmail: commit.author_email,
      authoredDate: commit.authored_date,
      committerName: commit.committer_name,
      committerEmail: commit.committer_email,
      committedDate: commit.committed_date,
    },
    projectWeb,
  );
  return seesCode ? whole : { id: whole.id, short_id: whole.short_id };
}
