import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkingCopy } from '../../support/git.js';
import { basicHeader, gitUrl, packet, type Login } from '../../support/git-http.js';
import { Installation, type Member } from '../../support/installation.js';
import { ROOT_TOKEN } from '../../support/processes.js';

const MEBIBYTE = 1024 * 1024;
// More than a hundred: then git keeps the pack, and sends it unchanged.
const FILES = 200;
const FILE_BYTES = MEBIBYTE;
const ROOT: Login = ['root', ROOT_TOKEN];

describe('a push of 200 MB', () => {
  let installation: Installation;
  let product: Member;
  let work: WorkingCopy;
  let url: string;
  beforeAll(async () => {
    installation = await Installation.create();
    product = await installation.start('all');
    expect((await product.client.post('/projects', { name: 'large' })).status).toBe(201);
    url = gitUrl(product, '/root/large.git', ROOT);
    work = await new WorkingCopy().init();
    for (let number = 0; number < FILES; number += 1)
      writeFileSync(join(work.path, `${number}.bin`), randomBytes(FILE_BYTES));
    await work.git('config', 'core.compression', '0');
    // The client would search random bytes for deltas.
    await work.git('config', 'core.bigFileThreshold', '256k');
    await work.git('add', '--all');
    await work.git('commit', '--quiet', '--message', 'Large');
  });
  afterAll(async () => {
    work.remove();
    await installation.close();
  });

  /** The most memory that the process of the service has ever held, in bytes. */
  const peak = (): number =>
    1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1]);

  it('is chunked, follows a probe, and is not held in the memory of the service', async () => {
    const before = peak();
    const { code, stderr } = await work.run(['push', url, 'main'], {
      GIT_TRACE_CURL: '1',
      GIT_TRACE_CURL_NO_DATA: '1',
    });
    expect([code, stderr.includes('main -> main')]).toEqual([0, true]);
    expect(stderr).toContain('Transfer-Encoding: chunked');
    expect(stderr).toContain('Content-Length: 4');
    expect(peak() - before).toBeLessThan(120 * MEBIBYTE);
    expect(await installation.count('select count(*) from running_pushes')).toBe(0);
  });

  it('can be fetched, without being held in the memory of the service', async () => {
    const before = peak();
    const id = await work.git('rev-parse', 'main');
    const answer = await fetch(`${product.url}/root/large.git/git-upload-pack`, {
      method: 'POST',
      body: `${packet(`want ${id}\n`)}0000${packet('done\n')}`,
      headers: { 'Content-Type': 'application/x-git-upload-pack-request', ...basicHeader(ROOT) },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/x-git-upload-pack-result',
    ]);
    let size = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) size += chunk.length;
    expect(size).toBeGreaterThan(FILES * FILE_BYTES);
    expect(peak() - before).toBeLessThan(60 * MEBIBYTE);
  });

  it('gets an immediate response to the probe', async () => {
    const headers = { 'Content-Type': 'application/x-git-receive-pack-request', ...basicHeader(ROOT) };
    const probe = (body: string): Promise<Response> =>
      fetch(`${product.url}/root/large.git/git-receive-pack`, { method: 'POST', body, headers });
    const right = await probe('0000');
    expect([right.status, await right.text()]).toEqual([200, '']);
    expect((await probe('0001')).status).toBe(400);
  });
});
