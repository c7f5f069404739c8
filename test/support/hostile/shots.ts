import type { FieldSpec } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { senderOf } from './judge.js';
import { baseOf, fieldsIn, isRead, namesIn, pathOf, sparing } from './right-requests.js';
import { accepted, endsOf, HOSTILE_SEGMENTS, HOSTILE_VALUES } from './values.js';
import { partOf } from './world.js';

/** One request of the walk. */
export interface Shot {
  readonly what: string;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether only a refusal is correct. */
  readonly mustFail?: boolean;
  /** Whether it names an object of another owner. */
  readonly isForeign?: boolean;
}

const isId = (name: string): boolean => /(^|_)i?id$/.test(name);
/** A label or license may have any of these names. */
const isName = (name: string): boolean => ['label_id', 'managed_license_id'].includes(name);
/** Requests with everything wrong at once. */
const MIXTURES = 4;
const refusedKinds = (field: FieldSpec): string[] => {
  const taken = new Set(accepted(field).map(([kind]) => kind));
  return Object.keys(HOSTILE_VALUES).filter((kind) => !taken.has(kind));
};

/** Values that a route must refuse or handle. */
export class ShotPlan {
  private turn = 0;

  /** All requests for one route, one after another. */
  shotsFor(route: RouteDescription): Shot[] {
    const segments = this.segments(route);
    return isRepeated(route.path)
      ? segments.filter(({ isForeign }) => isForeign)
      : [...segments, ...refused(route), ...taken(route)];
  }

  /** Hostile parts of the path, one at a time. */
  private segments(route: RouteDescription): Shot[] {
    const params = baseOf(route);
    const names = namesIn(route);
    this.turn += 1;
    return names.flatMap((name) => {
      const foreign = partOf(route.path, name)?.foreign;
      const hostile = isSubject(route, name) ? HOSTILE_SEGMENTS.filter(hasTurn(this.turn)) : HOSTILE_SEGMENTS;
      return [...hostile, ...(foreign === undefined ? [] : [String(foreign)])].map((segment) => ({
        what: `:${name}=${segment.slice(0, 40)}`,
        path: pathOf(route, { [name]: segment }),
        params,
        isForeign: segment === String(foreign),
        mustFail:
          segment === String(foreign)
            ? isId(name) || senderOf(route) !== undefined
            : isId(name) && !isName(name),
      }));
    });
  }
}

/** Each parameter missing, then every kind of value that the fields refuse, all fields at once. */
function refused(route: RouteDescription): Shot[] {
  const fields = fieldsIn(route);
  const base = baseOf(route);
  const path = pathOf(route, sparing(route));
  const shots: Shot[] = fields
    .filter((field) => !field.options.optional)
    .map((field) => {
      const params = Object.fromEntries(Object.entries(base).filter(([name]) => name !== field.name));
      return { what: `without ${field.name}`, path, params, mustFail: true };
    });
  // `accepted` has passed every value to every field; a few combinations show that the response is correct.
  const kinds = fields.map((field) => refusedKinds(field));
  for (let round = 0; round < MIXTURES && fields.length > 0; round += 1) {
    const mixture = fields.map((field, index) => {
      const own = kinds[index] ?? [];
      return [field.name, HOSTILE_VALUES[own[(index * 7 + round * 11) % own.length] ?? 'deep']] as const;
    });
    shots.push({ what: `mixture ${round}`, path, params: { ...base, ...Object.fromEntries(mixture) } });
  }
  const texts = fields.filter((field) => field.schema()['type'] === 'string');
  if (texts.length > 0 && !isRead(route.method)) {
    const long = 'x'.repeat(1_100_000);
    const params = { ...base, ...Object.fromEntries(texts.map((field) => [field.name, long])) };
    // If the body is a file, any text is one.
    shots.push({ what: '1 MB texts', path, params, mustFail: !route.rawBody });
  }
  return shots;
}

/** The values that the fields accept, one at a time. */
function taken(route: RouteDescription): Shot[] {
  const base = baseOf(route);
  const path = pathOf(route, sparing(route));
  const fields = fieldsIn(route);
  return fields.flatMap((field, index) =>
    spread(accepted(field), index, makesCommits(route) ? MANY_FIELDS : fields.length).map(
      ([kind, value]) => ({
        what: `${kind} in ${field.name}`,
        path,
        params: { ...base, [field.name]: value },
      }),
    ),
  );
}

/** Both ends of every number and time range of a route, and the values just beyond, one at a time. */
export function endShots(route: RouteDescription): Shot[] {
  const [base, path] = [baseOf(route), pathOf(route, sparing(route))];
  return fieldsIn(route).flatMap((field) =>
    endsOf(field).map((value) => ({
      what: `${JSON.stringify(value)} in ${field.name}`,
      path,
      params: { ...base, [field.name]: value },
    })),
  );
}

/**
 * The same handlers were already walked: on issues, and under the other path of epics. Only the objects
 * differ.
 */
const isRepeated = (path: string): boolean =>
  path.includes('/-/epics') ||
  /\/(merge_requests|snippets|epics)\/.*\/(notes|discussions|award_emoji)\b/.test(path);

/** Whether a part of the path names the project or group: one guard reads it, for all routes. */
const isSubject = ({ rule }: RouteDescription, name: string): boolean =>
  name === (rule?.from ?? 'id') && (rule?.project !== undefined || rule?.group !== undefined);

/** Routes that share the parser of a part take turns with its values (WALK_ALL=1: each uses all of them). */
const hasTurn =
  (turn: number) =>
  (_value: unknown, at: number): boolean =>
    process.env['WALK_ALL'] === '1' || (at + turn) % 5 === 0;

/** Kinds that have broken columns and indexes before. */
const NOTORIOUS = new Set([
  'null',
  'empty',
  'int4 overflow',
  'safe integer',
  'long index key',
  'option',
  'first day',
]);

/** Classes with that many fields get the smallest part of the values. */
const MANY_FIELDS = 15;

/** Each accepted request starts a dozen processes. */
const makesCommits = ({ method, path }: RouteDescription): boolean =>
  !isRead(method) && /\/(wikis|snippets|repository)\b/.test(path);

/** Large classes have many fields of a kind: each gets a part of the values (WALK_ALL=1: all of them). */
function spread(values: [string, unknown][], index: number, fields: number): [string, unknown][] {
  if (fields < 5 || process.env['WALK_ALL'] === '1') return values;
  const share = fields < MANY_FIELDS ? 3 : 12;
  const isHuge = fields > 2 * MANY_FIELDS;
  return values.filter(
    ([kind], at) =>
      (NOTORIOUS.has(kind) && (!isHuge || (at + index) % 3 === 0)) || (at + index) % share === 0,
  );
}
