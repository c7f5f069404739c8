import type { ReturnAddress } from './authorization-response.js';
import type { Refusal } from './refusal.js';

/** A request fails a check. `to` is null where nobody but the visitor may be told, for want of a client that can be trusted (OAUTH-1). */
export class RequestRefused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly to: ReturnAddress | null,
  ) {
    super(refusal.error);
  }
}
