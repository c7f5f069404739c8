import { bind } from '#kernel/http/fields/binder.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Integer, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { invalid } from '#kernel/http/errors.js';
import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';

/** Plans of licenses; `starter` is the same as `free`. */
export const LICENSE_PLANS = ['starter', 'premium', 'ultimate'] as const;

/** Name of a license plan. */
export type LicensePlan = (typeof LICENSE_PLANS)[number];

/** The holder of a license. */
export class Licensee {
  @Text({ maxLength: 255 })
  Name!: string;

  @Text({ maxLength: 255, blank: true })
  Company!: string;

  @Text({ maxLength: 255, matches: /^[^\s@]+@[^\s@]+$/ })
  Email!: string;
}

/** Content of a license: base64 of JSON with exactly these keys. */
export class LicenseContent {
  @OneOf(LICENSE_PLANS)
  plan!: LicensePlan;

  @Nested(() => Licensee)
  licensee!: Licensee;

  @IsoDate()
  starts_at!: string;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;

  @Integer({ optional: true, min: 0, max: 2_147_483_647 })
  user_limit?: number;
}

const refuse = (...texts: readonly string[]): Error => invalid({ license: texts });

/** Parses a license. @throws 400 with all its problems */
export function readLicense(text: string, today: string): LicenseContent {
  const given = decode(text);
  const bound = bind(LicenseContent, [given]);
  if (!bound.ok) {
    const problems = Object.entries(bound.problems).flatMap(([name, problem]) => sentences(name, problem));
    throw refuse(...bound.missing.map((name) => `${name} is missing`), ...problems);
  }
  const unknown = unknownKeys(given);
  if (unknown.length > 0) throw refuse(...unknown.map((name) => `${name} is not known`));
  const { value } = bound;
  const end = value.expires_at ?? null;
  if (end !== null && end <= value.starts_at) throw refuse('expires_at must be after starts_at');
  if (end !== null && end <= today) throw refuse('has already expired');
  return value;
}

function decode(text: string): PlainObject {
  const compact = text.replace(/\s+/g, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(compact) && compact.length % 4 === 0;
  if (!isBase64) throw refuse('is invalid');
  try {
    const given: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64')),
    );
    if (isPlainObject(given)) return given;
  } catch {
    // Not JSON: reported like any other invalid license.
  }
  throw refuse('is invalid');
}

function unknownKeys(given: Readonly<Record<string, unknown>>): string[] {
  const names = (type: typeof LicenseContent | typeof Licensee): string[] =>
    fieldsOf(type).map((field) => field.name);
  const licensee = given['licensee'] as Record<string, unknown>;
  return [
    ...Object.keys(given).filter((name) => !names(LicenseContent).includes(name)),
    ...Object.keys(licensee)
      .filter((name) => !names(Licensee).includes(name))
      .map((name) => `licensee[${name}]`),
  ];
}

function sentences(name: string, problem: unknown): string[] {
  if (Array.isArray(problem)) return problem.map((text) => `${name} ${String(text)}`);
  return Object.entries(problem as Record<string, unknown>).flatMap(([key, inner]) =>
    sentences(`${name}[${key}]`, inner),
  );
}
