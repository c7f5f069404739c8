import type { TestApi } from '../api.js';
import { buildGroup } from '../builders/group.js';
import { buildMember } from '../builders/member.js';
import { buildProject } from '../builders/project.js';
import { createUser, type CreatedUser } from '../builders/user.js';
import type { Answer, ApiClient } from '../client.js';
import { Chance } from '../hostile/chance.js';

type Work = () => Promise<Answer>;
interface Numbered {
  readonly id: number;
  readonly iid: number;
  readonly name: string;
}

/** Two projects and a group, in which people do whatever changes a number, by a seed. */
export class CountWalk {
  readonly log: string[] = [];
  readonly problems: string[] = [];
  readonly taken = new Set<string>();
  private people: CreatedUser[] = [];

  private constructor(
    readonly api: TestApi,
    readonly groups: readonly number[],
    readonly projects: readonly number[],
    private readonly chance: Chance,
  ) {}

  static async start(api: TestApi, seed: number): Promise<CountWalk> {
    await api.root.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    const above = (await buildGroup(api)).id;
    const below = (await buildGroup(api, { parent_id: above })).id;
    const projects: number[] = [];
    for (const namespace_id of [above, below])
      projects.push((await buildProject(api.root, { namespace_id, initialize_with_readme: true })).id);
    const walk = new CountWalk(api, [above, below], projects, new Chance(seed));
    await walk.meet();
    await walk.meet();
    for (const project of projects) await walk.open(project);
    return walk;
  }

  /** Lets a new developer in. */
  private async meet(): Promise<Answer> {
    const user = await createUser(this.api);
    await buildMember(this.api, `groups/${this.groups[0]}`, user.id, 40);
    this.people.push(user);
    return this.api.root.get(`/users/${user.id}`);
  }

  /** Several at once. */
  async round(): Promise<void> {
    const { chance } = this;
    const works = this.works();
    await Promise.all(
      Array.from({ length: 2 + chance.below(6) }, async () => {
        const [name, work] = chance.of(works);
        const { status, text } = await work();
        this.log.push(`${name}: ${status}`);
        if (status < 300) this.taken.add(name);
        if (status >= 500 && status !== 503) this.problems.push(`${name}: ${status} ${text}`);
      }),
    );
  }

