import { describe, expect, it } from '@jest/globals';
import { cookieLine, readCookie } from './cookies.js';
import { html, type Interpolation } from './html.js';
import { isLocalPath } from './local-path.js';
import { contentPolicy } from './page-answer.js';

describe('html', () => {
  it('escapes texts, nests markup and lists, and omits null and false', () => {
    const name = `<b a="1" b='2'>&`;
    expect(String(html`<p title="${name}">${name}</p>`)).toBe(
      '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;">&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;</p>',
    );
    const items = ['<', '>'].map((sign) => html`<li>${sign}</li>`);
    const row = html`<ul>
      ${[items, null, undefined, false, 0]}
    </ul>`;
    expect(String(row).replace(/\s+/g, '')).toBe('<ul><li>&lt;</li><li>&gt;</li>0</ul>');
  });

  it('refuses values that only look like markup', () => {
    const forged = { text: '<script>', toString: () => '<script>' } as unknown as Interpolation;
    expect(() => String(html`${forged}`)).toThrow();
  });
});

describe('paths to return to', () => {
  it('stay on this site', () => {
    for (const path of ['/', '/a', '/a?b=c//d', '/oauth/authorize?redirect_uri=https%3A%2F%2Fx', '/.//x'])
      expect([path, isLocalPath(path)]).toEqual([path, true]);
    const bad = ['', 'a', '//a', '/\\a', '\\/a', 'https://a', '/a b', '/\ta', '/a\r\nb', '/\u00e9', '/\0'];
    for (const path of [...bad, `/${'x'.repeat(4000)}`, null, ['/'], 7])
      expect([path, isLocalPath(path)]).toEqual([path, false]);
  });
});

describe('cookies', () => {
  it('cannot break out of their header line', () => {
    const line = cookieLine('a', 'x; Domain=evil.test\r\nSet-Cookie: b', { isSecure: true, maxAge: 5 });
    expect(line).toBe(
      'a=x%3B%20Domain%3Devil.test%0D%0ASet-Cookie%3A%20b; Path=/; Max-Age=5; HttpOnly; SameSite=Lax; Secure',
    );
  });

  it('are read by their full name, the first of several', () => {
    const read = (cookie: string): string | null => readCookie({ headers: { cookie } }, 'a');
    expect(['a=1; a=2', 'xa=1; a=2', 'b=a=3', 'a=', '', 'a', ' a = 4 '].map(read)).toEqual([
      '1',
      '2',
      null,
      null,
      null,
      null,
      '4',
    ]);
  });
});

describe('the content security policy of a page', () => {
  it('accepts valid sources, and nothing that would change the policy', () => {
    expect(contentPolicy(['https://a.test:8443', 'app:'])).toContain(
      "form-action 'self' https://a.test:8443 app:;",
    );
    for (const source of ["'unsafe-inline'", 'https://a.test; script-src *', 'https://a.test/path', '*', ''])
      expect(() => contentPolicy([source])).toThrow('not a valid source');
  });
});
