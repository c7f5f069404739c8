import { missing, refusal, type Refusal } from '../refusal.js';
import { responseModeOf } from '../response-mode.js';
import { PARAMETER_NAMES } from '../sent-parameters.js';
import type { Inquiry } from './inquiry.js';

/** RFC 6749 3.1: no parameter more than once; nor as a list or hash, too long, or not as text. */
export const eachParameterOnce = ({ parameters }: Inquiry): Refusal | null =>
  PARAMETER_NAMES.some((name) => parameters.isMalformed(name)) ? refusal('invalid_request') : null;

/** Row 5. */
export const responseTypeGiven = ({ parameters }: Inquiry): Refusal | null =>
  parameters.get('response_type') === null ? missing('response_type') : null;

/** Row 6: codes only; tokens never travel through the browser (RFC 9700 2.1.2). */
export const responseTypeSupported = ({ parameters }: Inquiry): Refusal | null =>
  parameters.get('response_type') === 'code' ? null : refusal('unsupported_response_type');

/** Row 7. */
export function responseModeSupported({ parameters }: Inquiry): Refusal | null {
  const mode = parameters.get('response_mode');
  return mode === null || responseModeOf(mode) !== null ? null : refusal('unsupported_response_mode');
}

/** OpenID Connect core 6.1 and 6.2: what might change every other parameter must not be passed over. */
export function noRequestObject({ parameters }: Inquiry): Refusal | null {
  if (parameters.get('request') !== null) return refusal('request_not_supported');
  return parameters.get('request_uri') === null ? null : refusal('request_uri_not_supported');
}