  private works(): (readonly [string, Work])[] {
    const { api, chance } = this;
    const project = chance.of(this.projects);
    const at = `/projects/${project}`;
    const other = this.projects.find((one) => one !== project) ?? project;
    const group = `/groups/${chance.of(this.groups)}`;
    const who: ApiClient = this.people.length > 0 ? chance.of(this.people).client : api.root;
    const one = async (list: string, key: keyof Numbered = 'iid'): Promise<string> => {
      const { status, body } = await api.root.get<Numbered[]>(`${list}?per_page=4`);
      return chance.pathOf(list, status === 200 ? body : [], key);
    };
    const kinds = [`${at}/issues`, `${at}/issues`, `${at}/merge_requests`, `${group}/epics`];
    const kind = chance.of(kinds);
    const thing = (): Promise<string> => one(kind);
    // Notes and discussions of an epic are found by its id.
    const noted = (): Promise<string> => one(kind, kind.endsWith('epics') ? 'id' : 'iid');
    const talk = async (): Promise<string> => (chance.oneIn(5) ? one(`${at}/snippets`, 'id') : noted());
    const noteable = async (): Promise<string> => (chance.oneIn(5) ? one(`${at}/snippets`, 'id') : thing());
    const note = (): Promise<string> => one(`${at}/issues`).then((path) => one(`${path}/notes`, 'id'));
    const emoji = chance.of(['thumbsup', 'thumbsup', 'thumbsdown', 'tada']);
    const text = this.text();
    return [
      ['open an issue', () => who.post(`${at}/issues`, { title: 'One', description: text })],
      ['open an epic', () => who.post(`${group}/epics`, { title: 'One', description: text })],
      ['write', async () => who.put(await thing(), { description: this.text() })],
      ['close', async () => who.put(await thing(), { state_event: chance.of(['close', 'reopen']) })],
      ['delete a thing', async () => api.root.delete(await thing())],
      ['move', async () => who.post(`${await one(`${at}/issues`)}/move`, { to_project_id: other })],
      [
        'copy',
        async () =>
          who.post(`${await one(`${at}/issues`)}/clone`, { to_project_id: other, with_notes: true }),
      ],
      ['promote', async () => who.post(`${await one(`${at}/issues`)}/notes`, { body: '/promote' })],
      ['say', async () => who.post(`${await talk()}/notes`, { body: 'A word', internal: chance.oneIn(4) })],
      ['discuss', async () => who.post(`${await talk()}/discussions`, { body: 'A word' })],
      [
        'act and say',
        async () =>
          who.post(`${await noted()}/notes`, {
            body: `A word\n${chance.of(['/close', '/reopen', '/todo', '/shrug'])}`,
          }),
      ],
      [
        'unsay',
        async () => {
          const on = await talk();
          return api.root.delete(await one(`${on}/notes`, 'id'));
        },
      ],
      ['vote', async () => who.post(`${await noteable()}/award_emoji`, { name: emoji })],
      ['vote on a note', async () => who.post(`${await note()}/award_emoji`, { name: emoji })],
      ['take a vote back', async () => api.root.delete(await one(`${await noteable()}/award_emoji`, 'id'))],
      ['tick', async () => who.put(await thing(), { description: '- [x] done\n- [ ] open\n' })],
      ['star', () => who.post(`${at}/star`)],
      ['unstar', () => who.post(`${at}/unstar`)],
      [
        'fork',
        () =>
          who.post(`${at}/fork`, {
            path: `fork-${chance.below(1_000_000)}`,
            name: `fork-${chance.below(1_000_000)}`,
          }),
      ],
      ['remove a fork', async () => api.root.delete(await this.fork(at))],
      ['leave the family', async () => api.root.delete(`${await this.fork(at)}/fork`)],
      [
        'publish',
        () =>
          who.send(
            'PUT',
            `${at}/packages/generic/tool/${chance.below(3)}/${chance.below(3)}`,
            'x'.repeat(1 + chance.below(99)),
            { 'Content-Type': 'application/octet-stream' },
          ),
      ],
      ['remove a package', async () => api.root.delete(await one(`${at}/packages`, 'id'))],
      [
        'remove a file',
        async () => {
          const of = await one(`${at}/packages`, 'id');
          return api.root.delete(await one(`${of}/package_files`, 'id'));
        },
      ],
      [
        'write a snippet',
        () =>
          who.post(`${at}/snippets`, {
            title: 'One',
            visibility: 'private',
            files: [{ file_path: 'a.txt', content: 'x'.repeat(chance.below(9_000)) }],
          }),
      ],
      ['remove a snippet', async () => api.root.delete(await one(`${at}/snippets`, 'id'))],
      [
        'commit',
        () =>
          who.post(`${at}/repository/files/f${chance.below(1_000_000)}`, {
            branch: 'main',
            content: text,
            commit_message: 'One',
          }),
      ],
      ['let a user in', () => this.meet()],
      [
        'remove a user',
        async () => {
          if (this.people.length < 3) return this.meet();
          const gone = chance.of(this.people);
          this.people = this.people.filter((user) => user !== gone);
          return api.root.delete(`/users/${gone.id}${chance.oneIn(2) ? '?hard_delete=true' : ''}`);
        },
      ],
      ['transfer', () => api.root.put(`${at}/transfer`, { namespace: chance.of(this.groups) })],
      [
        'archive',
        async () => {
          await api.root.post(`${at}/archive`);
          return api.root.post(`${at}/unarchive`);
        },
      ],
      ['open a merge request', () => this.open(project)],
    ];
  }

  /** A merge request of a new branch, which closes an issue. */
  private async open(project: number): Promise<Answer> {
    const branch = `b${this.chance.below(1_000_000)}`;
    const at = `/projects/${project}`;
    await this.api.root.post(`${at}/repository/commits`, {
      branch,
      start_branch: 'main',
      commit_message: branch,
      actions: [{ action: 'create', file_path: branch, content: branch }],
    });
    return this.api.root.post(`${at}/merge_requests`, {
      source_branch: branch,
      target_branch: 'main',
      title: branch,
      description: `Closes #${1 + this.chance.below(5)}`,
    });
  }

  private async fork(at: string): Promise<string> {
    const { body } = await this.api.root.get<Numbered[]>(`${at}/forks`);
    return this.chance.pathOf('/projects', body, 'id');
  }

  private text(): string {
    const done = Array.from({ length: this.chance.below(4) }, () => `- [${this.chance.of([' ', 'x'])}] task`);
    return ['Words', ...done].join('\n');
  }
}
