import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';
import { CI_STATUSES, type CiStatus } from './job-status.js';

const KNOWN: ReadonlySet<unknown> = new Set(CI_STATUSES);

/**
 * Statuses to filter by in the forms of v4 clients: one text, an array (`scope[]=`) or a hash (`scope[0]=`);
 * without duplicates.
 */
export const StatusScope = (options: FieldOptions = {}): PropertyDecorator =>
  scalar(options, {
    coerce: (raw) => {
      const given = typeof raw === 'object' && raw !== null ? Object.values(raw) : [raw];
      if (given.length === 0 || (given.length === 1 && given[0] === '')) return [];
      return given.every((one): one is CiStatus => KNOWN.has(one))
        ? [...new Set(given)]
        : new Problem(texts.value);
    },
    check: (value) =>
      Array.isArray(value) && value.every((one) => KNOWN.has(one)) ? null : 'is not a scope',
    schema: () => ({ type: 'array', items: { type: 'string', enum: [...CI_STATUSES] } }),
  });
