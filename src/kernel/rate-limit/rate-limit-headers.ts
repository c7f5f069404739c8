import type { RateLimitResult } from './rate-limiter.js';

/** Headers that inform a client of a rate limit; Retry-After only if the request was rejected. */
export function rateLimitHeaders(
  name: string,
  result: RateLimitResult,
  periodSeconds: number,
): Record<string, string> {
  return {
    'RateLimit-Name': name,
    // Clients expect the limit per minute, for any period.
    'RateLimit-Limit': String(Math.ceil((result.limit * 60) / periodSeconds)),
    'RateLimit-Observed': String(result.observed),
    'RateLimit-Remaining': String(result.remaining),
    'RateLimit-Reset': String(result.resetAt),
    'RateLimit-ResetTime': new Date(result.resetAt * 1000).toUTCString(),
    ...(result.allowed ? {} : { 'Retry-After': String(result.retryAfter) }),
  };
}
