import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '#kernel/config/load-config.js';
import type { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { SweepUploadsProcessor } from '#kernel/object-storage/uploads/sweep-uploads.processor.js';

interface Upload {
  readonly key: string;
  readonly id: string;
  readonly daysAgo: number;
}

let server: Server;
let store: ObjectStorage;
let uploads: Upload[];
let isDenied: boolean;

/** The pages of a listing have one upload each. */
function page(query: URLSearchParams): string {
  const own = uploads.filter(({ key }) => key.startsWith(query.get('prefix') ?? ''));
  const at = own.findIndex(({ id }) => id === query.get('upload-id-marker')) + 1;
  const [one, next] = own.slice(at);
  const found = one
    ? `<Upload><Key>${one.key}</Key><UploadId>${one.id}</UploadId><Initiated>${new Date(Date.now() - one.daysAgo * 86_400_000).toISOString()}</Initiated></Upload>
      <NextKeyMarker>${one.key}</NextKeyMarker><NextUploadIdMarker>${one.id}</NextUploadIdMarker>`
    : '';
  return `<ListMultipartUploadsResult>${found}<IsTruncated>${next !== undefined}</IsTruncated></ListMultipartUploadsResult>`;
}

beforeEach(async () => {
  isDenied = false;
  server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://s3');
    if (isDenied) response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    else if (request.method === 'DELETE') {
      const isThere = uploads.some(({ id }) => id === query.get('uploadId'));
      uploads = uploads.filter(({ key, id }) => `/forge/${key}` !== pathname || id !== query.get('uploadId'));
      if (isThere) response.writeHead(204).end();
      else response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
    } else response.end(page(query));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `s3://a:b@forge/own?endpoint=http://127.0.0.1:${port}&region=eu-west-1&forcePathStyle=true`;
  store = await openObjectStorage(loadConfig({ OBJECT_STORE_URL: url }));
  uploads = [
    { key: 'own/artifacts/1', id: 'lost', daysAgo: 8 },
    { key: 'own/artifacts/1', id: 'running', daysAgo: 1 },
    { key: 'own/artifacts/2', id: 'long-lost', daysAgo: 80 },
    { key: 'foreign/1', id: 'foreign', daysAgo: 80 },
  ];
});

afterEach(async () => {
  store.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('the parts of uploads that no process finishes any more are removed, and no others', async () => {
  await new SweepUploadsProcessor(store).process();
  expect(uploads.map(({ id }) => id)).toEqual(['running', 'foreign']);
});

it('two processes may do that at the same time', async () => {
  await Promise.all([store.removeStale(), store.removeStale()]);
  expect(uploads.map(({ id }) => id)).toEqual(['running', 'foreign']);
});

it('a store that grants no right to list uploads is left alone', async () => {
  isDenied = true;
  await new SweepUploadsProcessor(store).process();
  expect(uploads).toHaveLength(4);
});
