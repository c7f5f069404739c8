import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { alertDetails } from './alert-details.js';

const KNOWN = ['title', 'end_time', 'hosts', 'severity', 'fingerprint', 'gitlab_environment_name'];

describe('details of an alert', () => {
  it('are what a generic payload says beside the known fields, nested as it is', () => {
    const payload = {
      title: 'x',
      hosts: ['a'],
      severity: 'low',
      end_time: null,
      team: { name: 'db', on: [1] },
    };
    expect(alertDetails(payload)).toEqual({ team: { name: 'db', on: [1] } });
  });

  it('are the other annotations of an Alertmanager item', () => {
    const annotations = { title: 'x', summary: 'y', gitlab_y_label: 'z', dashboard: 'd', tags: { a: 1 } };
    const item = { status: 'firing', labels: { severity: 'low', zone: 'eu' }, annotations };
    const body = { version: '4', groupKey: '{}', alerts: [item], receiver: 'x' };
    expect(alertDetails(body)).toEqual({ dashboard: 'd', tags: { a: 1 } });
    expect(alertDetails({ ...body, alerts: [{ ...item, annotations: 'none' }] })).toEqual({});
    expect(alertDetails({ ...body, alerts: [] })).toEqual({});
    expect(alertDetails({ ...body, version: '3' })).toHaveProperty('groupKey');
  });

  it('keep every other field of any JSON, whatever its name, and touch no prototype', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', ...KNOWN));
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (fields) => {
        const payload = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
        const details = alertDetails(payload);
        const expected = Object.keys(payload).filter((key) => !KNOWN.includes(key) && key !== 'title');
        expect(Object.keys(details)).toEqual(expected.filter((key) => Object.hasOwn(details, key)));
        for (const key of Object.keys(payload)) {
          if (KNOWN.includes(key)) expect(Object.hasOwn(details, key)).toBe(false);
        }
        expect(Object.getPrototypeOf(details)).toBe(Object.prototype);
        expect(JSON.stringify(details)).toContain('{');
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (any) => void expect(typeof alertDetails(any)).toBe('object')));
  });
});
