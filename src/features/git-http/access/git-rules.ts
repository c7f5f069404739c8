import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { GitPlace } from './git-place.js';
import { TEXTS } from './git-texts.js';

/** Whether whoever it is may see the place without any role in it. */
const isOpenTo = ({ visibility }: GitPlace, actor: Actor | null): boolean =>
  visibility === 'public' || (visibility === 'internal' && actor !== null && !actor.external);

/** What cannot be seen does not exist. */
export const isVisible = (place: GitPlace, actor: Actor | null): boolean =>
  place.role >= Role.Minimal || isOpenTo(place, actor);

/** Whether a part of a project is there for the caller. */
function hasPart({ level, role }: GitPlace): boolean {
  return level === 'enabled' || (level === 'private' && role >= Role.Guest);
}

/** Why the caller may not fetch, or null. Wikis are there for guests too, code of private projects from reporters on. */
export function pullRefusal(place: GitPlace, actor: Actor | null): string | null {
  const { ref, role } = place;
  const least = ref.kind === 'wiki' ? Role.Guest : Role.Reporter;
  if (hasPart(place) && (role >= least || isOpenTo(place, actor))) return null;
  return ref.kind === 'wiki' ? TEXTS.pullWiki : TEXTS.pull;
}

/** Why the caller may not push, or null. */
export function pushRefusal(place: GitPlace): string | null {
  const { ref, role, archived } = place;
  if (role < Role.Developer || !hasPart(place)) {
    if (ref.kind === 'code') return TEXTS.push;
    return ref.ownerType === 'Project' ? TEXTS.pushProjectWiki : TEXTS.pushGroupWiki;
  }
  return archived ? TEXTS.archived : null;
}

/** What somebody is told for whom there is nothing. */
export const notFoundText = (kind: 'code' | 'wiki' | 'snippet'): string =>
  kind === 'snippet' ? TEXTS.noSnippet : TEXTS.noProject;

/** What somebody is told who fetches what nobody has written yet. */
export function noRepositoryText({ ownerType }: GitPlace['ref']): string {
  if (ownerType === 'Snippet') return TEXTS.noSnippetRepository;
  return ownerType === 'Group' ? TEXTS.noGroupWiki : TEXTS.noRepository;
}
