import { tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { badRequest, HttpError, invalid } from '#kernel/http/errors.js';
import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';
import { alertmanagerAlert } from './alertmanager-alert.js';
import { flawsOfGroup, isAlertmanagerBody, itemsOf } from './alertmanager-body.js';
import { genericAlert } from './generic-alert.js';
import { endsBeforeStart, isReadable, type IncomingAlert, type UnreadableAlert } from './incoming-alert.js';

/** Limit of bytes of a stored alert (`decisions.md` 2.12). */
const MAX_ALERT_BYTES = 1024 * 1024;

const fits = ({ payload }: IncomingAlert): boolean => Buffer.byteLength(payload) <= MAX_ALERT_BYTES;

/**
 * Parses the alerts of a body of limited depth, on demand, because a body may have tens of thousands.
 * @throws 400 if it is not a payload or ends before its start, 413 if all alerts are too large, 422 for an
 * incomplete group
 */
export function* alertsIn(body: unknown): Generator<IncomingAlert | UnreadableAlert, void> {
  if (!isPlainObject(body)) throw badRequest('400 Bad request');
  const flaws = flawsOfGroup(body);
  if (flaws) throw new HttpError(422, { message: flaws });
  if (isAlertmanagerBody(body)) yield* alertsOfGroup(body);
  else {
    const alert = genericAlert(body);
    if (!fits(alert)) throw tooLarge();
    if (endsBeforeStart(alert)) throw invalid({ end_time: ['is before start_time'] });
    yield alert;
  }
}

/** An invalid or too large item does not affect the others: Alertmanager would not send them again. */
function* alertsOfGroup(body: PlainObject): Generator<IncomingAlert | UnreadableAlert, void> {
  const items = itemsOf(body);
  if (!items) throw badRequest('400 Bad request');
  let kept = 0;
  let refused = 0;
  for (const item of items) {
    const alert = alertmanagerAlert(body, item);
    if (!isReadable(alert)) yield alert;
    else if (fits(alert)) {
      kept += 1;
      yield alert;
    } else {
      refused += 1;
      yield { title: alert.title, error: 'is too large' };
    }
  }
  if (kept === 0 && refused > 0) throw tooLarge();
}
