import { describe, expect, it } from '@jest/globals';
import { LinkRewriter } from './link-rewriter.js';

const links = new LinkRewriter('https://old.example/group/app', 'https://new.example/team/app');

describe('links to migrated objects', () => {
  it.each([
    ['see https://old.example/group/app/-/issues/1.', 'see https://new.example/team/app/-/issues/1.'],
    ['https://old.example/group/app', 'https://new.example/team/app'],
    ['(https://OLD.example/Group/App), and', '(https://new.example/team/app), and'],
    ['https://old.example/group/app.git', 'https://new.example/team/app.git'],
    ['https://old.example/group/app. Next', 'https://new.example/team/app. Next'],
  ])('point to the destination: %s', (text, expected) => expect(links.rewrite(text)).toBe(expected));

  it.each([
    'https://old.example/group/app-two',
    'https://old.example/group/app.two',
    'https://old.example/group/application',
    'https://other.example/group/app',
    'group/app',
  ])('stay unchanged if they point elsewhere: %s', (text) => expect(links.rewrite(text)).toBe(text));

  it('treat paths literally', () => {
    const odd = new LinkRewriter('https://old.example/a.b', 'https://new.example/$&');
    expect(odd.rewrite('https://old.example/axb https://old.example/a.b')).toBe(
      'https://old.example/axb https://new.example/$&',
    );
  });
});
