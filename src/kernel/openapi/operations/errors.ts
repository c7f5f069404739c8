import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { Schema } from '../components/schemas.js';

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

/** A failure response, and the routes whose rule, parameters or kind make it possible. */
interface Failure {
  readonly status: number;
  readonly response: Schema;
  readonly of: (route: RouteDescription) => boolean;
}

const every = (): boolean => true;
const isOauth = ({ rule }: RouteDescription): boolean => rule?.credential === 'oauth';
const isRead = ({ method }: RouteDescription): boolean => method === 'GET' || method === 'HEAD';
const isOfProject = ({ rule }: RouteDescription): boolean => rule?.project !== undefined;
const mayHaveTag = ({ answer: success }: RouteDescription): boolean =>
  !success || success.record !== null || success.file !== undefined;
const isRanged = ({ answer: success }: RouteDescription): boolean => success?.file?.isRanged === true;
const isLarge = ({ answer: success }: RouteDescription): boolean => success?.list === true;

/** Failures by the name of their component. Of two with the same status the later one applies. */
const FAILURES: Readonly<Record<string, Failure>> = {
  Moved: {
    status: 301,
    response: { description: 'The project has a new path, or the location uses its id' },
    of: (route) => isOfProject(route) && isRead(route),
  },
  LedElsewhere: {
    status: 302,
    response: { description: 'Redirect to the sign-in, the next page or the application' },
    of: ({ rule }) => rule?.page !== undefined,
  },
  NotModified: {
    status: 304,
    response: { description: 'Not modified since the state in If-None-Match' },
    of: (route) => isRead(route) && mayHaveTag(route),
  },
  BadRequest: {
    status: 400,
    response: answer(
      'A parameter is missing or invalid, or the request cannot be read',
      'ValidationError',
      'TokenError',
    ),
    of: every,
  },
  RefusedByOauth: { status: 400, response: answer('The request is refused', 'TokenError'), of: isOauth },
  Unauthorized: {
    status: 401,
    response: answer('No credential, or one that is not valid', 'ErrorMessage', 'TokenError'),
    of: every,
  },
  Forbidden: {
    status: 403,
    response: answer('The caller lacks the right, the scope or the plan', 'ErrorMessage', 'TokenError'),
    of: every,
  },
  NotFound: {
    status: 404,
    response: answer('It does not exist, or is not visible to the caller', 'ErrorMessage'),
    of: every,
  },
  MovedMeanwhile: {
    status: 405,
    response: answer('The project has a new path; only read requests are redirected', 'ErrorMessage'),
    of: (route) => isOfProject(route) && !isRead(route),
  },
  NoSuchPage: {
    status: 405,
    response: answer(
      'The offset is too large, or the list has no keyset pagination by this order',
      'TextError',
    ),
    of: ({ isPaged }) => isPaged,
  },
  NotAcceptable: {
    status: 406,
    response: answer('`format` asks for what is not JSON', 'TextError'),
    of: ({ path }) => path.startsWith('/api/'),
  },
  RequestTimeout: {
    status: 408,
    response: answer('The body did not arrive in time', 'ErrorMessage'),
    of: (route) => !isRead(route),
  },
  Conflict: {
    status: 409,
    response: answer('It already exists, or was changed in the meantime', 'Refusal'),
    of: (route) => !isRead(route) && route.rule?.credential === undefined,
  },
  PreconditionFailed: {
    status: 412,
    response: answer('The state does not match If-Match or If-Unmodified-Since', 'ErrorMessage'),
    of: every,
  },
  TooLarge: {
    status: 413,
    response: answer('The body is too large', 'ErrorMessage'),
    of: (route) => !isRead(route),
  },
  AddressTooLong: {
    status: 414,
    response: answer('The address has more than 8,192 bytes', 'ErrorMessage'),
    of: every,
  },
  UnsupportedMediaType: {
    status: 415,
    response: answer('The type or encoding of the body is not supported', 'ErrorMessage'),
    of: (route) => !isRead(route),
  },
  NoSuchPart: {
    status: 416,
    response: answer('The file has no such part', 'ErrorMessage'),
    of: isRanged,
  },
  TooManyValues: {
    status: 422,
    response: answer('The body exceeds the limits, or the request cannot be carried out', 'Refusal'),
    of: (route) => !isRead(route),
  },
  AnswerTooLarge: {
    status: 422,
    response: answer('The response would be too large; request less at a time', 'ErrorMessage'),
    of: (route) => isRead(route) && isLarge(route),
  },
  TooManyRequests: { status: 429, response: answer('Too many requests', 'ErrorMessage'), of: every },
  InternalError: {
    status: 500,
    response: answer('An unexpected error', 'ErrorMessage'),
    of: every,
  },
  Unavailable: {
    status: 503,
    response: answer('Overloaded; try again after Retry-After', 'ErrorMessage'),
    of: every,
  },
};

/** Failures that depend on the kind of a request, not on what an operation does. */
export const COMMON_FAILURES: ReadonlySet<string> = new Set([
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'MovedMeanwhile',
  'NoSuchPage',
  'NotAcceptable',
  'RequestTimeout',
  'Conflict',
  'PreconditionFailed',
  'TooLarge',
  'AddressTooLong',
  'UnsupportedMediaType',
  'TooManyValues',
  'AnswerTooLarge',
  'TooManyRequests',
  'InternalError',
  'Unavailable',
]);

/** Responses of many routes, each once. */
export const sharedResponses: Record<string, Schema> = Object.fromEntries(
  Object.entries(FAILURES).map(([name, { response }]) => [name, response]),
);

/** A failure that a route declares; 304 has no body. */
const refusal = (status: string, why: string): Schema =>
  status === '304' ? { description: why } : answer(why, 'Refusal');

/**
 * The failures that the rule, the parameters and the kind of a route make possible, and those that it
 * declares.
 */
export function errorResponses(route: RouteDescription): Schema {
  const shared = Object.entries(FAILURES).filter(([, failure]) => failure.of(route));
  const declared = Object.entries(route.refusals);
  return {
    ...Object.fromEntries(
      shared.map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
    ...Object.fromEntries(declared.map(([status, why]) => [status, refusal(status, why)])),
  };
}
