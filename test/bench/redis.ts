import { spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endingHere } from './ending.js';
import { freePort } from './servers.js';

/** Our own Redis, or null without redis-server. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> } | null> {
  const port = await freePort();
  const child = endingHere(spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' }));
  const failed = await Promise.race([
    new Promise<boolean>((resolve) => child.once('error', () => resolve(true))),
    isListening(port).then(() => false),
  ]);
  if (failed) return null;
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function isListening(port: number): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
    if (open) return;
    await sleep(50);
  }
}
