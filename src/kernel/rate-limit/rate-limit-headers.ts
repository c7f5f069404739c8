import type { RateLimitResult } from './rate-limiter.js';

/** Headers that tell a client of a throttle; Retry-After only when the request was refused. */
export function rateLimitHeaders(
  name: string,
  result: RateLimitResult,
  periodSeconds: number,
): Record<string, string> {
  return {
    'RateLimit-Name': name,
    // Clients expect the limit a minute, whatever the period is.
    'RateLimit-Limit': String(Math.ceil((result.limit * 60) / periodSeconds)),
    'RateLimit-Observed': String(result.observed),
    'RateLimit-Remaining': String(result.remaining),
    'RateLimit-Reset': String(result.resetAt),
    'RateLimit-ResetTime': new Date(result.resetAt * 1000).toUTCString(),
    ...(result.allowed ? {} : { 'Retry-After': String(result.retryAfter) }),
  };
}
