import { expect } from '@jest/globals';
import type { TestApi } from './api.js';
import type { PageReply } from './page-client.js';

/** A form of an application as its pages send it. */
export const APPLICATION_FIELDS = {
  name: 'Robot',
  redirect_uri: 'https://client.example.com/callback',
  confidential: '1',
  'scopes[]': 'api',
} as const;

/** A name that would run a script on a page that does not escape it. */
export const HOSTILE_NAME = `"><script>alert('x')</script>`;

/** The same name as pages must escape it. */
export const ESCAPED_NAME = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;';

/** Facts about a stored application for the tests. */
export interface ApplicationRow {
  readonly id: number;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scopes: string[];
  readonly confidential: boolean;
  readonly trusted: boolean;
  readonly owner_id: number | null;
  readonly refresh_grace_period_seconds: number;
}

/** The stored application of that id, or null. */
export const storedApplication = async (api: TestApi, id: number): Promise<ApplicationRow | null> =>
  (await api.sql<ApplicationRow>('select * from oauth_applications where id = $1', [id]))[0] ?? null;

/** The most recently stored application. */
export async function newestApplication(api: TestApi): Promise<ApplicationRow> {
  const [row] = await api.sql<ApplicationRow>('select * from oauth_applications order by id desc limit 1');
  if (!row) throw new Error('There is no application');
  return row;
}

/** Number of stored applications. */
export async function countApplications(api: TestApi): Promise<number> {
  const text = 'select count(*)::int as total from oauth_applications';
  return (await api.sql<{ total: number }>(text))[0]?.total ?? 0;
}

/** Expects the stored digest to be that of a secret. */
export async function expectSecret(api: TestApi, id: number, secret: string): Promise<void> {
  const text = `select secret_digest = sha256(convert_to($2, 'UTF8')) as same from oauth_applications where id = $1`;
  expect(await api.sql(text, [id, secret])).toEqual([{ same: true }]);
}

/** The value of an input of a page, empty if there is no such input. */
export const inputValue = (name: string, { text }: PageReply): string =>
  new RegExp(`<input [^>]*name="${name}"[^>]*value="([^"]*)"`, 's').exec(text)?.[1] ?? '';
