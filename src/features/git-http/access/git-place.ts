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

/** What a request is about, with the role of its caller there. */
export interface GitPlace {
  readonly ref: RepositoryRef;
  readonly visibility: 'private' | 'internal' | 'public';
  /** Access level of the part that the repository holds. */
  readonly level: 'disabled' | 'private' | 'enabled';
  readonly archived: boolean;
  readonly role: Role;
  /** The path that it has now; differs from the one that was asked for when it has been renamed. */
  readonly fullPath: string;
  readonly byOldPath: boolean;
  readonly defaultBranch: string | null;
  /** Null until it is known to exist. */
  readonly repository: RepositoryRow | null;
  readonly readOnly: boolean;
}

/** The project or group that was found for a target; null where there is none of the right kind. */
export function placeOf(target: GitTarget, caller: GitCaller, role: Role): GitPlace | null {
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

/** The caller's role where the request leads: deploy tokens read as reporters do, jobs have no role where they may not go. */
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

/** Whether the snippet lies where the URL says: a personal one below no project, another below its own. */
export const isAt = (
  { projectId }: AccessibleSnippet,
  target: GitTarget,
  foundProjectId: number | null,
): boolean =>
  target.kind === 'snippet' &&
  (target.projectPath === null ? projectId === null : projectId !== null && projectId === foundProjectId);

/** Names the repository of a snippet. */
export const snippetRef = ({ id }: AccessibleSnippet): RepositoryRef => snippetRepository(id);
