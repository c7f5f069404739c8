import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** An S3 of one test, with the bucket `forge`. */
export interface TestS3 {
  /** OBJECT_STORE_URL of one of its buckets. */
  url(bucket: string): string;
  close(): Promise<void>;
}

interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
// CommonJS without types, in a package of its own (scripts/clients.mjs).
const S3rver = createRequire(resolve('test/tools/package.json'))('s3rver') as new (
  options: object,
) => S3Server;

/** Starts a server on a free port. */
export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'forgeplane-s3-'));
  const buckets = [{ name: 'forge' }];
  const options = { port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: buckets };
  const server = new S3rver(options);
  const { port } = await server.run();
  return {
    url: (bucket) =>
      `s3://S3RVER:S3RVER@${bucket}?endpoint=http://127.0.0.1:${port}&region=eu-west-1&forcePathStyle=true`,
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
