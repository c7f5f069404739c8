import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startS3 } from './s3-server.js';

/** Answers a request in place of the store; false to pass it on. */
export type Meddle = (request: IncomingMessage, response: ServerResponse) => boolean;

/** An S3 whose answers a test may replace. */
export interface MeddlingS3 {
  /** OBJECT_STORE_URL of one of its buckets. */
  url(bucket: string): string;
  /** Replaces answers from now on; without an argument, none. */
  meddle(how?: Meddle): void;
  close(): Promise<void>;
}

/** Starts an S3 behind a proxy that can answer in its place. */
export async function startMeddlingS3(): Promise<MeddlingS3> {
  const s3 = await startS3();
  const { hostname, port } = new URL(new URL(s3.url('forge')).searchParams.get('endpoint') ?? '');
  let meddle: Meddle | undefined;
  const proxy = createServer((request, response) => {
    if (meddle?.(request, response)) {
      request.resume();
      return;
    }
    const { method, url: path, headers } = request;
    const onward = send({ hostname, port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const own = (proxy.address() as AddressInfo).port;
  return {
    url: (bucket) => s3.url(bucket).replace(`127.0.0.1:${port}`, `127.0.0.1:${own}`),
    meddle: (how) => {
      meddle = how;
    },
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await s3.close();
    },
  };
}

/** Answers with an error of S3. */
export function s3Error(response: ServerResponse, status: number, code: string, isEmpty = false): true {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>-</Message></Error>`;
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(isEmpty ? undefined : body);
  return true;
}
