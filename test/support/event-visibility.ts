import fc from 'fast-check';
import { Role } from '#kernel/access/roles.js';
import type { EventAction, Subject } from '#features/events/event-kinds.js';
import type { ApiClient } from './client.js';

/** Parts of a project that can be switched. */
export const FEATURES = ['issues', 'repository', 'merge_requests', 'wiki', 'snippets'] as const;
const LEVELS = ['disabled', 'private', 'enabled'] as const;
type Feature = (typeof FEATURES)[number];
type Level = (typeof LEVELS)[number];

/** The viewer. */
export interface Viewer {
  readonly name: string;
  readonly client: ApiClient;
  readonly id: number | null;
  readonly admin?: true;
  readonly external?: true;
}

/** The visible object. */
export interface World {
  readonly visibility: 'private' | 'internal' | 'public';
  readonly levels: Readonly<Record<Feature, Level>>;
  /** Roles of the viewers who are signed in. */
  readonly roles: readonly Role[];
  readonly confidential: boolean;
  readonly authored: boolean;
  readonly assigned: boolean;
  readonly internal: boolean;
  readonly snippet: 'private' | 'internal' | 'public';
}

/** Any such world. */
export const WORLD: fc.Arbitrary<World> = fc.record({
  visibility: fc.constantFrom('private', 'internal', 'public'),
  levels: fc.record(
    Object.fromEntries(FEATURES.map((name) => [name, fc.constantFrom(...LEVELS)])) as Record<
      Feature,
      fc.Arbitrary<Level>
    >,
  ),
  roles: fc.array(fc.constantFrom(Role.None, Role.Guest, Role.Reporter, Role.Developer), {
    minLength: 2,
    maxLength: 2,
  }),
  confidential: fc.boolean(),
  authored: fc.boolean(),
  assigned: fc.boolean(),
  internal: fc.boolean(),
  snippet: fc.constantFrom('private', 'internal', 'public'),
});

/** A user without a private profile. */
export const OPEN_WORLD: World = {
  visibility: 'public',
  levels: {
    issues: 'enabled',
    repository: 'enabled',
    merge_requests: 'enabled',
    wiki: 'enabled',
    snippets: 'enabled',
  },
  roles: [Role.None, Role.None],
  confidential: false,
  authored: false,
  assigned: false,
  internal: false,
  snippet: 'public',
};

/** Its events. */
export const EVENTS: readonly (readonly [Subject, EventAction])[] = [
  ['project', 'created'],
  ['project', 'joined'],
  ['push', 'pushed'],
  ['issue', 'created'],
  ['mergeRequest', 'merged'],
  ['milestone', 'closed'],
  ['wikiPage', 'updated'],
  ['issueNote', 'commented'],
  ['mergeRequestNote', 'commented'],
  ['snippetNote', 'commented'],
  ['commitNote', 'commented'],
];

/** A second, plain implementation of the rules of `planning.md` 1.8. */
export function maySee(world: World, viewer: Viewer, role: Role, subject: Subject): boolean {
  const isOpen =
    world.visibility === 'public' ||
    (world.visibility === 'internal' && viewer.id !== null && viewer.external !== true);
  if (role < Role.Guest && !isOpen) return false;
  const has = (feature: Feature): boolean =>
    world.levels[feature] === 'enabled' || (world.levels[feature] === 'private' && role >= Role.Guest);
  const reads = role >= Role.Reporter || isOpen;
  const isReporter = role >= Role.Reporter;
  const isTheirs = viewer.name === 'first' && (world.authored || world.assigned);
  const issue = has('issues') && (isReporter || !world.confidential || isTheirs);
  const note = isReporter || !world.internal;
  const openSnippet =
    world.snippet === 'public' ||
    (world.snippet === 'internal' && viewer.id !== null && viewer.external !== true);
  switch (subject) {
    case 'push':
      return has('repository') && reads;
    case 'issue':
      return issue;
    case 'mergeRequest':
      return has('merge_requests') && reads;
    case 'milestone':
      return has('issues') || has('merge_requests');
    case 'wikiPage':
      return has('wiki');
    case 'issueNote':
      return issue && note;
    case 'mergeRequestNote':
      return has('merge_requests') && reads && note;
    case 'snippetNote':
      return has('snippets') && (openSnippet || role >= Role.Guest) && note;
    case 'commitNote':
      return has('repository') && reads && note;
    default:
      return true;
  }
}
