import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { WorkingCopy } from '../support/git.js';
import { ApiClient } from '../support/client.js';
import { othersNotice } from '../support/heavy/others.js';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';

const MILLION = 1_000_000;

describe('many large responses at once', () => {
  let installation: Installation;
  let product: Member;
  let project: string;
  /** A client with small requests. */
  let other: ApiClient;
  const work = new WorkingCopy();
  beforeAll(async () => {
    installation = await Installation.create();
    product = await installation.start('all');
    const { body } = await product.client.post<{ id: number }>('/projects', {
      name: 'long',
      visibility: 'public',
    });
    const user = await product.client.post<{ id: number }>('/users', {
      ...{ username: 'other', name: 'Other', email: 'other@example.com', force_random_password: true },
    });
    const token = await product.client.post<{ token: string }>(
      `/users/${user.body.id}/personal_access_tokens`,
      { name: 'other', scopes: ['api'] },
    );
    other = new ApiClient(product.url, token.body.token);
    project = `/api/v4/projects/${body.id}`;
    const first = await product.client.post<{ id: number }>(`/projects/${body.id}/issues`, { title: 'Long' });
    await installation.sql(`update issues set description = repeat('x', ${MILLION}) where id = $1`, [
      first.body.id,
    ]);
    await installation.sql(
      `insert into issues (project_id, iid, title, author_id, description)
        select project_id, n, title, author_id, description from issues, generate_series(2, 100) n where id = $1`,
      [first.body.id],
    );
    await pushLongMessages();
    const page = (n: number) => ({ title: `Page ${n}`, content: 'text\n'.repeat(100_000) });
    for (let n = 0; n < 40; n += 1) await product.client.post(`/projects/${body.id}/wikis`, page(n));
  });
  afterAll(async () => {
    work.remove();
    await installation.close();
  });

  it.each([
    ['lists of 100 MB, which are refused', 200, '/issues?per_page=100'],
    ['lists of 15 MB', 200, '/issues?per_page=15'],
    ['lists of 15 MB of ever new kinds', 200, (n: number) => `/issues?per_page=15${kindOfList(n)}`],
    ['records of 1 MB', 200, '/issues/1'],
    ['commits with messages of 200 KB', 200, '/repository/commits?per_page=100'],
    ['comparisons of such commits and long files', 200, '/repository/compare?from=first&to=main'],
    ['blame of a long file', 200, '/repository/files/large.txt/blame?ref=main'],
    ['wikis with their content', 200, '/wikis?with_content=true'],
  ])('%s: memory stays bounded, others are served', async (_name, count, path) => {
    for (const token of [true, false]) {
      const alone = await othersNotice({ ...product, client: other }, 1_000);
      const sockets = Array.from({ length: count }, (_, n) =>
        open(`${project}${typeof path === 'string' ? path : path(n)}`, token, n % 2 === 0),
      );
      const noticed = await othersNotice({ ...product, client: other }, 10_000);
      const statuses: Record<string, number> = {};
      for (const { status } of sockets) statuses[status] = (statuses[status] ?? 0) + 1;
      console.log(JSON.stringify({ token, ...noticed, statuses }));
      for (const { socket } of sockets) socket.destroy();
      expect(noticed.failed).toBe(0);
      expect(noticed.mostMiB).toBeLessThan(500);
      expect(noticed.p99).toBeLessThan(1_000 + 10 * alone.p99);
    }
  });

  /**
   * A connection with one request; if it does not read, it receives only what fits into its socket buffer.
   */
  function open(path: string, token: boolean, reads: boolean): { socket: Socket; status: string } {
    const { hostname, port } = new URL(product.url);
    const head = token ? `PRIVATE-TOKEN: ${ROOT_TOKEN}\r\n` : '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n`),
    );
    const one = { socket, status: 'none' };
    socket.on('error', () => undefined);
    socket.once('data', (piece: Buffer) => {
      one.status = piece.toString('latin1', 9, 12);
      if (!reads) socket.pause();
    });
    return one;
  }

  /** Filters and orders that always result in new statements. */
  function kindOfList(n: number): string {
    const orders = ['created_at', 'updated_at', 'title', 'due_date', 'relative_position', 'weight'];
    const flags = [
      'state=opened',
      'labels=None',
      'milestone_id=None',
      'assignee_id=None',
      'confidential=false',
    ];
    const chosen = flags.filter((_, index) => (n >> index) % 2 === 1);
    return ['', `order_by=${orders[n % orders.length]}`, ...chosen].join('&');
  }

  async function pushLongMessages(): Promise<void> {
    await work.init();
    await work.commit({ 'large.txt': 'first\n' });
    await work.git('tag', 'first');
    await work.commit({
      'large.txt': Array.from({ length: 200_000 }, (_, n) => `line ${n} of a large file\n`).join(''),
    });
    const message = 'line of a message\n'.repeat(11_000);
    for (let n = 0; n < 100; n += 1)
      await work.run(['commit', '-q', '--allow-empty', '-F', '-'], {}, `${n}\n\n${message}`);
    const url = `${product.url.replace('http://', `http://root:${ROOT_TOKEN}@`)}/root/long.git`;
    await work.git('push', '-q', '-f', url, 'HEAD:refs/heads/main', 'first');
  }
});
