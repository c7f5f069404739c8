import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkingCopy } from './git.js';
import type { Member } from './installation.js';
import { ROOT_TOKEN } from './processes.js';

type Piece = (round: number) => Promise<number | string>;

/** Actions of users, pipelines and attackers, one after another. */
export class MixedLoad {
  /** Number of results by kind of work. */
  readonly outcomes: Record<string, number> = {};
  private readonly pieces: Readonly<Record<string, Piece>>;

  constructor(
    private readonly product: Member,
    project: number,
    private readonly work: WorkingCopy,
    private readonly url: string,
  ) {
    const { client } = product;
    const at = (path: string): string => `/projects/${project}${path}`;
    this.pieces = {
      user: async () => (await client.get('/user')).status,
      projects: async () => (await client.get('/projects?per_page=100')).status,
      issue: async (round) => (await client.post(at('/issues'), { title: `Issue ${round}` })).status,
      issues: async () => (await client.get(at('/issues?per_page=50'))).status,
      note: async (round) => (await client.post(at('/issues/1/notes'), { body: `Note ${round}` })).status,
      deployment: async (round) =>
        (
          await client.post(at('/deployments'), {
            environment: `review/${round % 20}`,
            sha: await work.git('rev-parse', 'HEAD'),
            ref: 'main',
            tag: false,
            status: 'success',
          })
        ).status,
      commit: async (round) =>
        (
          await client.post(at('/repository/commits'), {
            branch: `branch-${round % 5}`,
            start_branch: 'main',
            force: true,
            commit_message: `Commit ${round}`,
            actions: [{ action: 'create', file_path: `f${round}.txt`, content: `${round}` }],
          })
        ).status,
      tree: async () => (await client.get(at('/repository/tree?recursive=true'))).status,
      archive: async () => (await client.get(at('/repository/archive.tar.gz'))).status,
      attachment: (round) => this.attach(at('/wikis/attachments'), round),
      package: async (round) =>
        (await client.put(at(`/packages/generic/p/1.0/f${round % 10}.bin`), 'x'.repeat(100_000))).status,
      lint: async () => (await client.post(at('/ci/lint'), { content: 'job: { script: [ls] }' })).status,
      unknown: async () => (await client.get('/nowhere')).status,
      clone: () => this.clone(),
      gone: () => this.gone(),
      broken: () => this.broken(),
    };
  }

  /** Does one piece of work. */
  async piece(round: number): Promise<void> {
    const names = Object.keys(this.pieces);
    const name = names[round % names.length] as string;
    const outcome = await (this.pieces[name] as Piece)(round).catch(
      (error: unknown) => `Error ${String(error)}`,
    );
    const key = `${name} ${outcome}`;
    this.outcomes[key] = (this.outcomes[key] ?? 0) + 1;
  }

  private async attach(path: string, round: number): Promise<number> {
    const form = new FormData();
    form.append('file', new Blob([`file ${round}`]), 'a.txt');
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
    const answer = await fetch(`${this.product.url}/api/v4${path}`, { method: 'POST', body: form, headers });
    await answer.arrayBuffer();
    return answer.status;
  }

  private async clone(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-clone-'));
    try {
      await this.work.git('clone', '-q', this.url, join(folder, 'copy'));
      return 'done';
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A client that disconnects during the response. */
  private async gone(): Promise<string> {
    const socket = this.open();
    socket.write(`GET /api/v4/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(5));
    await sleep(50);
    socket.destroy();
    return 'left';
  }

  /** A body that is cut off. */
  private async broken(): Promise<string> {
    const socket = this.open();
    socket.write(
      `POST /api/v4/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 500\r\n\r\n`,
    );
    socket.write(randomBytes(200));
    await sleep(50);
    socket.destroy();
    return 'left';
  }

  private open(): ReturnType<typeof connect> {
    const { hostname, port } = new URL(this.product.url);
    return connect(Number(port), hostname).on('error', () => undefined);
  }
}
