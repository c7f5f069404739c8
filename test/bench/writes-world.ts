import { join } from 'node:path';
import type pg from 'pg';
import { digestToken } from '#kernel/crypto/tokens.js';
import { makeRepository, runGit } from './git-world.js';
import type { LoadRequest } from './load.js';
import { sendAll } from './send-all.js';
import type { Server } from './servers.js';

/** Root's token. */
export const ROOT = 'glpat-bench-root-token-01';
const AUTHOR = 'glpat-bench-author-token-1';
const RUNNER = 'glrt-bench-runner-of-writes';

/** Targets of the writes: the caller is a Maintainer through the group, one of ten members. */
export interface WritesWorld {
  readonly product: Server;
  readonly client: pg.Client;
  readonly runnerToken: string;
  /** A project without a repository, and one with. */
  readonly projectId: number;
  readonly codeId: number;
  /** A commit of its branch main. */
  readonly sha: string;
  /** Somebody else in the group. */
  readonly colleague: { readonly id: number; readonly username: string };
  /** A list of that many. */
  times<T>(count: number, make: (index: number) => T): T[];
  /** Requests of the caller. */
  post(path: string, body: object): LoadRequest;
  put(path: string, body: object): LoadRequest;
}

/** Objects created by a request. */
interface Made {
  readonly id: number;
  readonly iid: number;
  readonly token: string;
}

/** Sends requests one after the other; what they have made. */
export async function postAll({ product }: WritesWorld, requests: readonly LoadRequest[]): Promise<Made[]> {
  return (await sendAll(product, requests)).map((text) => JSON.parse(text) as Made);
}

/** Asks the API as root. @throws when it refuses */
export async function ask<T>(product: Server, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'private-token': ROOT, 'content-type': 'application/json' };
  const answer = await fetch(`${product.url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** A group with ten members and two projects, one with a repository. */
export async function createWritesWorld(product: Server, client: pg.Client, folder: string): Promise<WritesWorld> {
  const group = await ask<{ id: number }>(product, 'POST', '/api/v4/groups', { name: 'Shop', path: 'shop' });
  await client.query(
    `insert into users (id, username, name, email, confirmed_at, last_activity_on, current_sign_in_at)
     select i, 'bench' || i, 'Bench ' || i, 'bench' || i || '@example.com', now(), current_date, now() from generate_series(100, 1109) i`,
  );
  await client.query(
    `insert into members (source_type, source_id, user_id, access_level) select 'Namespace', $1, u, 40 from generate_series(100, 109) u`,
    [group.id],
  );
  await client.query(
    `insert into personal_access_tokens (user_id, name, digest, scopes, last_used_at) values (100, 'bench', $1, '{api}', now() + interval '1 day')`,
    [digestToken(AUTHOR)],
  );
  await client.query(
    `insert into ci_runners (runner_type, token_digest, description, run_untagged) values ('instance_type', $1, 'bench', true)`,
    [digestToken(RUNNER)],
  );
  const make = (name: string): Promise<{ id: number; path_with_namespace: string }> =>
    ask(product, 'POST', '/api/v4/projects', { name, namespace_id: group.id });
  const project = await make('plain');
  const code = await make('code');
  const source = join(folder, 'writes.git');
  makeRepository(source, 10);
  const url = `${product.url.replace('//', `//root:${ROOT}@`)}/${code.path_with_namespace}.git`;
  runGit(['--git-dir', source, 'push', '--quiet', url, 'main']);
  await ask(product, 'POST', `/api/v4/projects/${code.id}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: 'main', commit_message: 'Add jobs', content: 'build:\n  script: make\n' },
  });
  const head = await ask<{ id: string }>(product, 'GET', `/api/v4/projects/${code.id}/repository/commits/main`);
  for (const name of ['bug', 'search']) await ask(product, 'POST', `/api/v4/projects/${project.id}/labels`, { name, color: '#aabbcc' });
  const sending = (method: 'POST' | 'PUT') => (path: string, body: object): LoadRequest => ({
    ...{ method, path, body: JSON.stringify(body) },
    headers: { 'private-token': AUTHOR, 'content-type': 'application/json' },
  });
  return {
    times: (count, makeOne) => Array.from({ length: count }, (_, index) => makeOne(index)),
    ...{ post: sending('POST'), put: sending('PUT') },
    ...{ product, client, runnerToken: RUNNER, projectId: project.id, codeId: code.id },
    ...{ sha: head.id, colleague: { id: 101, username: 'bench101' } },
  };
}
