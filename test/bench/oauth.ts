import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hashPassword } from '#kernel/crypto/passwords.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { compare } from './compare.js';
import type { Bench } from './deployments.js';
import { cpuMicroseconds, load, median, treeMicroseconds, type LoadRequest } from './load.js';
import type { Figures, Report } from './report.js';

const CLIENT = 'bench-client';
const SECRET = 'bench-client-secret';
const PASSWORD = 'bench password 0001';
const TOKENS = 2_000;
const SIGN_INS = 50;
/** Concurrent requests per second. */
const STEADY_RATE = 100;

const hex = (index: number, kind: number): string => `${kind}${index}`.padStart(64, '0');
const pick = (): number => Math.floor(Math.random() * TOKENS);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** An application, tokens that are live and wait to be refreshed, and users with passwords. */
async function createOauthWorld(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `insert into oauth_applications (uid, secret_digest, name, redirect_uris, scopes, confidential)
     values ($1, $2, 'bench', '{https://client.example/cb}', '{api}', true) returning id`,
    [CLIENT, digestToken(SECRET)],
  );
  for (let index = 0; index < TOKENS; index += 1) {
    await client.query(
      `insert into oauth_tokens (application_id, user_id, digest, refresh_digest, scopes, expires_in, expires_at, auth_time)
       values ($1, $2, $3, $4, '{api}', 7200, now() + interval '2 hours', now())`,
      [rows[0]?.id, 100 + (index % 200), digestToken(hex(index, 1)), digestToken(hex(index, 2))],
    );
  }
  await client.query('update users set password_digest = $1 where id between 100 and 299', [await hashPassword(PASSWORD)]);
  await client.query('vacuum analyze oauth_tokens');
}

/**
 * Token information and introspection compared with a bare server with one query, refreshes, and reads while
 * passwords are hashed.
 */
export async function measureOauth(report: Report, bench: Bench): Promise<void> {
  const { product, client } = bench;
  await createOauthWorld(client);
  const settings = `${product.url}/api/v4/application/settings`;
  await fetch(settings, {
    method: 'PUT',
    headers: { 'private-token': 'glpat-bench-root-token-01', 'content-type': 'application/json' },
    body: JSON.stringify({ throttle_protected_paths_enabled: false }),
  });
  const info = (): LoadRequest => ({ method: 'GET', path: '/oauth/token/info', headers: { authorization: `Bearer ${hex(pick(), 1)}` } });
  const introspect = (): LoadRequest => ({
    method: 'POST',
    path: '/oauth/introspect',
    headers: { ...form, authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}` },
    body: `token=${hex(pick(), 1)}`,
  });
  for (const [name, next] of [['token info', info], ['introspection', introspect]] as const) {
    const sides = [{ server: bench.floor, next }, { server: product, next }] as const;
    const result = await compare(name, bench.effort, sides[0], sides[1], bench.postgresPid);
    report.add('oauth against a bare server with one query', { ...result, bar: '>= 0.90' });
  }
  report.add('oauth', await refreshes(bench));
  report.add('oauth', await readsDuringSignIns(bench));
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function post(url: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method: 'POST', agent, headers: { ...form, 'content-length': Buffer.byteLength(body) } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Sixteen clients, each renewing the token that it was given last. */
async function refreshes({ product, postgresPid, effort }: Bench): Promise<Figures> {
  const chain = async (first: number, end: number): Promise<number> => {
    let token = hex(first, 2);
    let count = 0;
    for (; performance.now() < end; count += 1) {
      const body = `grant_type=refresh_token&client_id=${CLIENT}&client_secret=${SECRET}&refresh_token=${token}`;
      const { status, text } = await post(`${product.url}/oauth/token`, body);
      if (status !== 200) throw new Error(`A refresh was refused: ${status} ${text}`);
      token = (JSON.parse(text) as { refresh_token: string }).refresh_token;
    }
    return count;
  };
  const run = async (from: number, seconds: number): Promise<number> => {
    const end = performance.now() + seconds * 1000;
    const counts = await Promise.all(Array.from({ length: 16 }, (_, index) => chain(from + index, end)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await run(0, effort.warmUpSeconds);
  const node = cpuMicroseconds([product.pid]);
  const postgres = treeMicroseconds(postgresPid);
  const seconds = effort.seconds * 2;
  const count = await run(100, seconds);
  const nodeMicroseconds = Math.round((cpuMicroseconds([product.pid]) - node) / count);
  return {
    what: 'refresh',
    perSecond: Math.round(count / seconds),
    nodeMicroseconds,
    postgresMicroseconds: Math.round((treeMicroseconds(postgresPid) - postgres) / count),
    perSecondAndCoreOfNode: Math.round(1e6 / nodeMicroseconds),
    bar: '>= 500/s per core',
  };
}

/**
 * p99 of a list at a steady rate, alone and while 50 users keep signing in by password: medians of
 * alternating rounds.
 */
async function readsDuringSignIns({ product, world, effort }: Bench): Promise<Figures> {
  const target = (): { path: string; headers: Record<string, string> } => ({
    path: `/api/v4/projects/${world.projects[pick() % world.projects.length]}/deployments?per_page=20&pagination=keyset&order_by=id&sort=asc`,
    headers: { 'private-token': world.tokens[pick() % world.tokens.length] ?? '' },
  });
  const list = (): Promise<number> => timeOf(product.url, target());
  // Until the code is compiled, that is what one would measure.
  await load(product.url, 2 * effort.warmUpSeconds, target);
  const seconds = Math.max(6, effort.seconds * 2);
  await paced(3, list);
  const rounds: { alone: number; during: number; perSecond: number }[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    const alone = await paced(seconds, list);
    rounds.push({ alone, ...(await duringSignIns(product.url, () => paced(seconds, list))) });
  }
  return {
    what: `p99 of a list at ${STEADY_RATE}/s, alone and during ${SIGN_INS} sign-ins`,
    aloneMs: median(rounds.map(({ alone }) => alone)),
    duringMs: median(rounds.map(({ during }) => during)),
    slower: median(rounds.map(({ alone, during }) => during / alone)),
    signInsPerSecond: median(rounds.map(({ perSecond }) => perSecond)),
    bar: '<= 1.50',
  };
}

/** Measures something while 50 users sign in repeatedly. */
async function duringSignIns(url: string, measureIt: () => Promise<number>): Promise<{ during: number; perSecond: number }> {
  let isRunning = true;
  let signedIn = 0;
  const begun = performance.now();
  const signIns = Array.from({ length: SIGN_INS }, async (_, index) => {
    while (isRunning) {
      const body = `grant_type=password&username=bench${100 + index}&password=${encodeURIComponent(PASSWORD)}`;
      const { status } = await post(`${url}/oauth/token`, body);
      if (status !== 200) throw new Error(`A sign-in was refused: ${status}`);
      signedIn += 1;
    }
  });
  await sleep(1000);
  const during = await measureIt();
  isRunning = false;
  await Promise.all(signIns);
  return { during, perSecond: (signedIn * 1000) / (performance.now() - begun) };
}

/** Sends one request each few milliseconds, whether the former are answered or not: p99 of the milliseconds from when it was due. */
async function paced(seconds: number, send: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  const times: Promise<number>[] = [];
  for (let count = 0; count < seconds * STEADY_RATE; count += 1) {
    const due = begun + (count * 1000) / STEADY_RATE;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    times.push(send());
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

function timeOf(base: string, { path, headers }: { path: string; headers: Record<string, string> }): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = send(base + path, { agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - begun));
    });
    outgoing.on('error', reject).end();
  });
}
