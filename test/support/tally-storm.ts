import type { Answer, ApiClient } from './client.js';
import { Chance } from './hostile/chance.js';

const WORKERS = 8;
const LABELS = ['bug', 'shared', 'urgent'];

type Work = (chance: Chance) => Promise<Answer>;

/** The result of a storm: how often each operation succeeded, and unexpected responses. */
export interface Storm {
  readonly taken: Readonly<Record<string, number>>;
  /** Number of requests, and number of those that got 503. */
  readonly asked: number;
  readonly busy: number;
  readonly failures: readonly string[];
}

/**
 * Two projects and two groups whose issues and merge requests are changed at once, in every way that changes
 * a counter.
 */
export class TallyStorm {
  private readonly groups: number[] = [];
  private readonly projects: number[] = [];
  private readonly people: number[] = [];
  private readonly branches = ['one', 'two', 'three'];

  private constructor(private readonly client: ApiClient) {}

  /** Builds all of it over HTTP, as the administrator. */
  static async build(client: ApiClient): Promise<TallyStorm> {
    const storm = new TallyStorm(client);
    await client.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    for (const name of ['left', 'right']) {
      const group = await storm.made('/groups', { name, path: name });
      storm.groups.push(group);
      await storm.made(`/groups/${group}/labels`, { name: 'shared', color: '#ff0000' });
      await storm.made(`/groups/${group}/milestones`, { title: 'common' });
      const project = await storm.made('/projects', {
        name,
        namespace_id: group,
        initialize_with_readme: true,
      });
      storm.projects.push(project);
      for (const branch of storm.branches)
        await storm.made(`/projects/${project}/repository/commits`, {
          branch,
          start_branch: 'main',
          commit_message: branch,
          actions: [{ action: 'create', file_path: branch, content: branch }],
        });
    }
    for (const username of ['ann', 'ben']) {
      const values = {
        username,
        name: username,
        email: `${username}@example.com`,
        force_random_password: true,
      };
      storm.people.push(await storm.made('/users', values));
    }
    return storm;
  }

  private async made(path: string, body: object): Promise<number> {
    const answer = await this.client.post<{ id: number }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.id;
  }

  /** Lets eight workers act randomly for that long; occasionally runs `beside` meanwhile. */
  async rage(seconds: number, seed: number, beside: () => Promise<void>): Promise<Storm> {
    const operations = this.operations();
    const taken: Record<string, number> = {};
    let [asked, busy] = [0, 0];
    const failures: string[] = [];
    const end = Date.now() + seconds * 1_000;
    const worker = async (number: number): Promise<void> => {
      const chance = new Chance(seed + number);
      while (Date.now() < end) {
        const [name, work] = chance.of(operations);
        const { status, text } = await work(chance);
        // A request that got 503 has changed nothing.
        asked += 1;
        if (status === 503) busy += 1;
        else if (status >= 500) failures.push(`${name}: ${status} ${text}`);
        if (status < 300) taken[name] = (taken[name] ?? 0) + 1;
        if (chance.below(25) === 0) await beside();
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));
    return { taken, asked, busy, failures };
  }

  /** Names of the objects to choose from. */
  get names(): string[] {
    return this.operations().map(([name]) => name);
  }

