import { Agent, request as send } from 'node:http';
import type { LoadRequest } from './load.js';
import type { Server } from './servers.js';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends requests one after the other; their answers. @throws when one is refused */
export async function sendAll({ url }: Server, requests: readonly LoadRequest[]): Promise<string[]> {
  const answers: string[] = [];
  for (const request of requests) answers.push(await sendOne(url, request));
  return answers;
}

function sendOne(url: string, { method, path, headers, body = '' }: LoadRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: method ?? 'GET', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
    const outgoing = send(url + path, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        if ((answer.statusCode ?? 0) < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}
