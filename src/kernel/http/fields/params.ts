import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FieldClass } from './field-spec.js';
import { requestOf } from '../request.js';

const PARAMS = Symbol('params');

const BoundParams = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => requestOf(context).bound,
);

/**
 * Parameter decorator for the parameters: query, body and path merged, coerced and validated by the
 * parameters guard according to the class of the argument. The class must be imported as a value (`import
 * type` erases it), or the start fails.
 */
export function Params(): ParameterDecorator {
  return (prototype, key, index) => {
    const types = Reflect.getMetadata('design:paramtypes', prototype, key as string) as unknown[] | undefined;
    const type = types?.[index];
    if (typeof type !== 'function' || type === Object || type === Function) {
      throw new Error(
        `@Params() of ${prototype.constructor.name}.${String(key)} needs a class that is imported as a value`,
      );
    }
    const handler = (prototype as Record<string, object>)[key as string] as object;
    Reflect.defineMetadata(PARAMS, type, handler);
    BoundParams()(prototype, key, index);
  };
}

/** The parameter class of a handler, if it has one. */
export const paramsOf = (handler: object): FieldClass | undefined =>
  Reflect.getMetadata(PARAMS, handler) as FieldClass | undefined;
