import type { Actor } from '#kernel/access/caller.js';
import { admits } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';

/** Facts that the rights on a snippet depend on. */
export interface SnippetFacts {
  readonly authorId: number;
  readonly visibility: Visibility;
  /** Null for a personal snippet. */
  readonly project: SnippetProjectFacts | null;
}

/** Facts of the project of a snippet. */
export interface SnippetProjectFacts {
  readonly visibility: Visibility;
  readonly archived: boolean;
  /** Access level of the project's snippets. */
  readonly level: string;
  /** Effective role of the caller; Admin for administrators. */
  readonly role: Role;
}

const usesSnippets = ({ visibility, level, role }: SnippetProjectFacts, actor: Actor | null): boolean =>
  (role >= Role.Guest || admits(visibility, actor)) &&
  level !== 'disabled' &&
  (level !== 'private' || role >= Role.Guest);

/** Returns whether the caller can see a snippet: its project must allow it, then its own visibility. */
export function mayReadSnippet(
  { authorId, visibility, project }: SnippetFacts,
  actor: Actor | null,
): boolean {
  if (project && !usesSnippets(project, actor)) return false;
  if (admits(visibility, actor) || actor?.id === authorId || actor?.admin) return true;
  return project !== null && project.role >= Role.Guest;
}

/**
 * Returns whether the caller can change a snippet: its author (in a project only as Reporter or above), and
 * Maintainers of the project.
 */
export function mayWriteSnippet(facts: SnippetFacts, actor: Actor | null): boolean {
  if (!actor || !mayReadSnippet(facts, actor)) return false;
  const { authorId, project } = facts;
  const isAuthor = actor.id === authorId;
  if (!project) return isAuthor || actor.admin;
  return !project.archived && project.role >= (isAuthor ? Role.Reporter : Role.Maintainer);
}
