import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a request is answered with; `sent` runs once it has left. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly sent?: () => void;
}

/** A request as the handlers see it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Origin of the links in the answer. */
  readonly host: string;
}

/** An answer that ends the request early. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** @throws Refusal unless it holds */
export function require(holds: boolean, status: number, message: string): asserts holds {
  if (!holds) throw new Refusal(status, message);
}

/** Reads a request to its end. */
export async function read(request: IncomingMessage): Promise<Sent> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const [path = '', query = ''] = (request.url ?? '').split('?');
  return {
    ...{ method: request.method ?? '', path, query: new URLSearchParams(query), headers: request.headers },
    ...{ text: Buffer.concat(parts).toString('utf8'), host: `http://${request.headers.host ?? ''}` },
  };
}

/** The hash that a JSON body is. @throws 400 */
export function json(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, '400 Bad request');
  }
  require(typeof value === 'object' && value !== null && !Array.isArray(value), 400, '400 Bad request');
  return value as Record<string, unknown>;
}

/** A text of at most so many characters. @throws 400 */
export function textOf(value: unknown, name: string, most: number): string {
  require(typeof value === 'string' && value !== '' && value.length <= most, 400, `${name} is invalid`);
  return value;
}

/** The same, or null where there is none. @throws 400 */
export const textOrNull = (value: unknown, name: string, most: number): string | null =>
  value === undefined || value === null ? null : textOf(value, name, most);

/** Answers with JSON. */
export function answer(response: ServerResponse, { status, body, headers, sent }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers });
  if (sent) response.once('finish', sent);
  response.end(text);
}
