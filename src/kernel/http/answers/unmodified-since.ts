import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { assertUnmodifiedSince } from './conditional.js';
import { requestOf } from '../request.js';

/** Check of a DELETE against the last change of its object; call it inside the transaction. @throws 412 if the object is newer */
export type UnmodifiedCheck = (updatedAt: Date) => void;

/** Injects the check for `If-Unmodified-Since` into a DELETE handler. */
export const Unmodified = createParamDecorator(
  (_data: unknown, context: ExecutionContext): UnmodifiedCheck => {
    const header = requestOf(context).headers['if-unmodified-since'];
    return (updatedAt) => assertUnmodifiedSince(header, updatedAt);
  },
);
