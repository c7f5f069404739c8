import type { Commit } from '#core/repositories/git/commit-log.js';

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
