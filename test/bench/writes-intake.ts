import { createHash, randomBytes } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { LoadRequest } from './load.js';
import type { Write } from './writes-requests.js';
import { ask, type WritesWorld } from './writes-world.js';

const SECRET = 'bench-client-secret';
const VERIFIER = 'a-verifier-of-the-benchmark-that-is-long-enough';
const REDIRECT = 'https://client.example/cb';

/** Requests of other programs: alerts, errors, refresh tokens and codes. */
export function intakeWrites(world: WritesWorld): Write[] {
  return [
    { what: 'one new alert a body', bar: '<= 1.2', isCompared: true, make: (count) => newAlerts(world, count) },
    { what: 'one error event', isCompared: true, make: (count) => errorEvents(world, count) },
    { what: 'refresh grant', isCompared: true, make: (count) => refreshes(world, count) },
    { what: 'code exchange', make: (count) => exchanges(world, count) },
  ];
}

async function newAlerts(world: WritesWorld, count: number): Promise<LoadRequest[]> {
  const { url, token } = await ask<{ url: string; token: string }>(world.product, 'POST', `/api/v4/projects/${world.projectId}/alert_management/integrations`, { name: 'bench' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return world.times(count, (index) => ({
    ...{ method: 'POST', path: new URL(url).pathname, headers },
    body: JSON.stringify({ title: `Alert ${index}`, fingerprint: `f${index}`, severity: 'high', service: 'shop', hosts: ['web-1', 'web-2'], description: 'More requests fail than may', details: { requests: 1_000, failed: 77 } }),
  }));
}

async function errorEvents(world: WritesWorld, count: number): Promise<LoadRequest[]> {
  const { product, projectId } = world;
  await ask(product, 'PUT', `/api/v4/projects/${projectId}/error_tracking/settings`, { active: true, integrated: true });
  const { public_key: key } = await ask<{ public_key: string }>(product, 'POST', `/api/v4/projects/${projectId}/error_tracking/client_keys`);
  const frames = world.times(40, (line) => ({ filename: `/srv/shop/src/part-${line}.js`, function: `step${line}`, lineno: line, in_app: true, context_line: `  return total(cart.items, ${line});` }));
  const exception = { values: [{ type: 'TypeError', value: 'cannot read properties of undefined', stacktrace: { frames } }] };
  return world.times(count, () => {
    const id = randomBytes(16).toString('hex');
    const event = { event_id: id, timestamp: Date.now() / 1000, platform: 'node', level: 'error', environment: 'production', release: 'shop@1', exception };
    const path = `/api/v4/error_tracking/collector/api/${projectId}/envelope/?sentry_key=${key}`;
    return { method: 'POST', path, body: `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n` };
  });
}

/** An application with grants or tokens of that many users; the secrets of these. */
async function secretsOf({ client }: WritesWorld, count: number, uid: string, insert: string): Promise<string[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into oauth_applications (uid, secret_digest, name, redirect_uris, scopes, confidential) values ($1, $2, 'bench', $3, '{api}', true) returning id`,
    [uid, digestToken(SECRET), [REDIRECT]],
  );
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  for (const secret of secrets) await client.query(insert, [rows[0]?.id, digestToken(secret)]);
  return secrets;
}

const form = (uid: string, values: Record<string, string>): LoadRequest => ({
  ...{ method: 'POST', path: '/oauth/token', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  body: new URLSearchParams({ client_id: uid, client_secret: SECRET, ...values }).toString(),
});

async function refreshes(world: WritesWorld, count: number): Promise<LoadRequest[]> {
  const insert = `insert into oauth_tokens (application_id, user_id, digest, refresh_digest, scopes, expires_in, expires_at, auth_time)
    values ($1, 100, sha256($2), $2, '{api}', 7200, now() + interval '2 hours', now())`;
  const secrets = await secretsOf(world, count, 'bench-refreshes', insert);
  return secrets.map((secret) => form('bench-refreshes', { grant_type: 'refresh_token', refresh_token: secret }));
}

async function exchanges(world: WritesWorld, count: number): Promise<LoadRequest[]> {
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const insert = `insert into oauth_grants (application_id, user_id, digest, redirect_uri, scopes, code_challenge, expires_at)
    values ($1, 100, $2, '${REDIRECT}', '{api}', '${challenge}', now() + interval '10 minutes')`;
  const secrets = await secretsOf(world, count, 'bench-exchanges', insert);
  return secrets.map((code) => form('bench-exchanges', { grant_type: 'authorization_code', redirect_uri: REDIRECT, code, code_verifier: VERIFIER }));
}
