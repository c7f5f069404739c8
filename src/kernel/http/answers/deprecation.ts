import { SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import type { Source } from '../fields/binder.js';
import { fieldsOf, type DeprecationNotice, type FieldClass, type FieldSpec } from '../fields/field-spec.js';

const DEPRECATED = 'forgeplane:deprecated';

/** Declares that a whole route is deprecated. */
export const Deprecated = (notice: DeprecationNotice): MethodDecorator => SetMetadata(DEPRECATED, notice);

/** Returns the notice that a handler declares by `@Deprecated`. */
export const deprecationOf = (handler: object): DeprecationNotice | undefined =>
  Reflect.getMetadata(DEPRECATED, handler) as DeprecationNotice | undefined;

/** Marks the answer: `Deprecation: @<seconds>` (RFC 9745) and `Sunset: <HTTP date>` (RFC 8594). */
export function markDeprecated(response: Response, { since, sunset }: DeprecationNotice): void {
  if (response.hasHeader('Deprecation')) return;
  response.setHeader('Deprecation', `@${Math.floor(Date.parse(since) / 1000)}`);
  response.setHeader('Sunset', new Date(sunset).toUTCString());
}

/** The deprecated fields of a class, and the nested classes to search for more. */
interface Deprecations {
  readonly fields: readonly FieldSpec[];
  readonly nested: readonly (readonly [name: string, FieldClass])[];
}

const known = new Map<FieldClass, Deprecations>();

function deprecationsIn(type: FieldClass): Deprecations {
  let found = known.get(type);
  if (!found) {
    // Cache the entry before it is complete, because a record may contain records of its own class.
    const nested: (readonly [string, FieldClass])[] = [];
    const fields = fieldsOf(type);
    found = { fields: fields.filter(({ options }) => options.deprecated), nested };
    known.set(type, found);
    for (const field of fields) if (field.nested) nested.push([field.name, field.nested()]);
  }
  return found;
}

/** Marks the answer if the request uses a deprecated argument or value (`api-v4.md` 9). */
export function markDeprecatedArguments(
  response: Response,
  params: FieldClass,
  sources: readonly Source[],
): void {
  const { fields, nested } = deprecationsIn(params);
  for (const { name, options } of fields) {
    const source = sources.find((one) => Object.hasOwn(one, name));
    if (!source || !options.deprecated) continue;
    if (options.deprecated.when?.(source[name]) ?? true) markDeprecated(response, options.deprecated);
  }
  for (const [name, type] of nested) {
    const given = sources.find((one) => Object.hasOwn(one, name))?.[name];
    for (const hash of Array.isArray(given) ? (given as unknown[]) : [given])
      if (typeof hash === 'object' && hash !== null)
        markDeprecatedArguments(response, type, [hash as Source]);
  }
}

const notices = new Map<FieldClass, DeprecationNotice | null>();

/** Returns the earliest notice of a route and the records in its response. */
export function noticeOfRoute(handler: object, record: FieldClass | null): DeprecationNotice | null {
  return earliest([deprecationOf(handler), record ? noticeOf(record) : null]);
}

const earliest = (all: readonly (DeprecationNotice | null | undefined)[]): DeprecationNotice | null =>
  all.flatMap((one) => one ?? []).sort((a, b) => Date.parse(a.since) - Date.parse(b.since))[0] ?? null;

/** Returns the earliest notice of a record and all records in it. */
function noticeOf(record: FieldClass): DeprecationNotice | null {
  let notice = notices.get(record);
  if (notice === undefined) {
    const all = new Set<FieldClass>([record]);
    for (const type of all) for (const [, nested] of deprecationsIn(type).nested) all.add(nested);
    const fields = [...all].flatMap((type) => deprecationsIn(type).fields);
    notice = earliest(fields.map(({ options }) => options.deprecated));
    notices.set(record, notice);
  }
  return notice;
}
