import { HttpError } from '#kernel/http/errors.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import type { RateLimitResult } from './rate-limiter.js';

/** 429 of a throttle, with RateLimit-* headers and Retry-After; `text` is what the instance says instead of the usual text. */
export const tooManyRequests = (
  name: string,
  result: RateLimitResult,
  periodSeconds: number,
  text: string | null = null,
): HttpError =>
  new HttpError(
    429,
    { message: text ?? '429 Too Many Requests' },
    rateLimitHeaders(name, result, periodSeconds),
  );
