import type { AccessibleSnippet } from '#core/snippets/access/snippet-access.queries.js';
import { Role } from '#kernel/access/roles.js';
import {
  projectRepository,
  snippetRepository,
  wikiRepository,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';
import type { RepositoryRow } from '#core/repositories/repositories.service.js';
import type { GitCaller } from './git-caller.js';
import type { GitTarget } from './git-url.js';

/** The target of a request, with the caller's role in it. */
export interface GitSubject {
  readonly ref: RepositoryRef;
  readonly visibility: 'private' | 'internal' | 'public';
  /** Access level of the part with the repository. */
  readonly level: 'disabled' | 'private' | 'enabled';
  readonly archived: boolean;
  readonly role: Role;
  /** Present path; differs from the requested one after a rename. */
  readonly fullPath: string;
  readonly byOldPath: boolean;
  readonly defaultBranch: string | null;
  /** Null until it is known to exist. */
  readonly repository: RepositoryRow | null;
  readonly readOnly: boolean;
}

/** Returns the project or group of a target; null if there is none of the right kind. */
export function gitSubjectOf(target: GitTarget, caller: GitCaller, role: Role): GitSubject | null {
  const { row } = caller;
  const ref = refOf(target, row.project_id, row.group_id);
  if (!ref) return null;
  const isWiki = ref.kind === 'wiki';
  const level = row.settings[`${isWiki ? 'wiki' : 'repository'}_access_level`];
  return {
    ref,
    visibility: row.visibility,
    level: level === 'disabled' || level === 'private' ? level : 'enabled',
    archived: row.archived,
    role,
    fullPath: row.full_path,
    byOldPath: row.by_old_path,
    defaultBranch: row.default_branch,
    repository: row.repository_id === null ? null : { ...row, id: row.repository_id },
    readOnly: row.read_only,
  };
}

function refOf(target: GitTarget, projectId: number | null, groupId: number | null): RepositoryRef | null {
  if (target.kind === 'wiki' && groupId !== null) return wikiRepository('Group', groupId);
  if (projectId === null || target.kind === 'snippet') return null;
  return target.kind === 'wiki' ? wikiRepository('Project', projectId) : projectRepository(projectId);
}

/**
 * Returns the caller's role in the target: deploy tokens read like Reporters, jobs have no role in projects
 * that they cannot access.
 */
export async function roleOf({ kind, actor, job, row }: GitCaller): Promise<Role> {
  if (kind === 'deploy') {
    const { deploy_source_type: type, deploy_source_id: id } = row;
    const isCovered =
      type === 'Project'
        ? id === row.project_id
        : id !== null && row.project_id !== null && row.traversal_ids.includes(id);
    return isCovered ? Role.Reporter : Role.None;
  }
  if (job && !(row.project_id !== null && (await job.reaches(row.project_id)))) return Role.None;
  return actor?.admin ? Role.Admin : row.role;
}

/** Returns whether the snippet is at this URL: a personal one without a project, others below their own. */
export const isAt = (
  { projectId }: AccessibleSnippet,
  target: GitTarget,
  foundProjectId: number | null,
): boolean =>
  target.kind === 'snippet' &&
  (target.projectPath === null ? projectId === null : projectId !== null && projectId === foundProjectId);

/** Returns the repository of a snippet. */
export const snippetRef = ({ id }: AccessibleSnippet): RepositoryRef => snippetRepository(id);
