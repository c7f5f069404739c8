import { violatedConstraint } from '#kernel/database/transactions.js';
import { conflict, type HttpError } from '#kernel/http/errors.js';

/** 409 for a username, or the path of its namespace, that somebody has already. */
export const usernameTaken = (): HttpError => conflict('Username has already been taken');

/** 409 for an address that somebody has already. */
export const emailTaken = (): HttpError => conflict('Email has already been taken');

/** What a failed insert or update of a user means to the client; anything unknown is handed back as it is. */
export function userWriteError(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'users_username') return usernameTaken();
  return constraint === 'users_email' ? emailTaken() : error;
}
