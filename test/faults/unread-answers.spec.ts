import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { othersNotice } from '../support/heavy/others.js';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';

describe('clients that do not read responses', () => {
  let installation: Installation;
  let product: Member;
  let large: string[];
  let larger: string;
  beforeAll(async () => {
    installation = await Installation.create();
    product = await installation.start('all');
    const { body } = await product.client.post<{ id: number }>('/projects', {
      name: 'large',
      initialize_with_readme: true,
    });
    const content = 'a line of a large file\n'.repeat(100_000);
    await product.client.post(`/projects/${body.id}/repository/files/large.txt`, {
      branch: 'main',
      content,
      commit_message: 'Large',
    });
    await product.client.post(`/projects/${body.id}/repository/files/larger.txt`, {
      branch: 'main',
      content: 'a line of a large file\n'.repeat(400_000),
      commit_message: 'Larger',
    });
    for (let number = 0; number < 100; number += 1)
      await product.client.post(`/projects/${body.id}/issues`, {
        title: `Issue ${number}`,
        description: 'x'.repeat(20_000),
      });
    larger = `/api/v4/projects/${body.id}/repository/files/larger.txt?ref=main`;
    large = [
      '/api/v4/openapi.json',
      '/-/docs',
      '/-/docs/swagger-ui-bundle.js',
      '/-/docs/swagger-ui-init.js',
      '/-/metrics',
      '/api/v4/projects?per_page=100',
      `/api/v4/projects/${body.id}/issues?per_page=100`,
      `/api/v4/projects/${body.id}/repository/files/large.txt?ref=main`,
      `/api/v4/projects/${body.id}/repository/files/large.txt/raw?ref=main`,
      `/api/v4/projects/${body.id}/repository/commits?with_stats=true`,
      `/api/v4/projects/${body.id}/repository/archive.tar`,
    ];
  });
  afterAll(() => installation.close());

  const get = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${ROOT_TOKEN}\r\n\r\n`;

  it.each([
    [
      '1,000 requests at once on each route with large answers',
      () => large.map((path) => get(path).repeat(1_000)),
    ],
    ['400 requests for the document at once', () => [get('/api/v4/openapi.json').repeat(400)]],
    [
      '100 connections',
      () => Array.from({ length: 100 }, (_, index) => get(large[index % large.length] ?? '').repeat(20)),
    ],
    [
      'one answer of 12 MB on each of 200 connections',
      () => Array.from({ length: 200 }, () => get(larger)),
      // Creating one takes 60 MB, and garbage is only collected later.
      500,
    ],
  ])(
    '%s: memory stays bounded, others are served, and the clients are disconnected',
    async (_name, texts, limit = 400) => {
      const alone = await othersNotice(product, 1_000);
      const sockets = texts().map(open);
      const noticed = await othersNotice(product, 10_000);
      console.log(JSON.stringify(noticed));
      expect(noticed.failed).toBe(0);
      expect(noticed.mostMiB).toBeLessThan(limit);
      expect(noticed.p99).toBeLessThan(1_000 + 10 * alone.p99);
      // A client that reads no byte is disconnected within a minute of its last byte; an idle connection ends
      // after 65 seconds.
      const cut = Date.now() + 200_000;
      while ((await connections()) > 5 && Date.now() < cut) await sleep(500);
      expect(await connections()).toBeLessThanOrEqual(5);
      for (const socket of sockets) socket.destroy();
    },
  );

  function open(text: string): Socket {
    const { hostname, port } = new URL(product.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('error', () => undefined);
    return socket.pause();
  }

  /** Connections that the service has open on its port (Linux). */
  async function connections(): Promise<number> {
    const port = Number(new URL(product.url).port).toString(16).toUpperCase().padStart(4, '0');
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    return Promise.resolve(
      lines.filter((line) => new RegExp(`^\\s*\\d+: \\w+:${port} \\w+:\\w+ 01 `).test(line)).length,
    );
  }
});
