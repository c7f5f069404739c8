import { badRequest, invalid, type HttpError } from '#kernel/http/errors.js';

/** What is wrong with a group, by attribute. */
export type GroupProblems = Readonly<Record<string, readonly string[]>>;

/** Thrown inside the transaction; the route decides on the form of the answer. */
export class GroupNotSaved extends Error {
  constructor(readonly problems: GroupProblems) {
    super('The group cannot be saved');
  }
}

/** One attribute with one problem. */
export const notSaved = (attribute: string, text: string): GroupNotSaved =>
  new GroupNotSaved({ [attribute]: [text] });

/** The answer to a creation or change that failed. */
export const invalidGroup = (error: unknown): unknown =>
  error instanceof GroupNotSaved ? invalid(error.problems) : error;

/** The answer to a move that failed. */
export const transferFailed = (text: string): HttpError => badRequest(`Transfer failed: ${text}`);
