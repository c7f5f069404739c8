import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertMail, type Mail } from '#kernel/mail/mail.js';
import { notificationMail } from './notification.mail.js';
import type { MailNote, MailScene, MailSubject } from './mail-scene.js';

const SUBJECT: MailSubject = {
  id: 70,
  iid: 7,
  title: 'Slow',
  description: null,
  state: 'opened',
  confidential: false,
};

const NOTE: MailNote = { id: 3, body: 'A word', discussion_id: 'd0', commit_id: null, earlier_ids: [2] };

const SCENE: MailScene = {
  event: {
    kind: 'new_note',
    target: { type: 'Issue', id: 70 },
    projectId: 5,
    groupId: null,
    actorId: 1,
    noteId: 3,
  },
  id: 1,
  key: '0'.repeat(32),
  reason: null,
  createdAt: new Date('2026-03-04T05:06:07.008Z'),
  subject: SUBJECT,
  container: { kind: 'Project', id: 5, name: 'Web', full_path: 'shop/web' },
  actor: { id: 1, username: 'eve', name: 'Eve', state: 'active', avatar: null },
  note: NOTE,
  people: [],
};

const written = (values: Partial<MailScene>, base = 'https://forge.test/git'): Mail => {
  const mail = notificationMail({ ...SCENE, ...values }, 'reader@example.com', {
    base,
    headerPrefix: 'X-GitLab-',
  });
  assertMail(mail);
  return mail;
};

describe('the notification mail', () => {
  it('names the object in its subject, however long titles and names are', () => {
    const unit = fc.constantFrom('x', '\u00e9', '\u{1F600}');
    const long = fc.string({ unit, minLength: 1, maxLength: 255, size: 'max' });
    fc.assert(
      fc.property(long, long, (title, name) => {
        const container = { ...SCENE.container, name };
        const { subject } = written({ subject: { ...SUBJECT, title }, container });
        expect(subject).toMatch(/^Re: .+ \| .+ \(#7\)$/u);
        expect(subject.isWellFormed()).toBe(true);
        expect(subject.includes(title) || subject.includes('… (#7)')).toBe(true);
      }),
    );
    const title = 'x'.repeat(255);
    expect(written({ subject: { ...SUBJECT, title } }).subject).toBe(`Re: Web | ${title} (#7)`);
  });

  it('splits no character of a long text', () => {
    const { text, html = '' } = written({ note: { ...NOTE, body: `x${'\u{1F600}'.repeat(40_000)}` } });
    expect([text.isWellFormed(), html.isWellFormed()]).toEqual([true, true]);
    expect(text).toContain('\u{1F600}…\n\nhttps://forge.test/git/shop/web/-/issues/7#note_3\n');
  });

  it('can be composed if the service is only known by the IP address of its machine', () => {
    const { thread, headers } = written({}, 'http://[2001:db8::1]:3000');
    expect(thread).toEqual({
      messageId: 'note_3@[2001:db8::1]',
      inReplyTo: 'note_2@[2001:db8::1]',
      references: ['issue_70@[2001:db8::1]', 'note_2@[2001:db8::1]'],
    });
    expect(headers?.['List-Id']).toBe('shop/web <5.web.shop.[2001:db8::1]>');
    expect(written({}, 'http://192.0.2.1').thread?.messageId).toBe('note_3@192.0.2.1');
  });
});
