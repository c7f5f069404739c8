import type { Actor } from '#kernel/access/caller.js';
import { admits } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import type { GitSubject } from './git-subject.js';
import { TEXTS } from './git-texts.js';

/** A subject that the caller cannot see is reported as missing. */
export const isVisible = (subject: GitSubject, actor: Actor | null): boolean =>
  subject.role >= Role.Minimal || admits(subject.visibility, actor);

/** Returns whether the caller can use a part of a project. */
function hasPart({ level, role }: GitSubject): boolean {
  return level === 'enabled' || (level === 'private' && role >= Role.Guest);
}

/**
 * Returns why the caller may not fetch, or null. Guests can read wikis; code of private projects requires
 * Reporter.
 */
export function pullRefusal(subject: GitSubject, actor: Actor | null): string | null {
  const { ref, role } = subject;
  const least = ref.kind === 'wiki' ? Role.Guest : Role.Reporter;
  if (hasPart(subject) && (role >= least || admits(subject.visibility, actor))) return null;
  return ref.kind === 'wiki' ? TEXTS.pullWiki : TEXTS.pull;
}

/** Returns why the caller may not push, or null. */
export function pushRefusal(subject: GitSubject): string | null {
  const { ref, role, archived } = subject;
  if (role < Role.Developer || !hasPart(subject)) {
    if (ref.kind === 'code') return TEXTS.push;
    return ref.ownerType === 'Project' ? TEXTS.pushProjectWiki : TEXTS.pushGroupWiki;
  }
  return archived ? TEXTS.archived : null;
}

/** Error text for a missing or hidden subject. */
export const notFoundText = (kind: 'code' | 'wiki' | 'snippet'): string =>
  kind === 'snippet' ? TEXTS.noSnippet : TEXTS.noProject;

/** Error text for fetching a repository without content. */
export function noRepositoryText({ ownerType }: GitSubject['ref']): string {
  if (ownerType === 'Snippet') return TEXTS.noSnippetRepository;
  return ownerType === 'Group' ? TEXTS.noGroupWiki : TEXTS.noRepository;
}
