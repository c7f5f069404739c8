import type { Installation, Member } from './installation.js';
import { inParallel } from './installation.js';
import { gitUrl } from './git-http.js';
import type { WorkingCopy } from './git.js';
import { MixedLoad } from './mixed-load.js';
import { ROOT_TOKEN } from './processes.js';

/** One of that many requests is a larger piece of work: git, files, aborted requests. */
const PIECE_EVERY = 10;
/** More concurrent requests than sessions of PgBouncer. */
const LANES = 16;

/** Requests of all kinds, many at a time, to one or several processes of an installation. */
export class PooledLoad {
  private constructor(
    private readonly members: readonly Member[],
    private readonly project: number,
    private readonly pieces: MixedLoad,
  ) {}

  /** Creates a project with a branch, by a push. */
  static async prepare(members: readonly [Member, ...Member[]], work: WorkingCopy): Promise<PooledLoad> {
    const [first] = members;
    await first.client.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    const project = await first.client.post<{ id: number }>('/projects', { name: 'pooled' });
    const url = gitUrl(first, '/root/pooled.git', ['root', ROOT_TOKEN]);
    await work.git('push', '-q', url, 'HEAD:refs/heads/main');
    await first.client.post(`/projects/${project.body.id}/issues`, { title: 'First' });
    return new PooledLoad(members, project.body.id, new MixedLoad(first, project.body.id, work, url));
  }

  /** Sends that many requests, and returns the number of results by kind. */
  async run(count: number): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {};
    await inParallel(
      count,
      async (round) => {
        if (round % PIECE_EVERY === 0) return this.pieces.piece(round / PIECE_EVERY);
        const [kind, status] = await this.ask(round);
        const key = `${kind} ${status}`;
        outcomes[key] = (outcomes[key] ?? 0) + 1;
        return undefined;
      },
      LANES,
    );
    return { ...outcomes, ...this.pieces.outcomes };
  }

  private async ask(round: number): Promise<[kind: string, status: number | string]> {
    const { client } = this.members[round % this.members.length] as Member;
    const at = `/projects/${this.project}`;
    const asks = [
      ['GET user', () => client.get('/user')],
      ['GET projects', () => client.get('/projects?per_page=50')],
      ['GET issues', () => client.get(`${at}/issues?per_page=50`)],
      ['GET search', () => client.get(`${at}/issues?search=${round % 100}`)],
      ['GET project', () => client.get(at)],
      ['GET merge requests', () => client.get(`${at}/merge_requests`)],
      ['GET pipelines', () => client.get(`${at}/pipelines`)],
      ['GET events', () => client.get('/events')],
      ['POST issue', () => client.post(`${at}/issues`, { title: `Issue ${round}`, labels: `l${round % 7}` })],
      ['PUT issue', () => client.put(`${at}/issues/1`, { description: `Text ${round}` })],
      ['POST note', () => client.post(`${at}/issues/1/notes`, { body: `Note ${round}` })],
      ['PUT project', () => client.put(at, { description: `Text ${round}` })],
    ] as const;
    const [kind, ask] = asks[round % asks.length] as (typeof asks)[number];
    const status = await ask().then(
      (answer) => answer.status,
      (error: unknown) => String(error),
    );
    return [kind, status];
  }
}

/** The variables of a process that reaches the database of an installation through a pooler. */
export const throughPooler = (
  installation: Pick<Installation, 'databaseUrl'>,
  url: string,
): Record<string, string> => ({
  DATABASE_URL: url,
  DATABASE_POOLER: 'transaction',
  DATABASE_DIRECT_URL: installation.databaseUrl,
});
