import { registerDecorator, type ValidationArguments } from 'class-validator';

/** Parameters on which the filter by finishing time depends. */
interface FinishedFilters {
  readonly order_by?: string;
  readonly status?: string;
  readonly updated_after?: Date;
  readonly updated_before?: Date;
}

/**
 * Returns why the filter by finishing time cannot be combined with the other parameters, or null (`ci.md`
 * 1.3).
 */
function problemOf(params: FinishedFilters): string | null {
  if (params.updated_after ?? params.updated_before)
    return 'Both `updated_at` filter and `finished_at` filter can not be specified';
  if (params.order_by !== 'finished_at') return '`finished_at` filter requires `finished_at` sort.';
  if (params.status !== 'success')
    return '`finished_at` filter must be combined with `success` status filter.';
  return null;
}

/** A filter by finishing time: only for successful deployments ordered by that time. */
export function FinishedFilter(): PropertyDecorator {
  const problem = (context: ValidationArguments | undefined): string | null =>
    context ? problemOf(context.object) : null;
  return (prototype, property) =>
    registerDecorator({
      name: 'finishedFilter',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: (value, context) => value === undefined || problem(context) === null,
        defaultMessage: (context) => problem(context) ?? '',
      },
    });
}
