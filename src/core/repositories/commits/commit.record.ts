import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Commit } from '../git/commit-log.js';

/** Length of a short id. */
const SHORT = 8;

/** A commit in lists and other records. */
export class CommitRecord {
  @Text({ example: 'ed899a2f4b50b4370feeea94676502b42383c746' })
  id!: string;

  @Text({ example: 'ed899a2f' })
  short_id!: string;

  @Text({ example: '2024-03-01T09:00:00.000+00:00' })
  created_at!: string;

  @List(Text())
  parent_ids!: string[];

  @Text()
  title!: string;

  @Text()
  message!: string;

  @Text()
  author_name!: string;

  @Text()
  author_email!: string;

  @Text()
  authored_date!: string;

  @Text()
  committer_name!: string;

  @Text()
  committer_email!: string;

  @Text()
  committed_date!: string;

  @Anything({ description: 'Trailers of the message by name, the last of each; empty unless requested' })
  trailers!: Record<string, string>;

  @Anything({ description: 'All trailers of the message by name; empty unless requested' })
  extended_trailers!: Record<string, string[]>;

  @Text()
  web_url!: string;
}

/** Adds the milliseconds that v4 clients expect to git's strict ISO time. */
export const withMilliseconds = (time: string): string =>
  time.replace(/(:\d\d)(Z|[+-]\d\d:\d\d)$/, '$1.000$2');

/** Presents a commit; `webBase`: page of the project, `Links.project(fullPath)`. */
export function presentCommit(commit: Commit, webBase: string): CommitRecord {
  const committedDate = withMilliseconds(commit.committedDate);
  return {
    id: commit.id,
    short_id: commit.id.slice(0, SHORT),
    created_at: committedDate,
    parent_ids: [...commit.parentIds],
    title: commit.title,
    message: commit.message,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    authored_date: withMilliseconds(commit.authoredDate),
    committer_name: commit.committerName,
    committer_email: commit.committerEmail,
    committed_date: committedDate,
    trailers: {},
    extended_trailers: {},
    web_url: `${webBase}/-/commit/${commit.id}`,
  };
}
