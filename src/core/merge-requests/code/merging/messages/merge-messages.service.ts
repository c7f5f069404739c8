import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Links } from '#kernel/http/links.js';
import type { Signature } from '#core/repositories/git/build-commit.js';
import { readNewest } from '#core/repositories/commits/or-fewer.js';
import type { Commit } from '#core/repositories/git/commit-log.js';
import { STANDS } from '../../../approvals/approved.sql.js';
import { fillTemplate, MERGE_TEMPLATE, SQUASH_TEMPLATE, type MessageVariables } from './message-template.js';
import type { MergeableMergeRequest } from '../mergeable.queries.js';

/** Limit of commits listed in a message. */
const MAX_COMMITS = 100;

const ISSUES = `select i.iid, i.project_id = $2 as "isOwn", p.full_path as path
  from merge_requests_closing_issues c join issues i on i.id = c.issue_id join projects p on p.id = i.project_id
  where c.merge_request_id = $1 order by i.id limit 100`;

const APPROVERS = `select u.name, coalesce(nullif(u.commit_email, ''), u.email) as email from merge_requests m
  join merge_request_approvals a on a.merge_request_id = m.id join users u on u.id = a.user_id where m.id = $1 and ${STANDS} order by a.created_at, u.id limit 100`;

/** Messages given in a request instead of those of templates. */
export interface GivenMessages {
  readonly mergeCommitMessage: string | null;
  readonly squashCommitMessage: string | null;
}

/** Messages of the commits of a merge. */
export interface MergeMessages {
  readonly mergeMessage: string;
  readonly squashMessage: string;
}

/** Composes merge messages from the templates of the project. */
@Injectable()
export class MergeMessagesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly links: Links,
  ) {}

  /** Composes the messages; `path`: target repository, `committer`: the user who merges. */
  async write(
    path: string,
    mergeRequest: MergeableMergeRequest,
    committer: Signature,
    given: GivenMessages,
  ): Promise<MergeMessages> {
    const { merge_commit_template: merge, squash_commit_template: squash } = mergeRequest.settings;
    const variables = await this.variables(path, mergeRequest, committer);
    return {
      mergeMessage: given.mergeCommitMessage || fillTemplate(merge || MERGE_TEMPLATE, variables),
      squashMessage: given.squashCommitMessage || fillTemplate(squash || SQUASH_TEMPLATE, variables),
    };
  }

  private async variables(
    path: string,
    one: MergeableMergeRequest,
    committer: Signature,
  ): Promise<MessageVariables> {
    const { startSha, headSha } = one;
    const [{ commits }, issues, approvers] = await Promise.all([
      readNewest(path, MAX_COMMITS, ['--reverse', headSha ?? '', `^${startSha ?? ''}`, '--']),
      this.database.short<{ iid: number; isOwn: boolean; path: string }>(ISSUES, [one.id, one.projectId]),
      this.database.short<{ name: string; email: string }>(APPROVERS, [one.id]),
    ]);
    const names = issues.map(({ iid, isOwn, path: project }) => `${isOwn ? '' : project}#${iid}`);
    const first = commits[0]?.message.trim() ?? '';
    return {
      source_branch: one.sourceBranch,
      target_branch: one.targetBranch,
      title: one.title,
      description: one.description ?? '',
      issues: names.length === 0 ? '' : `Closes ${listed(names)}`,
      reference: `${one.fullPath}!${one.iid}`,
      local_reference: `!${one.iid}`,
      url: `${this.links.project(one.fullPath)}/-/merge_requests/${one.iid}`,
      source_project_id: String(one.sourceProjectId ?? ''),
      first_commit: first,
      first_multiline_commit: multiline(commits) ?? one.title,
      all_commits: commits.map(({ message }) => `* ${message.trim()}`).join('\n\n'),
      co_authored_by: coAuthors(commits, committer),
      merged_by: `${committer.name} <${committer.email}>`,
      approved_by: approvers.map(({ name, email }) => `Approved-by: ${name} <${email}>`).join('\n'),
    };
  }
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const multiline = (commits: readonly Commit[]): string | undefined =>
  commits.map(({ message }) => message.trim()).find((message) => message.includes('\n'));

function coAuthors(commits: readonly Commit[], { email }: Signature): string {
  const others = commits.filter(({ authorEmail }) => authorEmail !== email);
  const lines = others.map((one) => `Co-authored-by: ${one.authorName} <${one.authorEmail}>`);
  return [...new Set(lines)].join('\n');
}
