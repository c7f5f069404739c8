import { tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { badRequest, HttpError, invalid } from '#kernel/http/errors.js';
import { alertmanagerAlert } from './alertmanager-alert.js';
import { flawsOfGroup, isAlertmanagerBody, itemsOf } from './alertmanager-body.js';
import { genericAlert } from './generic-alert.js';
import { endsBeforeStart, isReadable, type IncomingAlert, type UnreadableAlert } from './incoming-alert.js';
import { isObject, type PayloadObject } from './payload-values.js';

/** Bytes of one alert as it is kept (`decisions.md` 2.12). */
const MAX_ALERT_BYTES = 1024 * 1024;

const fits = ({ payload }: IncomingAlert): boolean => Buffer.byteLength(payload) <= MAX_ALERT_BYTES;

/**
 * Reads the alerts of a body that is not too deep, each when it is asked for: a body may have tens of thousands.
 * @throws 400 for what is no payload or ends before it starts, 413 when nothing is left for being too large, 422 for a group that lacks something
 */
export function* alertsIn(body: unknown): Generator<IncomingAlert | UnreadableAlert, void> {
  if (!isObject(body)) throw badRequest('400 Bad request');
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

/** What one item lacks, or has too much of, is no reason to lose its neighbours: Alertmanager would not send them again. */
function* alertsOfGroup(body: PayloadObject): Generator<IncomingAlert | UnreadableAlert, void> {
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
