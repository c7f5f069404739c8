import type { Request, RequestHandler, Response } from 'express';
import { corsRuleOf, permits, type CorsRule } from './cors-rules.js';
import { allowedMethods } from '../routes/find-route.js';

/** Seconds for which a browser may cache the response to a preflight. */
const MAX_AGE = '7200';

/** Limit of the length of a list of request headers that is echoed. */
const MAX_ECHO = 1000;

/**
 * Implements CORS by the rules of `cors-rules.ts`: any origin, but cookies from `ownOrigin` only, so other
 * scripts access only what they have a token for. OPTIONS without preflight headers returns the methods of a
 * path.
 */
export function cors(ownOrigin: string): RequestHandler {
  return (request, response, next) => {
    const rule = corsRuleOf(request.path);
    if (!rule) {
      next();
      return;
    }
    const isOptions = request.method === 'OPTIONS';
    const method = request.headers['access-control-request-method'];
    if (isOptions && method !== undefined) {
      answerPreflight(request, response, rule, method, ownOrigin);
      return;
    }
    const { origin } = request.headers;
    if (origin !== undefined) {
      allowOrigin(response, rule, origin, ownOrigin);
      if (rule.exposed === undefined) allowMethods(response, rule);
    }
    if (!isOptions || !answerOptions(request, response)) next();
  };
}

function allowOrigin(response: Response, rule: CorsRule, origin: string, ownOrigin: string): void {
  const isOwn = rule.ownCookies === true && origin === ownOrigin;
  response.setHeader('Access-Control-Allow-Origin', isOwn ? origin : '*');
  if (isOwn) response.setHeader('Access-Control-Allow-Credentials', 'true');
  if (rule.exposed !== undefined) response.setHeader('Access-Control-Expose-Headers', rule.exposed);
}

function allowMethods(response: Response, { methods }: CorsRule): void {
  response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
}

/** 200 in either case; a rejected preflight has no CORS headers, which browsers treat as a refusal. */
function answerPreflight(
  { headers }: Request,
  response: Response,
  rule: CorsRule,
  method: string,
  ownOrigin: string,
): void {
  const { origin } = headers;
  const asked = headers['access-control-request-headers'];
  if (origin !== undefined && permits(rule, method, asked ?? '')) {
    allowOrigin(response, rule, origin, ownOrigin);
    allowMethods(response, rule);
    if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked.slice(0, MAX_ECHO));
    response.setHeader('Access-Control-Max-Age', MAX_AGE);
  }
  response.statusCode = 200;
  response.end();
}

/** 204 with the methods of the path; false if it has none. */
function answerOptions(request: Request, response: Response): boolean {
  const methods = allowedMethods(request);
  if (methods.length === 0) return false;
  response.setHeader('Allow', [...methods, 'OPTIONS'].join(', '));
  response.statusCode = 204;
  response.end();
  return true;
}
