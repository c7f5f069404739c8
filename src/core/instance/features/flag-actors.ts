import type { Caller } from '#kernel/access/caller.js';

/** Feature group of all administrators. */
const ADMINISTRATORS = 'administrators';

/** Returns the names by which gates can match a request: the user, the subject and the groups above it. */
export function flagActors({ actor, subject }: Pick<Caller, 'actor' | 'subject'>): string[] {
  const names: string[] = [];
  if (actor) names.push(`User:${actor.id}`, ...(actor.admin ? [ADMINISTRATORS] : []));
  if (!subject) return names;
  if (subject.kind === 'Project') {
    names.push(`Project:${subject.id}`, `Repository:${subject.id}`);
    if (subject.namespaceType === 'User') return [...names, `Namespace:${subject.namespaceId}`];
  }
  return [...names, ...subject.traversalIds.map((id) => `Group:${id}`)];
}
