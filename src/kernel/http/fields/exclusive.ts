import { registerDecorator, type ValidationArguments } from 'class-validator';

/** Rejects a parameter that is sent together with any of the named ones (`auth-core.md` 5.1). */
export function ExclusiveWith(
  others: readonly string[],
  message = 'is mutually exclusive with',
): PropertyDecorator {
  const sent = ({ object }: ValidationArguments): string[] =>
    others.filter((name) => (object as Record<string, unknown>)[name] !== undefined);
  return (prototype, property) =>
    registerDecorator({
      name: 'exclusiveWith',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: (value, context) => value === undefined || !context || sent(context).length === 0,
        defaultMessage: (context) => `${message} ${context ? sent(context).join(', ') : ''}`,
      },
    });
}
