import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCli } from '../support/cli.js';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';
import { until } from '../support/until.js';

/** Steps of a push by the product: accepted, its objects are moved in, its refs have changed, its transaction ends. */
const WRITE_STEPS = ['accept', 'move', 'moved', 'note', 'commit', 'committed'];
const STEPS = {
  push: ['accept', 'note', 'commit', 'committed'],
  commit: WRITE_STEPS,
  attachment: WRITE_STEPS,
  'new snippet': WRITE_STEPS,
  'changed snippet': WRITE_STEPS,
  upload: ['move', 'moved', 'note', 'commit', 'committed'],
} as const;
type Kind = keyof typeof STEPS;

/** Steps after which the refs of a write have changed, before the push is processed. */
const UNNOTED = ['note', 'commit'];

/** Whether a write is visible directly after the crash. New snippets wait for the push of their files. */
const isDone = (kind: Kind, step: string): boolean =>
  step === 'committed' || (kind !== 'upload' && kind !== 'new snippet' && UNNOTED.includes(step));

const folder = mkdtempSync(join(tmpdir(), 'forgeplane-crash-'));
const crashFile = join(folder, 'crash');
let installation: Installation;
let member: Member;
let work: WorkingCopy;
let project: number;
let snippet: number;

const start = async (): Promise<void> => {
  const preload = `--import=${resolve('test/support/crash-at.mjs')}`;
  const env = { DATA_DIR: join(folder, 'data'), NODE_OPTIONS: preload, CRASH_FILE: crashFile };
  member = await installation.start('all', env);
};
const remote = (name: string): string => gitUrl(member, `/root/${name}.git`, ['root', ROOT_TOKEN]);

/** Returns the text of a response; null if it does not exist. @throws for any other response */
async function textAt(path: string): Promise<string | null> {
  const { status, text } = await member.client.get(path);
  if (status !== 200 && status !== 404) throw new Error(`${path}: ${status} ${text}`);
  return status === 200 ? text : null;
}

const uploadAt = (name: string): string => `/projects/${project}/packages/generic/tool/1/${name}`;

/** Does a write, named after the step; returns whether it was accepted. */
const WRITES: Readonly<Record<Kind, (name: string) => Promise<boolean>>> = {
  push: async (name) =>
    (await work.run(['push', '--quiet', remote('held'), `main:refs/heads/${name}`])).code === 0,
  commit: async (name) => {
    const actions = [{ action: 'create', file_path: name, content: name }];
    const body = { branch: 'main', commit_message: name, actions };
    return (await member.client.post(`/projects/${project}/repository/commits`, body)).status === 201;
  },
  attachment: async (name) => {
    const form = new FormData();
    form.set('file', new Blob([name]), `${name}.txt`);
    const url = `${member.url}/api/v4/projects/${project}/wikis/attachments`;
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
    return (await fetch(url, { method: 'POST', headers, body: form })).status === 201;
  },
  'new snippet': async (name) => {
    const body = { title: name, visibility: 'private', files: [{ file_path: 'a', content: name }] };
    return (await member.client.post('/snippets', body)).status === 201;
  },
  'changed snippet': async (name) => {
    const files = [{ action: 'update', file_path: 'a', content: name }];
    return (await member.client.put(`/snippets/${snippet}`, { files })).status === 200;
  },
  upload: async (name) => (await member.client.send('PUT', uploadAt(name), name)).status === 201,
};

