import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { codeProject, refusalOf, type CodeProject } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: CodeProject;
let id: string;
let first: string;
const folder = mkdtempSync(join(tmpdir(), 'forgeplane-archive-'));

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'code');
  first = await project.work.commit({ 'a.txt': 'a' }, 'First');
  id = await project.work.commit({ 'docs/x y.md': 'x', '.gitattributes': '*.md export-subst\n' }, 'Second');
  await project.work.git('branch', 'feature/x');
  await project.push();
});
afterAll(async () => {
  project.work.remove();
  rmSync(folder, { recursive: true });
  await api.close();
});

/** Names in the archive of a response. */
async function unpack(rest: string): Promise<{ names: string[]; headers: Headers }> {
  const answer = await fetch(`${api.url}/api/v4${project.base}/archive${rest}`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  expect(answer.status).toBe(200);
  const file = join(folder, 'archive');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const isZip = rest.startsWith('.zip');
  const list = isZip
    ? execFileSync('python3', [
        '-c',
        'import sys,zipfile\nprint("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))',
        file,
      ])
    : execFileSync('tar', ['tf', file]);
  const names = list
    .toString()
    .trim()
    .split('\n')
    .filter((name) => !name.endsWith('/'));
  return { names, headers: answer.headers };
}

describe('the archive of a repository', () => {
  it.each(['', '.tar.gz', '.tgz', '.tar', '.zip'])('is sent as %j', async (format) => {
    const { names, headers } = await unpack(format);
    const prefix = `code-main-${id}`;
    expect(names.sort()).toEqual([`${prefix}/.gitattributes`, `${prefix}/a.txt`, `${prefix}/docs/x y.md`]);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toContain(
      `attachment; filename="${prefix}${format || '.tar.gz'}"`,
    );
  });

  it('can be of a ref or of a folder', async () => {
    expect((await unpack(`.tar?sha=${first}`)).names).toEqual([`code-${first}-${first}/a.txt`]);
    expect((await unpack('.tar?sha=feature/x&path=docs')).names).toEqual([
      `code-feature-x-${id}-docs/docs/x y.md`,
    ]);
    const head = await api.root.send('HEAD', `${project.base}/archive.zip`);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('is refused for missing refs and folders', async () => {
    for (const sha of ['none', 'HEAD~1', '--output=/tmp/forgeplane-x', '--remote=x', 'main:docs'])
      expect([
        sha,
        ...refusalOf(await api.root.get(`${project.base}/archive?sha=${encodeURIComponent(sha)}`)),
      ]).toEqual([sha, 404, '404 File Not Found']);
    for (const path of ['none', '../x', '--output=x', ':(glob)**', 'do*'])
      expect([
        path,
        (await api.root.get(`${project.base}/archive?path=${encodeURIComponent(path)}`)).status,
      ]).toEqual([path, 404]);
    expect((await api.root.get(`${project.base}/archive.rar`)).status).toBe(400);
    expect((await api.anonymous.get(`${project.base}/archive`)).status).toBe(404);
  });
});
