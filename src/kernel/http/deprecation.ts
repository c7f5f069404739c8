import type { Response } from 'express';
import type { Source } from './fields/binder.js';
import { fieldsOf, type DeprecationNotice, type FieldClass } from './fields/field-spec.js';

/** `Deprecation: @<seconds>` (RFC 9745) and `Sunset: <HTTP date>` (RFC 8594); the earliest notice wins. */
function mark(response: Response, { since, sunset }: DeprecationNotice): void {
  if (response.hasHeader('Deprecation')) return;
  response.setHeader('Deprecation', `@${Math.floor(Date.parse(since) / 1000)}`);
  response.setHeader('Sunset', new Date(sunset).toUTCString());
}

const deprecatedFields = new Map<FieldClass, ReturnType<typeof fieldsOf>>();

function deprecatedOf(type: FieldClass): ReturnType<typeof fieldsOf> {
  let fields = deprecatedFields.get(type);
  if (!fields) {
    fields = fieldsOf(type).filter((field) => field.options.deprecated);
    deprecatedFields.set(type, fields);
  }
  return fields;
}

/** Marks the answer when the request uses an argument, or a value of one, that is on its way out (`api-v4.md` 9). */
export function markDeprecatedArguments(
  response: Response,
  params: FieldClass,
  sources: readonly Source[],
): void {
  for (const { name, options } of deprecatedOf(params)) {
    const source = sources.find((one) => Object.hasOwn(one, name));
    if (!source || !options.deprecated) continue;
    if (options.deprecated.when?.(source[name]) ?? true) mark(response, options.deprecated);
  }
}

/** Marks the answer when its record carries a field that is on its way out. */
export function markDeprecatedRecord(response: Response, record: FieldClass): void {
  const [field] = deprecatedOf(record);
  if (field?.options.deprecated) mark(response, field.options.deprecated);
}
