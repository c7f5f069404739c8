import type { TestApi } from '../api.js';
import { buildGroup } from '../builders/group.js';
import { buildMember } from '../builders/member.js';
import { buildMergeRequestProject } from '../builders/merge-request.js';
import { buildProject } from '../builders/project.js';
import { createUser, type CreatedUser } from '../builders/user.js';
import type { ApiClient } from '../client.js';
import type { Facts, Kind, MilestoneFacts, Viewer } from './facts.js';
import { readFacts } from './read-facts.js';

type Values = Readonly<Record<string, unknown>>;

/** Where a thing was made, by its iid, and who has awarded which emoji to it. */
export interface Made {
  readonly kind: Kind;
  readonly base: string;
  readonly emoji: Map<number, string[]>;
}

/** Who asks: a person by number, the administrator or nobody. */
export type Asker = number | 'root' | 'anonymous';

/** A generator of numbers below a limit, the same ones for a seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

/** Titles of labels. */
export const TITLES = ['bug', 'fast', 'ui', 'deep'] as const;
/** Branches other than main. */
export const BRANCHES = ['one', 'two', 'three', 'four'] as const;
/** Names of emoji. */
export const EMOJI = ['thumbsup', 'thumbsdown', 'tada'] as const;
const WORDS = ['login', 'Slow', 'page', '100%', 'under_score', 'back\\slash'] as const;
/** The person who is external. */
const EXTERNAL = 4;
/** A date some days from today. */
export const day = (from: number): string =>
  new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);

/** Groups, projects, people and planning in them, all made and changed over HTTP. */
export class PlanningStage {
  readonly people: CreatedUser[] = [];
  readonly groups: number[] = [];
  readonly projects: number[] = [];
  /** Projects with the code of merge requests. */
  readonly coded: number[] = [];
  readonly milestones: { id: number; base: string }[] = [];
  readonly made: Made[] = [];
  /** Paths of deployments by the names of their environments. */
  readonly deployments: { base: string; environment: string }[] = [];
  readonly next: (below: number) => number;
  facts!: Facts;

  private constructor(
    readonly api: TestApi,
    seed: number,
  ) {
    this.next = numbers(seed);
  }

  static async build(api: TestApi, seed: number): Promise<PlanningStage> {
    const stage = new PlanningStage(api, seed);
    await stage.buildPlaces();
    await stage.buildPlanning();
    await stage.read();
    return stage;
  }

  /** Reads all facts again. */
  async read(): Promise<void> {
    this.facts = await readFacts(this);
  }

  /** One of them. */
  one<T>(of: readonly T[]): T {
    return of[this.next(of.length)] as T;
  }

  /** The client of who asks. */
  client(asker: Asker): ApiClient {
    if (typeof asker === 'string') return this.api[asker];
    return (this.people[asker] as CreatedUser).client;
  }

  /** Who asks, as the model knows them. */
  viewer(asker: Asker): Viewer | null {
    if (asker === 'anonymous') return null;
    if (asker === 'root') return { id: 1, admin: true, external: false };
    return { id: this.people[asker]?.id ?? 0, admin: false, external: asker === EXTERNAL };
  }

  /** Ids of users by name. */
  names(): Map<string, number> {
    return new Map([['root', 1] as const, ...this.people.map(({ username, id }) => [username, id] as const)]);
  }

  /** One time in some. */
  rarely(of: number): boolean {
    return this.next(of) === 0;
  }

  private async buildPlaces(): Promise<void> {
    const { api } = this;
    await api.root.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    for (let index = 0; index < 6; index += 1)
      this.people.push(await createUser(api, { external: index === EXTERNAL }));
    const group = async (visibility: string, parent?: number): Promise<number> => {
      const { id } = await buildGroup(api, {
        visibility,
        ...(parent !== undefined && { parent_id: parent }),
      });
      this.groups.push(id);
      return id;
    };
    const top = await group('public');
    const secret = await group('private', top);
    const inner = await group('internal', top);
    const guests = await group('private');
    for (const [home, visibility, values] of [
      [top, 'public', {}],
      [secret, 'private', {}],
      [top, 'public', { issues_access_level: 'private', merge_requests_access_level: 'private' }],
    ] as const) {
      const { id } = await buildMergeRequestProject(api, { namespace_id: home, visibility, ...values });
      this.projects.push(id);
      this.coded.push(id);
    }
    for (const [home, visibility] of [
      [inner, 'internal'],
      [top, 'private'],
    ] as const)
      this.projects.push((await buildProject(api.root, { namespace_id: home, visibility })).id);
    this.projects.push((await buildProject(this.client(0), { visibility: 'public' })).id);
    for (const [who, place, level] of [
      [0, `groups/${top}`, 50],
      [1, `groups/${secret}`, 20],
      [2, `projects/${this.projects[2] ?? 0}`, 10],
      [3, `groups/${guests}`, 30],
      [5, `groups/${top}`, 10],
    ] as const)
      await buildMember(api, place, this.people[who]?.id ?? 0, level);
    await api.root.post(`/groups/${secret}/share`, { group_id: guests, group_access: 30 });
  }

