import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { conflict, type HttpError } from '#kernel/http/errors.js';

/** Error 409 for a username, or the path of its namespace, that is taken. */
export const usernameTaken = (): HttpError => conflict('Username has already been taken');

/** Error 409 for an email address that is taken. */
export const emailTaken = (): HttpError => conflict('Email has already been taken');

/**
 * Converts the error of a failed insert or update of a user to a response; returns unknown errors unchanged.
 */
export function userWriteError(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'users_username') return usernameTaken();
  return constraint === 'users_email' ? emailTaken() : error;
}
