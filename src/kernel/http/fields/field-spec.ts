import 'reflect-metadata';

/** A class whose fields have field decorators. */
export type FieldClass<T extends object = object> = new () => T;

/** JSON Schema fragment of one field in OpenAPI 3.1. */
export type FieldSchema = Readonly<Record<string, unknown>>;

/** Deprecation of a field: both dates are sent in the `Deprecation` and `Sunset` headers. */
export interface DeprecationNotice {
  readonly since: string;
  readonly sunset: string;
  /** For arguments of which only some values are deprecated: whether the given raw value is. */
  readonly when?: (raw: unknown) => boolean;
}

/** Options common to every field decorator. */
export interface FieldOptions {
  /** The attribute may be missing; otherwise a missing attribute results in 400. */
  readonly optional?: boolean;
  /** The attribute may also be missing if this other one is given. */
  readonly unless?: string;
  /** An optional attribute that is required if this other one is given. */
  readonly requiredWith?: string;
  /** JSON null is a value of its own (parameters), or may be returned (records). */
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Name in requests and responses if it differs from that of the property. */
  readonly as?: string;
  readonly deprecated?: DeprecationNotice;
}

/** Whether a request without the attribute is rejected, regardless of what else it contains. */
export const isRequired = ({ optional, unless }: FieldOptions): boolean => !optional && unless === undefined;

/** What is wrong with a value that a coercion rejects. */
export class Problem {
  constructor(readonly text: string) {}
}

/** Problems inside a hash or an array of hashes, or attributes missing in it. */
export class NestedProblem {
  constructor(
    readonly missing: readonly string[],
    readonly problems: Readonly<Record<string, unknown>>,
    /** The keys of an array of hashes name its items, so they are next to the attribute, not below it. */
    readonly flat: boolean,
  ) {}
}

/** An input value: the coerced value, or what is wrong with it. */
export type Coerced = unknown;

/** Everything that a decorator declares about a field. */
export interface FieldSpec {
  readonly property: string;
  readonly name: string;
  readonly options: FieldOptions;
  /** Converts a raw parameter (never undefined or null) to its typed value, or to a Problem. */
  readonly coerce: (raw: unknown, path: string) => Coerced;
  /** Returns why a value is not what the record promises, or null. */
  readonly check: (value: unknown, path: string) => string | null;
  readonly schema: () => FieldSchema;
  /**
   * Meaning of null for an optional parameter that is not nullable: usually missing. For booleans it is
   * false, nullable or not.
   */
  readonly onNull?: 'missing' | 'problem' | 'false';
  /**
   * Whether a blank string is not a valid value of the type: it then counts as null, as v4 clients send it
   * for "none".
   */
  readonly blankIsNull?: true;
  readonly nested?: () => FieldClass;
  /** The value is a file of a multipart body, with this size limit. */
  readonly file?: { readonly maxBytes: number };
}

const FIELDS = Symbol('fields');

/** Returns the fields of a class in order of declaration, inherited ones first. */
export function fieldsOf(target: FieldClass): readonly FieldSpec[] {
  const own = (Reflect.getOwnMetadata(FIELDS, target.prototype as object) ?? []) as FieldSpec[];
  const parent = Object.getPrototypeOf(target) as FieldClass | null;
  const inherited = parent && parent !== Function.prototype ? fieldsOf(parent) : [];
  const names = new Set(own.map((field) => field.property));
  return [...inherited.filter((field) => !names.has(field.property)), ...own];
}

/** Creates a property decorator from a field specification. */
export function field(
  make: (property: string, name: string) => FieldSpec,
  options: FieldOptions,
): PropertyDecorator {
  return (prototype, property) => {
    const own = (Reflect.getOwnMetadata(FIELDS, prototype) ?? []) as FieldSpec[];
    const name = String(property);
    Reflect.defineMetadata(FIELDS, [...own, make(name, options.as ?? name)], prototype);
  };
}
