import { Agent, request as send } from 'node:http';
import type { LoadRequest } from './load.js';
import type { Server } from './servers.js';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * Sends requests one after another, by several callers at once if there are several; returns the responses.
 * @throws if one is refused
 */
export async function sendAll({ url }: Server, requests: readonly LoadRequest[], callers = 1): Promise<string[]> {
  const answers: string[] = [];
  const waiting = requests.entries();
  const call = async (): Promise<void> => {
    for (const [index, request] of waiting) answers[index] = await sendOne(url, request);
  };
  await Promise.all(Array.from({ length: callers }, call));
  return answers;
}

async function sendOne(url: string, request: LoadRequest): Promise<string> {
  try {
    return await sendOnce(url, request);
  } catch (error) {
    // The server closed the idle connection: it has read nothing of the request.
    if (!(error instanceof IdleConnectionClosed)) throw error;
    return sendOnce(url, request);
  }
}

class IdleConnectionClosed extends Error {}

function sendOnce(url: string, { method, path, headers, body = '' }: LoadRequest): Promise<string> {
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
    outgoing
      .on('error', (error: NodeJS.ErrnoException) => {
        const isIdle = outgoing.reusedSocket && error.code === 'ECONNRESET';
        reject(isIdle ? new IdleConnectionClosed(error.message) : error);
      })
      .end(body);
  });
}
