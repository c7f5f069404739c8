import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApi } from './api.js';

/** Posts a form `count` times at the same moment over open connections, so that the requests arrive together. */
export async function postTogether(
  { url }: TestApi,
  path: string,
  values: Readonly<Record<string, string>>,
  count: number,
): Promise<{ status: number; body: Record<string, string> }[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await sleep(50);
  const form = new URLSearchParams(values).toString();
  const request = `POST ${path} HTTP/1.1\r\nHost: forgeplane.test\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
  for (const socket of sockets) socket.write(request);
  const answers = await Promise.all(sockets.map((socket) => text(socket)));
  return answers.map((answer) => ({
    status: Number(answer.slice(9, 12)),
    body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, string>,
  }));
}
