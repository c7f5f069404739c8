import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import { readNewest } from '#core/repositories/commits/or-fewer.js';
import type { Commit } from '#core/repositories/git/commit-log.js';
import { git } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { BRANCHES } from '#core/repositories/refs/read-refs.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import type { PushedBranch } from './read-commits.job.js';
import type { ReferenceContext } from './written-texts.queries.js';

/** Limit of commits read per push: the newest, fewer if their messages are large. */
const MAX_COMMITS = 100;

const PROJECT = `select p.full_path as "projectPath", n.full_path as "namespacePath", n.type = 'Group' as "inGroup",
    p.default_branch as "defaultBranch",
    coalesce((p.settings ->> 'autoclose_referenced_issues')::boolean, ${String(PROJECT_DEFAULTS.autoclose_referenced_issues)}) as "closes"
  from projects p join namespaces n on n.id = p.namespace_id where p.id = $1 and not p.pending_delete and not p.archived`;

/** Merge requests merged by these commits, or that contain them: merging closes the issues they name. */
const BROUGHT = `select m.id, m.head_sha as "headSha", array_remove(array[m.merge_commit_sha, m.squash_commit_sha], null) as made,
    m.source_project_id = $1 and m.source_branch = $2 and m.state in ('opened', 'locked') as "isSource"
  from merge_requests m where (m.project_id = $1 and m.target_branch = $2 and m.state in ('opened', 'locked', 'merged')
      and (m.head_sha = any($3::text[]) or m.merge_commit_sha = any($3::text[]) or m.squash_commit_sha = any($3::text[])))
    or (m.source_project_id = $1 and m.source_branch = $2 and m.state in ('opened', 'locked'))`;

/** The project of pushed commits. */
export interface PushedProject extends ReferenceContext {
  readonly projectPath: string;
  readonly defaultBranch: string | null;
  /** Whether commits on its default branch close the issues they name. */
  readonly closes: boolean;
}

/** A merge request with pushed commits. */
export interface BroughtMergeRequest {
  readonly id: number;
  /** Commits of its source branch. */
  readonly own: ReadonlySet<string>;
  /** These, and the commits created by merging it; empty unless it is merged. */
  readonly merged: ReadonlySet<string>;
}

interface Row {
  readonly id: number;
  readonly headSha: string | null;
  readonly made: readonly string[];
  readonly isSource: boolean;
}

/** Commits pushed to a branch. */
export interface PushedCommits {
  readonly project: PushedProject;
  /** Oldest first. */
  readonly commits: readonly Commit[];
  readonly mergeRequests: readonly BroughtMergeRequest[];
}

/** Reads pushed commits: those new to the branch, or for a new branch those not on the default branch. */
@Injectable()
export class PushedCommitsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
  ) {}

  /**
   * Returns the commits; null if the project or commits no longer exist. @throws 400, 503 while the
   * repository moves
   */
  async read({ projectId, branch, before, after }: PushedBranch): Promise<PushedCommits | null> {
    const project = await this.database.one<PushedProject>(PROJECT, [projectId]);
    const repository = project && (await this.repositories.openOrNull(projectRepository(projectId)));
    if (!repository) return null;
    const { path } = repository;
    const known = before === NO_OBJECT ? knownBefore(project, branch) : before;
    const commits = await newest(path, after, known);
    if (commits.length === 0) return null;
    const ids = commits.map(({ id }) => id);
    const rows = await this.database.long<Row>(BROUGHT, [projectId, branch, ids]);
    const mergeRequests: BroughtMergeRequest[] = [];
    for (const { id, headSha, made, isSource } of rows) {
      const own = new Set(isSource || headSha === null ? ids : await idsOf(path, headSha, known));
      mergeRequests.push({ id, own, merged: new Set(isSource ? [] : [...own, ...made]) });
    }
    return { project, commits: commits.reverse(), mergeRequests };
  }
}

const knownBefore = ({ defaultBranch }: PushedProject, branch: string): string | null =>
  defaultBranch === null || defaultBranch === branch ? null : BRANCHES + defaultBranch;

const range = (after: string, before: string | null): string[] => [
  '--end-of-options',
  after,
  ...(before === null ? [] : [`^${before}`]),
  '--',
];

/** Returns no commits if git no longer knows them: the branch has moved again, or its history is gone. */
async function newest(path: string, after: string, before: string | null): Promise<Commit[]> {
  try {
    return (await readNewest(path, MAX_COMMITS, range(after, before))).commits;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.code === undefined) return [];
    throw error;
  }
}

async function idsOf(path: string, after: string, before: string | null): Promise<string[]> {
  try {
    return (await git(path, ['rev-list', `--max-count=${MAX_COMMITS}`, ...range(after, before)]))
      .toString('latin1')
      .split('\n')
      .filter(Boolean);
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.code === undefined) return [];
    throw error;
  }
}
