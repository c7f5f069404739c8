import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { HttpError } from '#kernel/http/errors.js';
import {
  alertGroup,
  alertItem,
  hostileBodies,
  hostileJson,
} from '../../../../../test/support/hostile/alert-payloads.js';
import { alertDetails } from './alert-details.js';
import { isReadable, type IncomingAlert } from './incoming-alert.js';
import { alertsIn } from './read-alerts.js';

/** Returns the parsed alerts, or the status of the refusal. */
const reading = (body: unknown): readonly IncomingAlert[] | number => {
  try {
    return [...alertsIn(body)].filter(isReadable);
  } catch (error) {
    return (error as HttpError).status;
  }
};

/** Converts the value as if it were sent as JSON. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

const isStorable = (text: string | null): boolean =>
  text === null || (!text.includes('\0') && text.isWellFormed());

/** An escape of a character that PostgreSQL rejects. */
const REFUSED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

describe('any payload', () => {
  it('is refused or converted to storable values, and does not affect other alerts', () => {
    fc.assert(
      fc.property(hostileBodies, (body) => {
        const alerts = reading(sent(body));
        if (typeof alerts === 'number') {
          expect([400, 422]).toContain(alerts);
          return;
        }
        for (const { hosts, startedAt, ended, ...texts } of alerts) {
          expect([...Object.values(texts), ...hosts].filter((text) => !isStorable(text))).toEqual([]);
          expect(texts.title.length).toBeGreaterThan(0);
          expect(texts.title.length).toBeLessThanOrEqual(200);
          expect(texts.fingerprint).toMatch(/^[0-9a-f]{40}$/);
          expect([startedAt, ended?.at].every((time) => !Number.isNaN(time?.getTime()))).toBe(true);
          expect(REFUSED.test(texts.payload)).toBe(false);
          const again = reading(JSON.parse(texts.payload)) as readonly IncomingAlert[];
          expect(again.map(({ title }) => title)).toEqual([texts.title]);
          expect(() => alertDetails(JSON.parse(texts.payload))).not.toThrow();
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not affect other alerts in its group', () => {
    fc.assert(
      fc.property(hostileJson, (bad) => {
        const [first, last] = ['First', 'Last'].map((alertname) => alertItem({ labels: { alertname } }));
        const body = sent(
          alertGroup(first, bad, alertItem({ labels: bad, annotations: bad, endsAt: bad }), last),
        );
        const titles = (reading(body) as readonly IncomingAlert[]).map(({ title }) => title);
        expect([titles[0], titles.at(-1)]).toEqual(['First', 'Last']);
      }),
      { numRuns: 500 },
    );
  });

  it.each([null, undefined, 1, 'alert', true, [], [{}]])('is refused if it is not an object: %j', (body) => {
    expect(reading(body)).toBe(400);
  });
});