  private operations(): (readonly [string, Work])[] {
    const { client } = this;
    const project = (chance: Chance): string => `/projects/${chance.of(this.projects)}`;
    const issuables = ['issues', 'merge_requests'] as const;
    return [
      ['open an issue', (chance) => client.post(`${project(chance)}/issues`, this.values(chance))],
      [
        'open a merge request',
        (chance) =>
          client.post(`${project(chance)}/merge_requests`, {
            ...this.values(chance),
            source_branch: chance.of(this.branches),
            target_branch: 'main',
            reviewer_ids: [chance.of(this.people)],
          }),
      ],
      ...issuables.flatMap((kind): [string, Work][] => {
        const change =
          (of: (chance: Chance) => object): Work =>
          async (chance) => {
            const path = await this.issuable(project(chance), kind, chance);
            return client.put(path, of(chance));
          };
        return [
          [`close ${kind}`, change(() => ({ state_event: 'close' }))],
          [`reopen ${kind}`, change(() => ({ state_event: 'reopen' }))],
          [`label ${kind}`, change((chance) => ({ add_labels: chance.of(LABELS) }))],
          [`unlabel ${kind}`, change((chance) => ({ remove_labels: chance.of(LABELS) }))],
          [`assign ${kind}`, change((chance) => ({ assignee_ids: chance.some(this.people) }))],
          [
            `plan ${kind}`,
            async (chance) => {
              const at = project(chance);
              const { body } = await client.get<{ id: number }[]>(
                `${at}/milestones?include_parent_milestones=true`,
              );
              const path = await this.issuable(at, kind, chance);
              return client.put(path, { milestone_id: chance.of([0, ...body.map(({ id }) => id)]) });
            },
          ],
          [
            `change all at once of ${kind}`,
            change((chance) => ({ ...this.values(chance), state_event: chance.of(['close', 'reopen']) })),
          ],
          [
            `say something on ${kind}`,
            async (chance) =>
              client.post(`${await this.issuable(project(chance), kind, chance)}/notes`, { body: 'A word' }),
          ],
        ];
      }),
      [
        'review',
        async (chance) => {
          const path = await this.issuable(project(chance), 'merge_requests', chance);
          return client.put(path, { reviewer_ids: chance.some(this.people) });
        },
      ],
      ...issuables.map((kind): [string, Work] => [
        `delete ${kind}`,
        async (chance) => client.delete(await this.issuable(project(chance), kind, chance)),
      ]),
      [
        'move an issue',
        async (chance) => {
          const path = await this.issuable(project(chance), 'issues', chance);
          return client.post(`${path}/move`, { to_project_id: chance.of(this.projects) });
        },
      ],
      ['remove a label', (chance) => client.delete(`${project(chance)}/labels/${chance.of(LABELS)}`)],
      ['promote a label', (chance) => client.put(`${project(chance)}/labels/${chance.of(LABELS)}/promote`)],
      [
        'remove a label of a group',
        (chance) => client.delete(`/groups/${chance.of(this.groups)}/labels/${chance.of(LABELS)}`),
      ],
      [
        'make a milestone',
        (chance) => client.post(`${project(chance)}/milestones`, { title: `next ${chance.below(3)}` }),
      ],
      [
        'remove a milestone',
        async (chance) => {
          const at = project(chance);
          const { body } = await client.get<{ id: number }[]>(`${at}/milestones`);
          return client.delete(chance.pathOf(`${at}/milestones`, body, 'id'));
        },
      ],
      [
        'transfer a project',
        (chance) => client.put(`${project(chance)}/transfer`, { namespace: chance.of(this.groups) }),
      ],
      [
        'let somebody in',
        (chance) =>
          client.post(`${project(chance)}/members`, { user_id: chance.of(this.people), access_level: 30 }),
      ],
      [
        'let somebody go',
        (chance) =>
          client.delete(`${project(chance)}/members/${chance.of(this.people)}?unassign_issuables=true`),
      ],
    ];
  }

  private values(chance: Chance): object {
    return {
      title: `Thing ${chance.below(1_000)}`,
      labels: chance.some(LABELS).join(','),
      assignee_ids: chance.some(this.people),
    };
  }

  /** One of the few newest, so that workers conflict. */
  private async issuable(at: string, kind: 'issues' | 'merge_requests', chance: Chance): Promise<string> {
    const { body } = await this.client.get<{ iid: number }[]>(`${at}/${kind}?per_page=4`);
    return chance.pathOf(`${at}/${kind}`, body, 'iid');
  }
}

/** Names of the `doctor` checks of counters. */
export const COUNTED = /^(counters|tallies) .*agree|note counters match the notes$/;
