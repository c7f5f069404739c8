import { TooLarge } from '#kernel/http/bodies/bounded-body.js';
import { BadRequest } from '#kernel/http/errors.js';
import { alertmanagerAlert } from './alertmanager-alert.js';
import { isAlertmanagerBody, itemsOf } from './alertmanager-body.js';
import { genericAlert } from './generic-alert.js';
import type { IncomingAlert } from './incoming-alert.js';
import { isObject, type PayloadObject } from './payload-values.js';

/** Bytes of one alert as it is kept (`decisions.md` 2.12). */
const MAX_ALERT_BYTES = 1024 * 1024;

const fits = ({ payload }: IncomingAlert): boolean => Buffer.byteLength(payload) <= MAX_ALERT_BYTES;

/**
 * Reads the alerts of a body that is not too deep, each when it is asked for: a body may have tens of thousands.
 * @throws 400 for what is no payload, 413 when nothing is left for being too large; both before anything is read
 */
export function* alertsIn(body: unknown): Generator<IncomingAlert, void> {
  if (!isObject(body)) throw BadRequest('400 Bad request');
  if (isAlertmanagerBody(body)) yield* alertsOfGroup(body);
  else {
    const alert = genericAlert(body);
    if (!fits(alert)) throw TooLarge();
    yield alert;
  }
}

/** What one item lacks, or has too much of, is no reason to lose its neighbours: Alertmanager would not send them again. */
function* alertsOfGroup(body: PayloadObject): Generator<IncomingAlert, void> {
  const items = itemsOf(body);
  if (!items) throw BadRequest('400 Bad request');
  let kept = 0;
  let tooLarge = 0;
  for (const item of items) {
    const alert = alertmanagerAlert(body, item);
    if (alert === null) continue;
    if (fits(alert)) {
      kept += 1;
      yield alert;
    } else tooLarge += 1;
  }
  if (kept === 0 && tooLarge > 0) throw TooLarge();
}
