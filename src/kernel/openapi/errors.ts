import type { RouteDescription } from '#kernel/http/route-list.js';
import type { Schema } from './schemas.js';

/** The shapes of `api-v4.md` 7.2 and `decisions.md` 2. */
export const errorSchemas: Record<string, Schema> = {
  ErrorMessage: {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
    examples: [{ message: '404 Project Not Found' }],
  },
  ValidationError: {
    type: 'object',
    properties: {
      message: {
        anyOf: [
          { type: 'string', examples: ['400 (Bad request) "name" not given'] },
          { type: 'object', examples: [{ name: ['is too long (maximum is 255 characters)'] }] },
        ],
      },
    },
    required: ['message'],
  },
  TextError: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
  Refusal: {
    type: 'object',
    properties: {
      message: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
    required: ['message'],
    examples: [{ message: '409 Conflict' }],
  },
  TokenError: {
    type: 'object',
    properties: {
      error: { type: 'string' },
      error_description: { type: 'string' },
      scope: { type: 'string' },
    },
    required: ['error', 'error_description'],
    examples: [
      {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api read_api',
      },
    ],
  },
};

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const answer = (description: string, ...names: string[]): Schema => ({
  description,
  content: {
    'application/json': { schema: names.length === 1 ? ref(names[0] as string) : { anyOf: names.map(ref) } },
  },
});

/** An answer that a route declares; that nothing is modified is told without a body. */
const refusal = (status: string, why: string): Schema =>
  status === '304' ? { description: why } : answer(why, 'Refusal');

/** The failures that the rule and the parameters of a route make possible. */
export function errorResponses({
  rule,
  params,
  isPaged,
  method,
  answer: success,
  refusals,
}: RouteDescription): Schema {
  return {
    ...(method === 'GET' && success?.record ? { 304: { description: 'As If-None-Match has it' } } : {}),
    ...(rule?.credential === 'oauth' ? { 400: answer('The request is refused', 'TokenError') } : {}),
    ...(params || isPaged ? { 400: answer('A parameter is missing or invalid', 'ValidationError') } : {}),
    401: answer('No credential, or one that is not valid', 'ErrorMessage', 'TokenError'),
    403: answer('The caller lacks the right, the scope or the plan', 'ErrorMessage', 'TokenError'),
    404: answer('Not there, or not visible to the caller', 'ErrorMessage'),
    ...(isPaged
      ? {
          405: answer(
            'The offset is too large, or the list has no keyset pagination by this order',
            'TextError',
          ),
        }
      : {}),
    412: answer('Another state than If-Match or If-Unmodified-Since ask for', 'ErrorMessage'),
    429: answer('Too many requests', 'ErrorMessage'),
    503: answer('Overloaded; try again after Retry-After', 'ErrorMessage'),
    ...Object.fromEntries(Object.entries(refusals).map(([status, why]) => [status, refusal(status, why)])),
  };
}
