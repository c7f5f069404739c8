import { Agent, request } from 'node:http';

/** One response, read to its end. */
export interface Exchanged {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What is sent besides the URL. */
export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Free connections are closed long before the product does. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 });

/** Sends a request over HTTP on a kept connection, without redirects; `fetch` takes three times as much CPU time. */
export function exchange(url: string, { method, headers, body }: Sent): Promise<Exchanged> {
  const content = body === undefined ? undefined : Buffer.from(body);
  const own = {
    Accept: '*/*',
    'User-Agent': 'node',
    ...(content === undefined ? {} : { 'Content-Length': String(content.length) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...own, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = new TextDecoder().decode(Buffer.concat(parts));
        resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer.rawHeaders), text });
      });
    });
    sent.once('error', reject);
    sent.end(content);
  });
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return headers;
}
