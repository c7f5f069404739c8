import { plainObjectOf, type PlainObject } from '#kernel/http/plain-object.js';
import { listOf, ownOf, textOf } from './json-values.js';
import { frameOf, type ShownFrame } from './shown-frame.js';

/** An exception with its stack trace, innermost call first. */
export interface ShownException {
  /** Null for a message without an exception, of which only the location is known. */
  readonly type: string | null;
  readonly value: string | null;
  readonly frames: readonly ShownFrame[];
}

/** A breadcrumb, which an application recorded before its error. */
export interface ShownBreadcrumb {
  readonly category: string | null;
  readonly level: string | null;
  readonly message: string | null;
}

/** An event as shown on its page. */
export interface ShownEvent {
  readonly message: string | null;
  /** The exception thrown last comes first, followed by its causes. */
  readonly exceptions: readonly ShownException[];
  /** Pairs of name and value. */
  readonly tags: readonly (readonly [string, string])[];
  /** User and context of the event, as pairs of name and value. */
  readonly facts: readonly (readonly [string, string])[];
  /** Last one first. */
  readonly breadcrumbs: readonly ShownBreadcrumb[];
}

const MAX_EXCEPTIONS = 20;
const MAX_FRAMES = 100;
const MAX_TAGS = 50;
const MAX_BREADCRUMBS = 50;

const NOTHING: ShownEvent = { message: null, exceptions: [], tags: [], facts: [], breadcrumbs: [] };

/** Parses the stored payload of an event, leaving out what it does not understand. */
export function readEvent(payload: string): ShownEvent {
  const event = plainObjectOf(parse(payload));
  if (!event) return NOTHING;
  return {
    message: messageOf(event),
    exceptions: exceptionsOf(event),
    tags: tagsOf(ownOf(event, 'tags')),
    facts: factsOf(event),
    breadcrumbs: listOf(ownOf(event, 'breadcrumbs'), MAX_BREADCRUMBS)
      .flatMap((value) => breadcrumbOf(plainObjectOf(value)))
      .reverse(),
  };
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

/** A message is a string, or an object with the text and its template. */
function messageOf(event: PlainObject): string | null {
  for (const value of [ownOf(event, 'logentry'), ownOf(event, 'message')]) {
    const entry = plainObjectOf(value);
    const text = entry
      ? (textOf(ownOf(entry, 'formatted')) ?? textOf(ownOf(entry, 'message')))
      : textOf(value);
    if (text !== null) return text;
  }
  return null;
}

/** Some SDKs send threads if there was no exception. */
function exceptionsOf(event: PlainObject): ShownException[] {
  const [thrown = [], threads = []] = ['exception', 'threads'].map((name) =>
    listOf(ownOf(event, name), MAX_EXCEPTIONS).flatMap((value) => exceptionOf(plainObjectOf(value))),
  );
  return thrown.length > 0 ? thrown.reverse() : threads.filter(({ frames }) => frames.length > 0);
}

function exceptionOf(value: PlainObject | null): ShownException[] {
  if (!value) return [];
  const frames = ownOf(plainObjectOf(ownOf(value, 'stacktrace')), 'frames');
  return [
    {
      type: textOf(ownOf(value, 'type'), 200),
      value: textOf(ownOf(value, 'value')),
      frames: listOf(frames, MAX_FRAMES)
        .flatMap((frame) => frameOf(plainObjectOf(frame)))
        .reverse(),
    },
  ];
}

/** Tags are an object or a list of pairs. */
function tagsOf(value: unknown): (readonly [string, string])[] {
  const pairs: unknown[] = Array.isArray(value) ? value : Object.entries(plainObjectOf(value) ?? {});
  return pairs.slice(0, MAX_TAGS).flatMap((pair) => {
    if (!Array.isArray(pair)) return [];
    const [name, text] = [textOf(pair[0], 100), textOf(pair[1], 300)];
    return name === null || text === null ? [] : [[name, text] as const];
  });
}

function factsOf(event: PlainObject): (readonly [string, string])[] {
  const user = plainObjectOf(ownOf(event, 'user'));
  const request = plainObjectOf(ownOf(event, 'request'));
  const sdk = plainObjectOf(ownOf(event, 'sdk'));
  const contexts = plainObjectOf(ownOf(event, 'contexts'));
  const named = (name: string): string | null =>
    joined(plainObjectOf(ownOf(contexts, name)), ['name', 'version']);
  const facts: (readonly [string, string | null])[] = [
    ['Transaction', textOf(ownOf(event, 'transaction'), 300)],
    ['Request', joined(request, ['method', 'url'])],
    [
      'User',
      ['id', 'username', 'email', 'ip_address'].map((name) => textOf(ownOf(user, name), 200)).find(Boolean) ??
        null,
    ],
    ['Server', textOf(ownOf(event, 'server_name'), 200)],
    ['Runtime', named('runtime') ?? named('browser')],
    ['Operating system', named('os')],
    ['SDK', joined(sdk, ['name', 'version'])],
  ];
  return facts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
}

function joined(object: PlainObject | null, names: readonly string[]): string | null {
  const texts = names.flatMap((name) => textOf(ownOf(object, name), 500) ?? []);
  return texts.length === 0 ? null : texts.join(' ');
}

function breadcrumbOf(value: PlainObject | null): ShownBreadcrumb[] {
  const category = textOf(ownOf(value, 'category'), 100);
  const message = textOf(ownOf(value, 'message'), 500);
  if (category === null && message === null) return [];
  return [{ category, level: textOf(ownOf(value, 'level'), 20), message }];
}
