import type { ReturnAddress } from './authorization-response.js';
import type { Refusal } from './refusal.js';

/**
 * Thrown if a request fails a check. `to` is null if only the visitor may be told, because there is no
 * trusted client (OAUTH-1).
 */
export class RequestRefused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly to: ReturnAddress | null,
  ) {
    super(refusal.error);
  }
}
