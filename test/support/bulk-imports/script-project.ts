import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FakeSource } from '../fake-source.js';
import type { WorkingCopy } from '../git.js';

/** Scripts a private project `old/app` with the id 7; `lines` are its records by relation. */
export function scriptProject(
  source: FakeSource,
  attributes: object = {},
  lines: Readonly<Record<string, string>> = {},
): void {
  const project = {
    id: 7,
    name: 'App',
    path_with_namespace: 'old/app',
    visibility: 'private',
    default_branch: 'main',
    ...attributes,
  };
  source
    .json('GET /api/v4/version', { version: '15.0.0' })
    .json('GET /api/v4/projects/old%2Fapp', project)
    .json('GET /api/v4/projects/7', project)
    .on('POST /api/v4/projects/7/export_relations', { status: 202, body: {} })
    .on('GET /api/v4/projects/7/export_relations/status', ({ query }) => ({
      body: query.has('relation') ? { relation: query.get('relation'), status: 1 } : [],
    }))
    .on('GET /api/v4/projects/7/export_relations/download', ({ query }) => ({
      body: gzipSync(lines[query.get('relation') ?? ''] ?? ''),
    }))
    .json('GET /api/v4/projects/7/members', [])
    .json('GET /api/v4/projects/7/snippets', []);
}

/**
 * Serves the branches and tags of a working copy as files, as a server does that knows nothing of git; `before`
 * is called before a pack is sent.
 */
export async function serveFiles(
  source: FakeSource,
  path: string,
  work: WorkingCopy,
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const bare = `${work.path}.git`;
  await work.git('clone', '--quiet', '--bare', work.path, bare);
  await work.git('--git-dir', bare, 'repack', '-adq');
  await work.git('--git-dir', bare, 'update-server-info');
  for (const name of readdirSync(bare, { recursive: true, encoding: 'utf8' })) {
    if (!statSync(join(bare, name)).isFile()) continue;
    const body = readFileSync(join(bare, name));
    source.on(`GET /${path}.git/${name}`, async () => {
      if (name.endsWith('.pack')) await before();
      return { body };
    });
  }
  rmSync(bare, { recursive: true });
}
