import 'reflect-metadata';

/** A class whose fields carry field decorators. */
export type FieldClass<T extends object = object> = new () => T;

/** JSON Schema fragment of one field, as OpenAPI 3.1 wants it. */
export type FieldSchema = Readonly<Record<string, unknown>>;

/** When a field is on its way out: both dates go into the answer's `Deprecation` and `Sunset` headers. */
export interface DeprecationNotice {
  readonly since: string;
  readonly sunset: string;
  /** For arguments of which only some values are deprecated: tells whether the given raw value is. */
  readonly when?: (raw: unknown) => boolean;
}

/** Options common to every field decorator. */
export interface FieldOptions {
  /** The attribute may be missing; without it a missing attribute is answered with 400. */
  readonly optional?: boolean;
  /** The attribute may also be missing where this other one is given. */
  readonly unless?: string;
  /** An optional attribute that may not be missing where this other one is given. */
  readonly requiredWith?: string;
  /** A JSON null is a value of its own (parameters), or may be answered (records). */
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Name on the wire when it is not the property's. */
  readonly as?: string;
  readonly deprecated?: DeprecationNotice;
}

/** Whether a request without the attribute is refused, whatever else it has. */
export const isRequired = ({ optional, unless }: FieldOptions): boolean => !optional && unless === undefined;

/** What a coercion says of a value that it does not take. */
export class Problem {
  constructor(readonly text: string) {}
}

/** Problems found inside a hash or an array of hashes, or attributes missing in it. */
export class NestedProblem {
  constructor(
    readonly missing: readonly string[],
    readonly problems: Readonly<Record<string, unknown>>,
    /** The keys of an array of hashes name its items, so they stand beside the attribute, not below it. */
    readonly flat: boolean,
  ) {}
}

/** One value on its way in: the coerced value, or what is wrong with it. */
export type Coerced = unknown;

/** Everything that one decorator says about one field. */
export interface FieldSpec {
  readonly property: string;
  readonly name: string;
  readonly options: FieldOptions;
  /** Takes a raw parameter (never undefined or null) to its typed value, or to a Problem. */
  readonly coerce: (raw: unknown, path: string) => Coerced;
  /** Tells why a value is not what the record promises, or null. */
  readonly check: (value: unknown, path: string) => string | null;
  readonly schema: () => FieldSchema;
  /** What null means for an optional parameter that is not nullable: most are treated as missing. For booleans it is false, nullable or not. */
  readonly onNull?: 'missing' | 'problem' | 'false';
  /** Whether a blank text is no value of the type: it then counts as null, as v4 clients send it for "none". */
  readonly blankIsNull?: true;
  readonly nested?: () => FieldClass;
  /** The value is a file of a multipart body, of which so many bytes are taken. */
  readonly file?: { readonly maxBytes: number };
}

const FIELDS = Symbol('fields');

/** The fields of a class in the order of their declaration, inherited ones first. */
export function fieldsOf(target: FieldClass): readonly FieldSpec[] {
  const own = (Reflect.getOwnMetadata(FIELDS, target.prototype as object) ?? []) as FieldSpec[];
  const parent = Object.getPrototypeOf(target) as FieldClass | null;
  const inherited = parent && parent !== Function.prototype ? fieldsOf(parent) : [];
  const names = new Set(own.map((field) => field.property));
  return [...inherited.filter((field) => !names.has(field.property)), ...own];
}

/** Makes a property decorator out of a field specification. */
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
