import { TooLarge } from '#kernel/http/bounded-body.js';
import { BadRequest } from '#kernel/http/errors.js';
import { alertmanagerAlert } from './alertmanager-alert.js';
import { isAlertmanagerBody, itemsOf } from './alertmanager-body.js';
import { genericAlert } from './generic-alert.js';
import type { IncomingAlert } from './incoming-alert.js';
import { isObject, type PayloadObject } from './payload-values.js';

/** Bytes of one alert as it is kept (`decisions.md` 2.12). */
const MAX_ALERT_BYTES = 1024 * 1024;

const fits = ({ payload }: IncomingAlert): boolean => Buffer.byteLength(payload) <= MAX_ALERT_BYTES;

/** Reads the alerts of a body that is not too deep. @throws 400 for what is no payload, 413 for a single alert that is too large */
export function readAlerts(body: unknown): readonly IncomingAlert[] {
  if (!isObject(body)) throw BadRequest('400 Bad request');
  return isAlertmanagerBody(body) ? readItems(body) : [readGeneric(body)];
}

function readGeneric(body: PayloadObject): IncomingAlert {
  const alert = genericAlert(body);
  if (!fits(alert)) throw TooLarge();
  return alert;
}

/** What one item lacks, or has too much of, is no reason to lose its neighbours: Alertmanager would not send them again. */
function readItems(body: PayloadObject): readonly IncomingAlert[] {
  const items = itemsOf(body);
  if (!items) throw BadRequest('400 Bad request');
  const read = items.map((item) => alertmanagerAlert(body, item)).filter((alert) => alert !== null);
  const kept = read.filter(fits);
  if (kept.length === 0 && read.length > 0) throw TooLarge();
  return kept;
}
