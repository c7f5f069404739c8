import type { RequestHandler } from 'express';
import { allowedMethods } from './route-table.js';

const EXPOSED = [
  'Link',
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Next-Page',
  'X-Prev-Page',
  'X-Gitlab-Blob-Id',
  'X-Gitlab-Commit-Id',
  'X-Gitlab-Content-Sha256',
  'X-Gitlab-Encoding',
  'X-Gitlab-File-Name',
  'X-Gitlab-File-Path',
  'X-Gitlab-Last-Commit-Id',
  'X-Gitlab-Ref',
  'X-Gitlab-Size',
  'X-Request-Id',
  'ETag',
].join(', ');

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * Cross-origin use of the API: any origin, never with cookies, so only what a script holds a token for. OPTIONS without
 * preflight headers tells the methods of a path.
 */
export const corsForApi: RequestHandler = (request, response, next) => {
  if (!request.path.startsWith('/api/')) {
    next();
    return;
  }
  if (request.headers.origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  }
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  if (request.headers['access-control-request-method'] !== undefined) {
    const asked = request.headers['access-control-request-headers'];
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked.slice(0, 1000));
    response.setHeader('Access-Control-Max-Age', '7200');
    response.statusCode = 200;
    response.end();
    return;
  }
  const methods = allowedMethods(request);
  if (methods.length === 0) {
    next();
    return;
  }
  response.setHeader('Allow', [...methods, 'OPTIONS'].join(', '));
  response.statusCode = 204;
  response.end();
};
