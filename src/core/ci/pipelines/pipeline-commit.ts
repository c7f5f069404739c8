import type { Commit } from '#core/repositories/git/commit-log.js';
import { presentCommit, type CommitRecord } from '#core/repositories/commits/commit.record.js';

/** The commit of a pipeline, kept in its row so that no list of jobs asks git. */
export interface PipelineCommit {
  readonly id: string;
  readonly parent_ids: readonly string[];
  readonly title: string;
  readonly message: string;
  readonly author_name: string;
  readonly author_email: string;
  readonly authored_date: string;
  readonly committer_name: string;
  readonly committer_email: string;
  readonly committed_date: string;
}

/** Characters of a message that are kept: lists carry it once a job. */
const MAX_MESSAGE = 10_000;

/** What is kept of a commit. */
export const pipelineCommit = (commit: Commit): PipelineCommit => ({
  id: commit.id,
  parent_ids: commit.parentIds,
  title: stored(commit.title),
  message: stored(commit.message),
  author_name: stored(commit.authorName),
  author_email: stored(commit.authorEmail),
  authored_date: commit.authoredDate,
  committer_name: stored(commit.committerName),
  committer_email: stored(commit.committerEmail),
  committed_date: commit.committedDate,
});

/** The database takes no NUL and no half of a pair. */
const stored = (text: string): string => text.slice(0, MAX_MESSAGE).replaceAll('\0', '').toWellFormed();

/** The record of a kept commit; `projectWeb` is the page of the project. */
export const presentPipelineCommit = (commit: PipelineCommit, projectWeb: string): CommitRecord =>
  presentCommit(
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
