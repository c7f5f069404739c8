import type { Actor } from '#kernel/access/caller.js';
import { admits } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import type { GitPlace } from './git-place.js';
import { TEXTS } from './git-texts.js';

/** Places that the caller cannot see are reported as missing. */
export const isVisible = (place: GitPlace, actor: Actor | null): boolean =>
  place.role >= Role.Minimal || admits(place.visibility, actor);

/** Returns whether the caller can use a part of a project. */
function hasPart({ level, role }: GitPlace): boolean {
  return level === 'enabled' || (level === 'private' && role >= Role.Guest);
}

/**
 * Returns why the caller may not fetch, or null. Guests can read wikis; code of private projects requires
 * Reporter.
 */
export function pullRefusal(place: GitPlace, actor: Actor | null): string | null {
  const { ref, role } = place;
  const least = ref.kind === 'wiki' ? Role.Guest : Role.Reporter;
  if (hasPart(place) && (role >= least || admits(place.visibility, actor))) return null;
  return ref.kind === 'wiki' ? TEXTS.pullWiki : TEXTS.pull;
}

/** Returns why the caller may not push, or null. */
export function pushRefusal(place: GitPlace): string | null {
  const { ref, role, archived } = place;
  if (role < Role.Developer || !hasPart(place)) {
    if (ref.kind === 'code') return TEXTS.push;
    return ref.ownerType === 'Project' ? TEXTS.pushProjectWiki : TEXTS.pushGroupWiki;
  }
  return archived ? TEXTS.archived : null;
}

/** Error text for a missing or hidden place. */
export const notFoundText = (kind: 'code' | 'wiki' | 'snippet'): string =>
  kind === 'snippet' ? TEXTS.noSnippet : TEXTS.noProject;

/** Error text for fetching a repository without content. */
export function noRepositoryText({ ownerType }: GitPlace['ref']): string {
  if (ownerType === 'Snippet') return TEXTS.noSnippetRepository;
  return ownerType === 'Group' ? TEXTS.noGroupWiki : TEXTS.noRepository;
}
