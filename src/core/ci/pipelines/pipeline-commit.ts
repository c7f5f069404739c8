import type { Commit } from '#core/repositories/git/commit-log.js';

/** The commit of a pipeline, stored in its row so that lists of jobs need no git process. */
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

/** Limit of stored characters of a message: lists repeat it for each job. */
const MAX_MESSAGE = 10_000;

/** Returns the stored part of a commit. */
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

/** PostgreSQL stores neither NUL nor lone surrogates. */
const stored = (text: string): string => text.slice(0, MAX_MESSAGE).replaceAll('\0', '').toWellFormed();
