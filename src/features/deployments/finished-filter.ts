import { registerDecorator, type ValidationArguments } from 'class-validator';

/** Parameters that decide whether a filter by finishing time makes sense. */
interface FinishedFilters {
  readonly order_by?: string;
  readonly status?: string;
  readonly updated_after?: Date;
  readonly updated_before?: Date;
}

/** Tells why a filter by finishing time cannot be used with the other parameters, or null (`ci.md` 1.3). */
function problemOf(params: FinishedFilters): string | null {
  if (params.updated_after ?? params.updated_before)
    return 'Both `updated_at` filter and `finished_at` filter can not be specified';
  if (params.order_by !== 'finished_at') return '`finished_at` filter requires `finished_at` sort.';
  if (params.status !== 'success')
    return '`finished_at` filter must be combined with `success` status filter.';
  return null;
}

/** Marks a filter by finishing time: only successful deployments in the order of that time can be filtered so. */
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