  private async buildPlanning(): Promise<void> {
    const [top, secret] = this.groups;
    for (const base of [
      ...this.projects.slice(0, 4).map((id) => `/projects/${id}`),
      `/groups/${secret}`,
      `/groups/${top}`,
    ])
      for (const name of TITLES)
        if (this.rarely(2)) await this.api.root.post(`${base}/labels`, { name, color: '#112233' });
    for (const base of [
      `/groups/${top}`,
      `/groups/${secret}`,
      ...this.projects.map((id) => `/projects/${id}`),
    ])
      for (const title of ['now', 'next', 'shut', 'past'].filter(() => !this.rarely(4)))
        await this.buildMilestone(base, title);
    for (let index = 0; index < 8; index += 1) await this.buildEpic();
    await this.read();
    for (let index = 0; index < 28; index += 1) await this.buildIssue();
    for (let index = 0; index < 12; index += 1) await this.buildMergeRequest();
  }

  private async buildMilestone(base: string, title: string): Promise<void> {
    const dates = { now: [-3, 4], next: [2, 9], shut: [-1, 3], past: [-9, -2] }[title] ?? [0, 1];
    const { status, body } = await this.api.root.post<MilestoneFacts>(`${base}/milestones`, {
      title,
      ...(this.rarely(4) ? {} : { start_date: day(dates[0] ?? 0) }),
      ...(this.rarely(4) ? {} : { due_date: day(dates[1] ?? 0) }),
    });
    if (status !== 201) return;
    const at = { id: body.id, base: `${base}/milestones/${body.id}` };
    if (title === 'shut') await this.api.root.put(at.base, { state_event: 'close' });
    this.milestones.push(at);
  }

  /** Values that issues and merge requests share. */
  values(project: number): Values {
    const people = [1, ...this.people.map(({ id }) => id)];
    const milestone = this.one(this.milestones);
    return {
      title: `${this.one(WORDS)} ${this.one(WORDS)} ${this.next(1000)}`,
      description: this.rarely(2) ? null : `${this.one(WORDS)}, ${this.one(WORDS)}`,
      ...(this.rarely(3) ? {} : { labels: TITLES.filter(() => this.rarely(3)).join(',') }),
      ...(this.rarely(2) && { assignee_ids: people.filter(() => this.rarely(4)) }),
      ...(this.rarely(2) && { milestone_id: this.reaches(milestone.base, project) ? milestone.id : null }),
    };
  }

  private reaches(base: string, project: number): boolean {
    return base.startsWith(`/projects/${project}/`) || base.startsWith(`/groups/${this.groups[0]}/`);
  }

  /** Values of an issue. */
  issueValues(project: number): Values {
    const { epic: epics } = this.facts.things;
    return {
      ...this.values(project),
      ...(this.rarely(4) && { confidential: this.rarely(2) }),
      ...(this.rarely(3) && { weight: this.next(3) }),
      ...(this.rarely(4) && { health_status: this.one(['on_track', 'at_risk']) }),
      ...(this.rarely(3) && { due_date: day(this.next(3) - 1) }),
      ...(this.rarely(6) && { issue_type: 'incident' }),
      ...(this.rarely(3) && epics.length > 0 && { epic_id: this.one(epics).id }),
    };
  }

  private async make(kind: Kind, path: string, who: Asker, values: Values): Promise<void> {
    const answer = await this.client(who).post<{ iid: number }>(path, values);
    if (answer.status === 201) this.made.push({ kind, base: `${path}/${answer.body.iid}`, emoji: new Map() });
    else if (who !== 'root') await this.make(kind, path, 'root', values);
  }

  private asker(): Asker {
    return this.one<Asker>([0, 1, 2, 3, 5, 'root']);
  }

  /** Creates an epic, as anybody who may. */
  async buildEpic(): Promise<void> {
    const values = {
      title: `${this.one(WORDS)} ${this.next(99)}`,
      confidential: this.rarely(3),
      labels: this.one(TITLES),
    };
    await this.make('epic', `/groups/${this.one(this.groups)}/epics`, this.asker(), values);
  }

  /** Creates an issue, as anybody who may. */
  async buildIssue(): Promise<void> {
    const project = this.one(this.projects);
    await this.make('issue', `/projects/${project}/issues`, this.asker(), this.issueValues(project));
  }

  /** Creates a merge request, unless there is one of its branches. */
  async buildMergeRequest(): Promise<void> {
    const project = this.one(this.coded);
    const values = this.values(project);
    await this.make('merge_request', `/projects/${project}/merge_requests`, this.one<Asker>([0, 3, 'root']), {
      ...values,
      title: `${this.rarely(4) ? this.one(['Draft: ', '[draft] ']) : ''}${String(values['title'])}`,
      source_branch: this.one(BRANCHES),
      target_branch: this.one(['main', ...BRANCHES]),
      ...(this.rarely(2) && { reviewer_ids: this.people.filter(() => this.rarely(4)).map(({ id }) => id) }),
    });
  }
}
