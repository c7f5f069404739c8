import pg from 'pg';
import { Agent, request as send } from 'node:http';
import type { GitBench } from '../git.js';
import { wholeTreeMicroseconds } from '../load.js';
import type { Report } from '../report.js';
import { startOidcPeer, type Server } from '../servers.js';
import { inTurns, type Side } from '../sides.js';
import { CLIENT, createClient, REDIRECT_URI, SECRET, seedProduct, VERIFIER, type Seed } from './oauth-world.js';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`,
};

function post(url: string, parameters: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(parameters).toString();
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(`${url}: ${answer.statusCode} ${text}`))));
    });
    outgoing.on('error', reject).end(body);
  });
}

/** One provider: its endpoints, and how its stock of secrets is created. */
interface Provider {
  readonly server: Server;
  readonly token: string;
  readonly introspection: string;
  seed(seed: Seed, count: number): Promise<string[]>;
}

/** One kind of request; `next` is the secret for the next one. */
interface Kind {
  readonly what: string;
  readonly seed: Seed;
  ask(provider: Provider, secret: string): Promise<string | null>;
}

const refreshToken = (text: string): string => (JSON.parse(text) as { refresh_token: string }).refresh_token;

const exchange = async ({ token }: Provider, code: string): Promise<null> => {
  const text = await post(token, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER });
  if (!refreshToken(text)) throw new Error(`No refresh token in ${text}`);
  return null;
};

const KINDS: readonly Kind[] = [
  {
    what: 'introspection',
    seed: { kind: 'access', scope: 'api' },
    ask: async ({ introspection }, secret) => {
      const text = await post(introspection, { token: secret });
      if (!text.includes('"active":true')) throw new Error(text);
      return secret;
    },
  },
  {
    what: 'refresh grant',
    seed: { kind: 'refresh', scope: 'api' },
    ask: async ({ token }, secret) => refreshToken(await post(token, { grant_type: 'refresh_token', refresh_token: secret })),
  },
  { what: 'code exchange', seed: { kind: 'code', scope: 'api' }, ask: exchange },
  { what: 'code exchange with id_token', seed: { kind: 'code', scope: 'openid api' }, ask: exchange },
];

/** Clients at the same time. */
const CALLERS = [1, 16] as const;

/** A side whose callers share a stock of secrets; it is filled before CPU is counted. */
function side(provider: Provider, kind: Kind, callers: number, postgresPid: number, stock: string[]): Side {
  return {
    cpu: () => wholeTreeMicroseconds(provider.server.pid) + wholeTreeMicroseconds(postgresPid),
    work: async (times) => {
      let left = times;
      const caller = async (): Promise<void> => {
        let secret: string | null = null;
        while (left > 0) {
          left -= 1;
          secret = await kind.ask(provider, secret ?? stock.pop() ?? '');
        }
      };
      await Promise.all(Array.from({ length: callers }, caller));
    },
  };
}

/** Introspection, refreshes and exchanges compared with `oidc-provider` on the same PostgreSQL. */
export async function measureOauthPeer(report: Report, bench: GitBench, server: Server): Promise<void> {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  try {
    await client.query('create database peer');
    await createClient(client);
    const peer = await startOidcPeer(bench.databaseUrl.replace(/\/[^/?]+(\?|$)/, '/peer$1'));
    try {
      await measureKinds(report, bench, client, ours(server, client), others(peer));
    } finally {
      await peer.stop();
    }
  } finally {
    await client.end();
  }
}

const ours = (server: Server, client: pg.Client): Provider => ({
  server,
  token: `${server.url}/oauth/token`,
  introspection: `${server.url}/oauth/introspect`,
  seed: (seed, count) => seedProduct(client, seed, count),
});

const others = (server: Server): Provider => ({
  server,
  token: `${server.url}/token`,
  introspection: `${server.url}/token/introspection`,
  seed: async ({ kind, scope }, count) => (await (await fetch(`${server.url}/seed?kind=${kind}&scope=${scope}&count=${count}`)).json()) as string[],
});

async function measureKinds(report: Report, { postgresPid, isQuick }: GitBench, client: pg.Client, own: Provider, theirs: Provider): Promise<void> {
  const turns = isQuick ? { rounds: 3, times: 300 } : { rounds: 7, times: 1_000 };
  for (const kind of KINDS) {
    for (const callers of CALLERS) {
      // A refresh continues with the token that it got; codes are used up.
      const count = (turns.rounds + 1) * (kind.seed.kind === 'code' ? turns.times : callers);
      const stocks = { own: await own.seed(kind.seed, count), theirs: await theirs.seed(kind.seed, count) };
      await client.query('checkpoint');
      const { own: cost, theirs: reference } = await inTurns(
        side(own, kind, callers, postgresPid, stocks.own),
        side(theirs, kind, callers, postgresPid, stocks.theirs),
        turns,
      );
      report.add('beside oidc-provider', { what: kind.what, callers, peerCpuMs: reference?.cpu, productCpuMs: cost.cpu, ratio: cost.cpu / (reference?.cpu ?? 1) });
    }
  }
}
