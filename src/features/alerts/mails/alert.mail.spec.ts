import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertMail } from '#kernel/mail/mail.js';
import { alertMail, type AlertMailContent, type MailedAlert } from './alert.mail.js';

const SETTINGS = { base: 'https://forge.test/git', headerPrefix: 'X-GitLab-' };

const ALERT: MailedAlert = {
  iid: 7,
  title: 'Down',
  description: null,
  severity: 0,
  status: 0,
  service: null,
  monitoring_tool: null,
  hosts: [],
  started_at: new Date('2026-03-04T05:06:07.008Z'),
  ended_at: null,
  events_count: 1,
  environment: null,
  incident_iid: null,
};

const news = (values: Partial<AlertMailContent> = {}): AlertMailContent => ({
  to: 'desk@example.com',
  project: { id: 3, name: 'Web', full_path: 'shop/web' },
  alerts: [ALERT],
  further: 0,
  ...values,
});

const hostile = fc
  .array(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\u2028',
      '\u0000',
      'Bcc: x@evil.test',
      '<script>',
      '</title>',
      '"',
      "'",
      '&amp;',
      '\ud83d',
      'x',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('the mail about alerts', () => {
  it('contains no headers, recipients or markup from an alert', () => {
    const values = fc.record({
      title: fc.oneof(
        hostile,
        hostile.map((text) => text.repeat(30)),
      ),
      description: fc.option(hostile),
      service: fc.option(hostile),
      monitoring_tool: fc.option(hostile),
      hosts: fc.array(hostile, { maxLength: 3 }),
      environment: fc.option(hostile),
    });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 3 }), (alerts) => {
        const mail = alertMail(news({ alerts: alerts.map((one) => ({ ...ALERT, ...one })) }), SETTINGS);
        assertMail(mail);
        expect(mail.html).not.toContain('<script>');
        expect(mail.html?.split('</title>')).toHaveLength(2);
      }),
      { numRuns: 1_000 },
    );
  });

  it('can be sent for projects of any path', () => {
    const full_path = Array<string>(20).fill('g'.repeat(255)).join('/');
    const { headers } = alertMail(news({ project: { id: 3, name: 'Web', full_path } }), SETTINGS);
    expect(headers).toMatchObject({ 'List-Id': '<3.forge.test>', 'X-GitLab-Project-Id': '3' });
    assertMail(alertMail(news({ project: { id: 3, name: 'Web', full_path } }), SETTINGS));
  });

  it('links to the alert and its incident', () => {
    const { text, html, subject } = alertMail(
      news({ alerts: [{ ...ALERT, incident_iid: 5, events_count: 3, description: 'Since\nnoon' }] }),
      SETTINGS,
    );
    expect(subject).toBe('Web | Alert: Down');
    expect(text).toBe(
      [
        'Alert: Down',
        'Severity: critical',
        'Status: triggered',
        'Start time: 2026-03-04 05:06:07 UTC',
        'Events: 3',
        'Incident: https://forge.test/git/shop/web/-/issues/5',
        '',
        'Since\nnoon',
        '',
        'https://forge.test/git/-/projects/3/alerts/7',
        '',
        '-- \nYou get this mail because you maintain shop/web, which mails its alerts.',
        '',
      ].join('\n'),
    );
    expect(html).toContain('href="https://forge.test/git/-/projects/3/alerts/7"');
  });
});
