import { badRequest, type HttpError } from '#kernel/http/errors.js';

/** 400 of a body that is no event and no envelope (`ops.md` 6.5). */
export const unreadable = (): HttpError => badRequest('400 Bad request - Failed to parse sentry request');

/** 400 of an event that can be read, but not be made an error of. */
export const unsupported = (): HttpError => badRequest('400 Bad request - Unsupported sentry payload');
