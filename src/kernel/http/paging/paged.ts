import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '../request.js';

const PAGED = Symbol('paged');

const RequestPage = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => requestOf(context).page,
);

/**
 * Parameter decorator for the requested page; pagination parameters are validated by the parameters guard.
 * With `ownKeyset` the list supports keyset pagination in its own order.
 */
export function Paged({ ownKeyset = false } = {}): ParameterDecorator {
  return (prototype, key, index) => {
    const handler = (prototype as Record<string, object>)[key as string] as object;
    Reflect.defineMetadata(PAGED, ownKeyset ? 'own keyset' : true, handler);
    RequestPage()(prototype, key, index);
  };
}

/** Whether a handler returns a page of a list. */
export const isPaged = (handler: object): boolean => Reflect.getMetadata(PAGED, handler) !== undefined;

/** Whether the list of a handler supports keyset pagination in its own order. */
export const hasOwnKeyset = (handler: object): boolean =>
  Reflect.getMetadata(PAGED, handler) === 'own keyset';
