import { badRequest, invalid, type HttpError } from '#kernel/http/errors.js';

/** Problems of a group, by attribute. */
export type GroupProblems = Readonly<Record<string, readonly string[]>>;

/** Thrown inside the transaction; the route formats the response. */
export class GroupNotSaved extends Error {
  constructor(readonly problems: GroupProblems) {
    super('The group cannot be saved');
  }
}

/** Creates an error with one problem of one attribute. */
export const notSaved = (attribute: string, text: string): GroupNotSaved =>
  new GroupNotSaved({ [attribute]: [text] });

/** Converts the error of a failed creation or update to a response. */
export const invalidGroup = (error: unknown): unknown =>
  error instanceof GroupNotSaved ? invalid(error.problems) : error;

/** Error of a failed transfer. */
export const transferFailed = (text: string): HttpError => badRequest(`Transfer failed: ${text}`);
