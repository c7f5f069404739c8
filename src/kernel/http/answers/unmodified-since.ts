import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { assertUnmodifiedSince } from './conditional.js';
import { requestOf } from '../request.js';

/** Checks the last change of what is to be deleted against the request; throws 412. Call it inside the transaction. */
export type UnmodifiedCheck = (updatedAt: Date) => void;

/** Hands a DELETE handler the check for `If-Unmodified-Since`. */
export const Unmodified = createParamDecorator(
  (_data: unknown, context: ExecutionContext): UnmodifiedCheck => {
    const header = requestOf(context).headers['if-unmodified-since'];
    return (updatedAt) => assertUnmodifiedSince(header, updatedAt);
  },
);
