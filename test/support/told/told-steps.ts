import { BRANCHES, type ToldStage } from './told-stage.js';
import { pick, textOf } from './told-text.js';
import { PLACES, type ToldEvent, type ToldItem, type ToldSetting } from './told-world.js';

/** Numbers that decide what a step does. */
export interface Dice {
  readonly what: number;
  readonly who: number;
  readonly whom: number;
  readonly where: number;
  readonly how: number;
}

const LEVELS = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'];
const NAMES =
  'new_note new_issue reopen_issue close_issue reassign_issue new_merge_request reopen_merge_request close_merge_request reassign_merge_request change_reviewer_merge_request new_epic'.split(
    ' ',
  );
const PARTS = ['enabled', 'enabled', 'private', 'disabled'];

/** Steps of a walk: requests, and what the model says about them. A refused request changes and tells nothing. */
export class ToldSteps {
  private branch = 0;
  private readonly closed = new Set<ToldItem>();

  constructor(private readonly stage: ToldStage) {}

  /** Gives everybody a role and a level. */
  async begin(): Promise<void> {
    for (const who of this.stage.world.all) {
      await this.change({ what: 1, who, whom: 0, where: who, how: who + 1 });
      await this.change({ what: 2, who, whom: who, where: PLACES.length, how: who });
    }
  }

  /** Does something that users may be told of, as one of four who may; null if all are refused. */
  async event(dice: Dice): Promise<ToldEvent | null> {
    let event: ToldEvent | null = null;
    for (let more = 0; more < 4 && !event; more += 1)
      event = await this.eventAs((dice.who + more) % this.stage.world.people.length, dice);
    return event;
  }

  private async eventAs(actor: number, { what, whom, where, how }: Dice): Promise<ToldEvent | null> {
    const { world } = this.stage;
    const others = [...new Set([whom, where])].map((one) => one % world.people.length);
    const item = world.items.length === 0 ? null : pick(world.items, where);
    if (item === null || what % 5 === 0) return this.create(actor, others, what + how, how);
    if (what % 5 === 1) return this.comment(actor, item, how, whom);
    if (what % 5 === 2) return this.turn(actor, item);
    if (what % 5 === 3) return this.describe(actor, item, how, whom);
    return this.assign(actor, item, others, how);
  }

  /** Changes rights, settings or the state of a user; tells nobody. */
  async change({ what, who, whom, where, how }: Dice): Promise<void> {
    const { world, api, paths, labelPath } = this.stage;
    const user = who % world.people.length;
    const person = world.person(user);
    const place = pick(PLACES, where);
    const item = world.items.length === 0 ? null : pick(world.items, whom);
    const { root } = api;
    switch (what % 10) {
      case 0:
        return item ? this.rewrite(item, whom, how) : undefined;
      case 1:
        return this.member(user, place, how);
      case 2:
      case 3:
        return this.stage.set(user, pick([...PLACES, 'everywhere' as const], where), setting(how, whom));
      case 4: {
        const [on, off] = how % 2 === 0 ? ['block', 'unblock'] : ['deactivate', 'activate'];
        await root.post(`/users/${person.id}/${on}`);
        if (whom % 3 > 0) await root.post(`/users/${person.id}/${off}`);
        person.isActive = (await root.get(`/users/${person.id}`)).body['state'] === 'active';
        return;
      }
      case 5: {
        const visibility = pick(['private', 'internal', 'public'], how);
        const { status } = await root.put(paths.project, { visibility });
        if (status === 200) world.visibility = visibility;
        return;
      }
      case 6: {
        const [part, level] = [pick(['issues', 'merge_requests', 'repository'], where), pick(PARTS, how)];
        const { status } = await root.put(paths.project, { [`${part}_access_level`]: level });
        if (status === 200) world.levels[part] = level;
        return;
      }
      case 7:
        return item ? this.hide(item) : undefined;
      case 8: {
        const says = how % 2 === 0;
        const target = how % 3 === 0 || !item ? labelPath : item.path;
        const { status } = await person.client.post(`${target}/${says ? 'subscribe' : 'unsubscribe'}`);
        if (status === 201) (target === labelPath ? world.labelSaid : item?.said)?.set(user, says);
        return;
      }
      default:
        world.isSilent = how % 5 === 0;
        await root.put(paths.project, { emails_disabled: world.isSilent });
    }
  }

  /** Makes an item confidential, or no longer. */
  async hide(item: ToldItem): Promise<void> {
    if (item.kind === 'merge_request') return;
    const { status } = await this.stage.api.root.put(item.path, { confidential: !item.isConfidential });
    if (status === 200) item.isConfidential = !item.isConfidential;
  }

