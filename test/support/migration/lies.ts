import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fault, PassedRequest } from './source-proxy.js';

/** A manipulation of one response of a source. */
type Lie = (response: ServerResponse, request: PassedRequest) => void;

const GZIP = { 'Content-Type': 'application/gzip' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Manipulates all requests that match a pattern. */
export const whenever =
  (pattern: RegExp, lie: Lie): Fault =>
  (request, response) => {
    if (!pattern.test(`${request.method} ${request.path}`)) return false;
    lie(response, request);
    return true;
  };

/** The downloads of a relation of any entity, or of the entity with that id. */
export const downloadOf = (relation: string, id = '\\d+'): RegExp =>
  new RegExp(`/${id}/export_relations/download\\?(.*&)?relation=${relation}(&|$)`);

/** The same file for every download. */
export const file =
  (content: Buffer): Lie =>
  (response) => {
    response.writeHead(200, GZIP).end(content);
  };

/** Closes the connection without a response. */
export const hangUp: Lie = (response) => {
  response.destroy();
};

/** Responds with that status. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Lie =>
  (response) => {
    response.writeHead(code, { ...JSON_TYPE, ...headers }).end('{"message":"no"}');
  };

/** A body that is shorter than its declared length. */
export const tooShort: Lie = (response) => {
  response.writeHead(200, { ...GZIP, 'Content-Length': '100000' });
  response.write(gzipSync('{"title":"x"}\n'));
  setTimeout(() => response.destroy(), 50);
};

/** Sends one byte now and then, endlessly. */
export const slow: Lie = (response) => {
  response.writeHead(200, { ...GZIP, 'Content-Length': '1000000' });
  const timer = setInterval(() => response.write('\x1f'), 100);
  response.on('close', () => clearInterval(timer));
};

/** A file that is cut off without any sign of it. */
export const truncated: Lie = (response, request) => {
  const lines = gzipSync(`${JSON.stringify({ title: request.path.repeat(40) })}\n`.repeat(500));
  file(lines.subarray(0, lines.length - 20))(response, request);
};

/** Returns the number of the requested page. */
export const pageOf = ({ path }: PassedRequest): number => Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1);

/** An endless list: each page has new items. */
export const endlessPages =
  (key: string): Lie =>
  (response, request) => {
    const page = pageOf(request);
    const rows = [{ id: page + 1_000_000, [key]: `endless-${page}`, access_level: 10 }];
    response.writeHead(200, { ...JSON_TYPE, 'X-Next-Page': String(page + 1) }).end(JSON.stringify(rows));
  };

/** Any list or record of JSON. */
export const json =
  (value: unknown): Lie =>
  (response) => {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(value));
  };