/** Whether a write is completely visible. @throws if only a part of it exists */
const SEEN: Readonly<Record<Kind, (name: string) => Promise<boolean>>> = {
  push: async (name) => {
    const wanted = (await work.git('rev-parse', 'main')).trim();
    const { stdout } = await work.run(['ls-remote', remote('held'), `refs/heads/${name}`]);
    const shown = await textAt(`/projects/${project}/repository/branches/${name}`);
    expect(shown?.includes(wanted) ?? false).toBe(stdout.startsWith(wanted));
    return shown !== null;
  },
  commit: async (name) => {
    const text = await textAt(`/projects/${project}/repository/files/${name}/raw?ref=main`);
    const commits = await member.client.get<{ title: string }[]>(`/projects/${project}/repository/commits`);
    expect(commits.body.some(({ title }) => title === name)).toBe(text !== null);
    expect([null, name]).toContain(text);
    return text !== null;
  },
  attachment: async (name) => {
    const clone = join(folder, `wiki-${name}`);
    await work.git('clone', '--quiet', remote('held.wiki'), clone);
    const files = await work.git('-C', clone, 'ls-files');
    const path = files.split('\n').find((file) => file.endsWith(`/${name}.txt`));
    if (path !== undefined) expect(await work.git('-C', clone, 'show', `HEAD:${path}`)).toBe(name);
    rmSync(clone, { recursive: true });
    return path !== undefined;
  },
  'new snippet': async (name) => {
    const { body } = await member.client.get<{ id: number; title: string }[]>('/snippets');
    const found = body.find(({ title }) => title === name);
    if (found) expect(await textAt(`/snippets/${found.id}/raw`)).toBe(name);
    return found !== undefined;
  },
  'changed snippet': async (name) => {
    const text = await textAt(`/snippets/${snippet}/raw`);
    expect(text).not.toBeNull();
    return text === name;
  },
  upload: async (name) => {
    const text = await textAt(uploadAt(name));
    expect([null, name]).toContain(text);
    return text !== null;
  },
};

beforeAll(async () => {
  installation = await Installation.create();
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': 'one\n' });
  await start();
  project = (await member.client.post<{ id: number }>('/projects', { name: 'held' })).body.id;
  expect(await WRITES.push('main')).toBe(true);
  expect(await WRITES.attachment('first')).toBe(true);
  const body = { title: 'first', visibility: 'private', files: [{ file_path: 'a', content: 'first' }] };
  snippet = (await member.client.post<{ id: number }>('/snippets', body)).body.id;
});
afterAll(async () => {
  await installation.close();
  work.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.keys(STEPS) as Kind[])('a process that is lost during a write: %s', (kind) => {
  it.each(STEPS[kind])('%s: all or nothing was written, and the write can be repeated', async (step) => {
    const name = `${kind.replace(' ', '-')}-${step}`;
    writeFileSync(crashFile, step);
    expect(await WRITES[kind](name).catch(() => false)).toBe(false);
    expect(await member.ended).toBe('SIGKILL');
    await start();
    // No process handles it before the end: otherwise it would be the write in which the next process is lost.
    await installation.sql(`update running_pushes set heartbeat_at = now() + interval '1 hour'`);
    expect(await SEEN[kind](name)).toBe(isDone(kind, step));
    const again = `${name}-again`;
    expect(await WRITES[kind](isDone(kind, step) ? again : name)).toBe(true);
    expect(await SEEN[kind](isDone(kind, step) ? again : name)).toBe(true);
  });
});

it('every push is processed once, and nothing is left behind or damaged', async () => {
  await installation.sql(`update running_pushes set heartbeat_at = now() - interval '1 hour'`);
  await until(async () => (await installation.count('select count(*) from running_pushes')) === 0, 90_000);
  const { body } = await member.client.get<{ push_data?: { ref: string } }[]>(
    `/projects/${project}/events?per_page=100`,
  );
  const told = body.flatMap(({ push_data: data }) => (data?.ref.startsWith('push-') ? [data.ref] : []));
  const { stdout } = await work.run(['ls-remote', remote('held'), 'refs/heads/push-*']);
  const refs = stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/^.*refs\/heads\//, ''));
  expect(told.sort()).toEqual(refs.sort());
  const snippets = await member.client.get<{ id: number; title: string }[]>('/snippets?per_page=100');
  for (const step of UNNOTED) {
    const made = snippets.body.filter(({ title }) => title === `new-snippet-${step}`);
    // The lost write and its repetition.
    expect(made).toHaveLength(2);
    for (const { id, title } of made) expect(await textAt(`/snippets/${id}/raw`)).toBe(title);
  }
  const env = { DATABASE_URL: installation.databaseUrl, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
  const check = await runCli(['storage', 'check', '--fsck'], env);
  expect([check.code, check.stdout, check.stderr]).toEqual([0, expect.any(String), '']);
});
