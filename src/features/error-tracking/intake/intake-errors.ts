import { badRequest, type HttpError } from '#kernel/http/errors.js';

/** Error 400 for a body that is neither an event nor an envelope (`ops.md` 6.5). */
export const unreadable = (): HttpError => badRequest('400 Bad request - Failed to parse sentry request');

/** Error 400 for a valid event without an error. */
export const unsupported = (): HttpError => badRequest('400 Bad request - Unsupported sentry payload');
