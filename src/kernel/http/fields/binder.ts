import { validateSync } from 'class-validator';
import { ruledProperties } from '#kernel/libraries/validator-rules.js';
import { atLeastOneOf } from './at-least-one.js';
import {
  fieldsOf,
  NestedProblem,
  Problem,
  type FieldClass,
  type FieldOptions,
  type FieldSpec,
} from './field-spec.js';

/** Sources of parameters in this order: path, body, query. */
export type Source = Readonly<Record<string, unknown>>;

/**
 * The typed parameters, or the names of missing attributes in declared order and the problems of the others.
 */
export type Bound<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly missing: readonly string[];
      readonly problems: Readonly<Record<string, unknown>>;
    };

interface Plan {
  readonly fields: readonly FieldSpec[];
  /** Properties with class-validator rules beyond those of their fields; null if unknown. */
  readonly ruled: readonly string[] | null;
  /** The attribute to report as missing if none is given. */
  readonly atLeastOne: string | undefined;
}

const plans = new Map<FieldClass, Plan>();

function planOf(type: FieldClass): Plan {
  let plan = plans.get(type);
  if (!plan) {
    plan = {
      fields: fieldsOf(type),
      ruled: ruledProperties(type),
      atLeastOne: atLeastOneOf(type),
    };
    plans.set(type, plan);
  }
  return plan;
}

const isEmpty = (value: object): boolean => Object.values(value).every((one) => one === undefined);

function isMissed({ optional, unless, requiredWith }: FieldOptions, sources: readonly Source[]): boolean {
  const other = optional ? requiredWith : unless;
  const isOtherGiven = other !== undefined && lookUp(sources, other) !== undefined;
  return optional ? isOtherGiven : !isOtherGiven;
}

function lookUp(sources: readonly Source[], name: string): unknown {
  for (const source of sources) if (Object.hasOwn(source, name)) return source[name];
  return undefined;
}

/**
 * Converts raw parameters into an instance of `type` in one pass over its fields, by their decorators.
 * Unknown parameters are ignored. `path` is the name of the hash that is bound, empty at the top level.
 */
export function bind<T extends object>(type: FieldClass<T>, sources: readonly Source[], path = ''): Bound<T> {
  const { fields, ruled, atLeastOne } = planOf(type);
  const value = new type();
  let missing: string[] | undefined;
  let problems: Record<string, unknown> | undefined;
  for (const { name, property, options, coerce, onNull, blankIsNull } of fields) {
    const sent = lookUp(sources, name);
    const raw = sent === '' && blankIsNull ? null : sent === null && onNull === 'false' ? false : sent;
    const fullName = path === '' ? name : `${path}[${name}]`;
    if (raw === undefined) {
      if (isMissed(options, sources)) (missing ??= []).push(fullName);
      continue;
    }
    let result: unknown;
    if (raw === null) {
      if (options.nullable) result = null;
      else if (options.optional && onNull !== 'problem') continue;
      else result = coerce('', fullName);
    } else if (raw === '' && options.nullable && coerce('', fullName) instanceof Problem) {
      result = null;
    } else {
      result = coerce(raw, fullName);
    }
    if (result instanceof Problem) (problems ??= {})[name] = [result.text];
    else if (result instanceof NestedProblem) {
      missing = [...(missing ?? []), ...result.missing];
      const nested = result.problems;
      if (Object.keys(nested).length > 0)
        problems = { ...problems, ...(result.flat ? nested : { [name]: nested }) };
    } else (value as Record<string, unknown>)[property] = result;
  }
  if (atLeastOne && !missing && !problems && isEmpty(value)) missing = [atLeastOne];
  if (
    !missing &&
    (ruled?.some((property) => (value as Record<string, unknown>)[property] !== undefined) ?? true)
  )
    problems = applyRules(value, problems);
  return missing || problems
    ? { ok: false, missing: missing ?? [], problems: problems ?? {} }
    : { ok: true, value };
}

function applyRules(
  value: object,
  found: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  let problems = found;
  for (const error of validateSync(value, { skipMissingProperties: true, forbidUnknownValues: false })) {
    if (problems && Object.hasOwn(problems, error.property)) continue;
    (problems ??= {})[error.property] = Object.values(error.constraints ?? { invalid: 'is invalid' });
  }
  return problems;
}