  private async create(
    actor: number,
    others: readonly number[],
    what: number,
    how: number,
  ): Promise<ToldEvent | null> {
    const { world, paths } = this.stage;
    const kind = pick(['issue', 'merge_request', 'epic', 'issue'] as const, what);
    if (kind === 'merge_request' && this.branch === BRANCHES) return null;
    const root = { issue: paths.project, merge_request: paths.project, epic: paths.group }[kind];
    const folder = `${root}/${kind}s`;
    const { text, called } = textOf(this.stage, actor, how, others[0] ?? 0, kind);
    const assignees = kind !== 'epic' && how % 2 === 0 ? others : [];
    const reviewers = kind === 'merge_request' && how % 3 === 0 ? others.slice(0, 1) : [];
    const isConfidential = kind !== 'merge_request' && how % 4 === 1;
    const isLabeled = kind === 'issue' && how % 5 < 2;
    const ids = (users: readonly number[]): number[] => users.map((user) => world.person(user).id);
    const { status, body } = await world.person(actor).client.post<{
      id: number;
      iid: number;
      assignees?: { id: number }[];
      reviewers?: { id: number }[];
      labels: string[];
    }>(folder, {
      title: `The ${kind} ${how}`,
      description: text,
      ...(assignees.length > 0 ? { assignee_ids: ids(assignees) } : {}),
      ...(reviewers.length > 0 ? { reviewer_ids: ids(reviewers) } : {}),
      ...(kind === 'merge_request'
        ? { source_branch: `branch-${this.branch}`, target_branch: 'main' }
        : { confidential: isConfidential }),
      ...(isLabeled ? { labels: 'loud' } : {}),
    });
    if (status !== 201) return null;
    if (kind === 'merge_request') this.branch += 1;
    const path = `${folder}/${body.iid}`;
    const item: ToldItem = {
      kind,
      id: body.id,
      path,
      notesPath: kind === 'epic' ? `${folder}/${body.id}/notes` : `${path}/notes`,
      author: actor,
      isConfidential,
      isLabeled: body.labels.includes('loud'),
      assignees: this.indexes(body.assignees),
      reviewers: this.indexes(body.reviewers),
      described: called,
      notes: [],
      said: new Map(),
      toldOfMention: new Set(),
    };
    world.items.push(item);
    return { name: `new_${kind}`, actor, item };
  }

  private async comment(actor: number, item: ToldItem, how: number, whom: number): Promise<ToldEvent | null> {
    const { text, called } = textOf(this.stage, actor, how, whom, item.kind);
    const isInternal = how % 3 === 0;
    const { client } = this.stage.world.person(actor);
    const { status, body } = await client.post<{ id: number }>(item.notesPath, {
      body: text,
      internal: isInternal,
    });
    if (status !== 201) return null;
    const note = { id: body.id, author: actor, isInternal, mentions: called };
    item.notes.push(note);
    return { name: 'new_note', actor, item, note };
  }

  /** Those whom only an edit of a comment mentions are not told, yet take part from now on. */
  private async rewrite(item: ToldItem, whom: number, how: number): Promise<void> {
    const note = item.notes.at(how % Math.max(1, item.notes.length));
    if (!note) return;
    const { text, called } = textOf(this.stage, note.author, how, whom, item.kind);
    const { client } = this.stage.world.person(note.author);
    const { status } = await client.put(`${item.notesPath}/${note.id}`, { body: text });
    if (status === 200) note.mentions = called;
  }

  private async turn(actor: number, item: ToldItem): Promise<ToldEvent | null> {
    const isClosed = this.closed.has(item);
    const verb = isClosed ? 'reopen' : 'close';
    const { status } = await this.stage.world.person(actor).client.put(item.path, { state_event: verb });
    if (status !== 200) return null;
    if (isClosed) this.closed.delete(item);
    else this.closed.add(item);
    return { name: `${verb}_${item.kind}`, actor, item };
  }

  private async describe(
    actor: number,
    item: ToldItem,
    how: number,
    whom: number,
  ): Promise<ToldEvent | null> {
    const { text, called } = textOf(this.stage, actor, how, whom, item.kind);
    const { status } = await this.stage.world.person(actor).client.put(item.path, { description: text });
    if (status !== 200) return null;
    const named = called.filter((user) => !item.described.includes(user));
    item.described = called;
    return { name: 'mentioned', actor, item, named };
  }

  private async assign(
    actor: number,
    item: ToldItem,
    others: readonly number[],
    how: number,
  ): Promise<ToldEvent | null> {
    if (item.kind === 'epic') return null;
    const { world } = this.stage;
    const isReview = item.kind === 'merge_request' && how % 2 === 0;
    const field = isReview ? 'reviewers' : 'assignees';
    const ids = others.slice(how % 3).map((user) => world.person(user).id);
    const { status, body } = await world
      .person(actor)
      .client.put<Record<'assignees' | 'reviewers', { id: number }[]>>(item.path, {
        [isReview ? 'reviewer_ids' : 'assignee_ids']: ids,
      });
    if (status !== 200) return null;
    const [former, present] = [item[field], this.indexes(body[field])];
    item[field] = present;
    const removed = former.filter((user) => !present.includes(user));
    if (removed.length === 0 && present.every((user) => former.includes(user))) return null;
    const name = isReview ? 'change_reviewer_merge_request' : `reassign_${item.kind}`;
    return { name, actor, item, removed };
  }

  private async member(user: number, place: (typeof PLACES)[number], how: number): Promise<void> {
    const { world, api, paths } = this.stage;
    const { id, roles, settings } = world.person(user);
    const members = `${paths[place]}/members`;
    const level = pick([5, 10, 10, 20, 30, 40], how);
    if (how % 4 === 0) {
      if ((await api.root.delete(`${members}/${id}`)).status !== 204) return;
      // With it those further down, and their settings.
      for (const one of PLACES.slice(0, PLACES.indexOf(place) + 1)) {
        if (roles.delete(one)) settings.delete(one);
      }
      return;
    }
    const { status } = roles.has(place)
      ? await api.root.put(`${members}/${id}`, { access_level: level })
      : await api.root.post(members, { user_id: id, access_level: level });
    if (status < 300) roles.set(place, level);
  }

  private indexes(people: readonly { id: number }[] = []): number[] {
    const ids = this.stage.world.people.map(({ id }) => id);
    return people.map(({ id }) => ids.indexOf(id)).filter((index) => index >= 0);
  }
}

function setting(how: number, whom: number): ToldSetting {
  return {
    level: pick(LEVELS, how),
    on: new Set(NAMES.filter((_, index) => (whom + index * 7) % 3 === 0)),
    hasAddress: whom % 2 === 0,
  };
}
