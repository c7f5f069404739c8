import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { OperationWords } from '#kernel/openapi/document-texts.js';
import { EXPLICIT_WORDS } from './explicit-words.js';
import { ADDED, CLEAR, actionOf, nounOf, singleObjectOf, type Noun } from './nouns.js';

/** An object in a path: a project, one of its issues. */
interface Step {
  readonly segment: string;
  readonly noun: Noun;
  readonly isOne: boolean;
}

type Asked = Pick<RouteDescription, 'method' | 'path'> & { readonly isList: boolean };

/** Key of a route in the table of explicit names: `GET /projects/{id}/issues`. */
const keyOf = ({ method, path }: Asked): string =>
  `${method} ${path.replace(/^\/api\/v4/, '').replace(/[:*](\w+)/g, '{$1}')}`;

const article = (word: string): string => (/^(?:[aeio]|SSH|un)/i.test(word) ? `an ${word}` : `a ${word}`);

const pascal = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * Converts words for use within a name: `SSH key` as `sshKey` would be wrong there, `listSshKeys` is right.
 */
const named = (words: string): string =>
  pascal(words.replace('SSH', 'ssh').replace('OAuth', 'oauth').replace('CI/CD ', ''));

function stepsOf(path: string): Step[] {
  const segments = path
    .replace(/^\/api\/v4/, '')
    .split('/')
    .filter((one) => one !== '' && one !== '-');
  const steps: Step[] = [];
  for (const [index, segment] of segments.entries()) {
    if (/^[:*]/.test(segment)) continue;
    steps.push({ segment, noun: nounOf(segment), isOne: /^[:*]/.test(segments[index + 1] ?? '') });
  }
  return steps;
}

/**
 * Returns the owners of the object of a path, nearest first, if they are needed to distinguish it from
 * others.
 */
function ownersOf(steps: readonly Step[]): Step[] {
  const found: Step[] = [];
  for (const step of steps.filter(({ isOne }) => isOne).reverse()) {
    found.push(step);
    if (CLEAR.has(step.noun.one)) break;
  }
  return found;
}

/** Describes the owners: "of a note on an issue". */
const ofOwners = (owners: readonly Step[], to: string): string =>
  owners
    .map(
      ({ noun }, index) => ` ${index === 0 ? to : (owners[index - 1] as Step).noun.to} ${article(noun.one)}`,
    )
    .join('');

/** What is created for a project or group rather than in it. */
const MADE_FOR = /token$|key$|rule$|period$|integration$/;

/**
 * Returns the preposition and the owner: objects are created in a project, for an alert, or added to a group;
 * afterwards they are "of" it.
 */
function prepositionOf(verb: string, { one, to }: Noun, [owner]: readonly Step[]): string {
  if (owner?.noun.one === 'discussion') return 'in';
  if (to !== 'of') return to;
  if (verb === 'Add') return 'to';
  if (verb === 'Remove') return 'from';
  if (verb !== 'Create') return to;
  return owner && /^(?:project|group)$/.test(owner.noun.one) && !MADE_FOR.test(one) ? 'in' : 'for';
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'Get',
  HEAD: 'Check for',
  POST: 'Create',
  PUT: 'Update',
  PATCH: 'Update',
  DELETE: 'Delete',
};

/**
 * Verbs for the protection of branches, tags and environments: the protection is added and removed, its
 * object stays.
 */
const PROTECTION: Readonly<Record<string, string>> = {
  Create: 'Protect',
  Delete: 'Unprotect',
  Get: 'Get the protection of',
  Update: 'Update the protection of',
};

function summaryOfOne(verb: string, noun: Noun, owners: readonly Step[]): string {
  const [, kept] = /^protected (.+)$/.exec(noun.one) ?? [];
  if (kept !== undefined) return `${PROTECTION[verb] ?? verb} ${article(kept)}${ofOwners(owners, 'of')}`;
  return `${verb} ${article(noun.one)}${ofOwners(owners, prepositionOf(verb, noun, owners))}`;
}

const idOf = (verb: string, owners: readonly Step[], rest: string): string => {
  const [first = '', ...words] = verb.split(' ');
  const chain = [...owners].reverse().map(({ noun }) => named(noun.one));
  return `${first.toLowerCase()}${words.map(pascal).join('')}${chain.join('')}${named(rest)}`;
};

/**
 * Returns the name of an operation by its method and path, if the table of explicit names does not contain
 * it.
 */
export function wordsOfOperation(asked: Asked): OperationWords {
  const explicit = EXPLICIT_WORDS[keyOf(asked)];
  if (explicit) return { id: explicit[0], summary: explicit[1] };
  const { id, summary } = generated(asked);
  // Epics have a second path, for clients that derive their URLs from those of pages.
  return asked.path.includes('/-/')
    ? { id: `${id}ByPagePath`, summary: `${summary}, by the path of its page` }
    : { id, summary };
}

function generated({ method, path, isList }: Asked): OperationWords {
  const steps = stepsOf(path);
  const last = steps.at(-1);
  if (!last) return { id: 'getRoot', summary: 'Get the root' };
  const verb = VERBS[method] ?? method;
  const before = steps.slice(0, -1);
  const action = last.isOne || method === 'GET' ? undefined : actionOf(last.segment);
  if (action) return wordsOfAction(action, last.segment, before);
  const { noun } = last;
  const owners = ownersOf(before);
  const object = last.isOne ? undefined : singleObjectOf(last.segment);
  if (object !== undefined)
    return {
      id: idOf(verb === 'Create' ? 'Set' : verb, owners, last.segment),
      summary: `${verb === 'Create' ? 'Set' : verb} the ${object}${ofOwners(owners, 'of')}`,
    };
  const made = verb === 'Create' && ADDED.has(last.segment) ? 'Add' : verb;
  const removed = verb === 'Delete' && last.segment === 'members' ? 'Remove' : made;
  if (last.isOne || !(method === 'GET' && isList))
    return { id: idOf(removed, owners, noun.one), summary: summaryOfOne(removed, noun, owners) };
  return {
    id: idOf('list', owners, noun.many),
    summary: `List the ${noun.many}${ofOwners(owners, noun.to)}`,
  };
}

/** Returns the name of an operation whose path ends in a verb. */
function wordsOfAction(
  [before, after]: readonly [string, string?],
  segment: string,
  steps: readonly Step[],
): OperationWords {
  const last = steps.at(-1);
  if (!last) return { id: pascal(segment), summary: before };
  const owners = CLEAR.has(last.noun.one) ? [] : ownersOf(steps.slice(0, -1));
  const what = last.isOne ? article(last.noun.one) : `the ${last.noun.many}`;
  const [verb = '', ...rest] = segment.split('_');
  const chain = [...owners].reverse().map(({ noun }) => named(noun.one));
  return {
    id: `${verb}${chain.join('')}${named(last.noun.one)}${rest.map(pascal).join('')}`,
    summary: `${before} ${what}${ofOwners(owners, last.noun.to)}${after ? ` ${after}` : ''}`,
  };
}
