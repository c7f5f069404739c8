import type { ApiClient } from '../client.js';
import { expectedMails, type MailWorld } from '../mail-world.js';

/** Where users have roles and settings, nearest first. */
export const PLACES = ['project', 'group', 'top'] as const;
type Place = (typeof PLACES)[number];

/** Settings of a user for a place, or for all. */
export interface ToldSetting {
  readonly level: string;
  readonly on: ReadonlySet<string>;
  readonly hasAddress: boolean;
}

/** A user of the walk. */
export interface ToldPerson {
  readonly id: number;
  readonly username: string;
  readonly client: ApiClient;
  readonly isExternal: boolean;
  readonly tellsOwn: boolean;
  isActive: boolean;
  readonly roles: Map<Place, number>;
  readonly settings: Map<Place | 'everywhere', ToldSetting>;
}

/** An issue, merge request or epic, as the walk has made it; users are identified by their index. */
export interface ToldItem {
  readonly kind: 'issue' | 'merge_request' | 'epic';
  readonly id: number;
  readonly path: string;
  readonly notesPath: string;
  readonly author: number;
  isConfidential: boolean;
  isLabeled: boolean;
  assignees: readonly number[];
  reviewers: readonly number[];
  described: readonly number[];
  readonly notes: {
    readonly id: number;
    readonly author: number;
    readonly isInternal: boolean;
    mentions: readonly number[];
  }[];
  readonly said: Map<number, boolean>;
  /** Who was told of a mention in a changed description: only once a day. */
  readonly toldOfMention: Set<number>;
}

/** What happened: `note` is the one that was just written. */
export interface ToldEvent {
  readonly name: string;
  readonly actor: number;
  readonly item: ToldItem;
  readonly note?: ToldItem['notes'][number];
  readonly removed?: readonly number[];
  readonly named?: readonly number[];
}

/** Users, two groups with a project, and what was written there: who is told of what, after `planning.md` 2.3. */
export class ToldWorld {
  readonly items: ToldItem[] = [];
  visibility = 'private';
  readonly levels: Record<string, string> = {};
  isSilent = false;
  readonly labelSaid = new Map<number, boolean>();

  constructor(
    readonly people: readonly ToldPerson[],
    readonly groupVisibility: string,
  ) {}

  get all(): number[] {
    return this.people.map((_, index) => index);
  }

  person(user: number): ToldPerson {
    return this.people[user] as ToldPerson;
  }

  role(user: number, places: readonly Place[] = PLACES): number {
    return Math.max(0, ...places.map((place) => this.person(user).roles.get(place) ?? 0));
  }

  /** Whether a user may read an item, or an internal note on it, by `planning.md` 1.8. */
  reads(user: number, item: ToldItem, isInternal: boolean): boolean {
    const { isActive, isExternal } = this.person(user);
    const isEpic = item.kind === 'epic';
    const role = this.role(user, isEpic ? ['group', 'top'] : PLACES);
    const visibility = isEpic ? this.groupVisibility : this.visibility;
    const isOpen = visibility === 'public' || (visibility === 'internal' && !isExternal);
    const parts = { issue: ['issues'], merge_request: ['merge_requests'], epic: [] }[item.kind];
    const levels = parts.map((part) => this.levels[part] ?? 'enabled');
    if (!isActive || levels.includes('disabled')) return false;
    if (role < (levels.includes('private') ? 10 : isOpen ? 0 : 10)) return false;
    if (item.kind === 'merge_request' && !isOpen && role < 20) return false;
    if (role >= 20) return true;
    const isTheirs = item.kind === 'issue' && (item.author === user || item.assignees.includes(user));
    return !isInternal && (!item.isConfidential || isTheirs);
  }

  /** Lines `user address reason` of the mails about an event, if it happened now. */
  told(event: ToldEvent): string[] {
    const { name, item, note } = event;
    if (this.isMute(item)) return [];
    const isReview = name === 'change_reviewer_merge_request';
    const kind = isReview ? 'reassign_issue' : name.replace(/_(merge_request|epic)$/, '_issue');
    const places = item.kind === 'epic' ? (['group', 'top'] as const) : PLACES;
    const open = item.notes.flatMap((one) =>
      one.mentions
        .filter((user) => one === note || !one.isInternal || this.reads(user, item, true))
        .map((user) => ({ user, inNote: one === note })),
    );
    const people = isReview ? item.assignees : item.reviewers;
    const world: MailWorld = {
      kind,
      actor: event.actor,
      author: item.author,
      assignees: isReview ? item.reviewers : item.assignees,
      removed: event.removed ?? [],
      named: event.named ?? [],
      notes: [...item.notes.map(({ author }) => author), ...people].map((author) => ({
        author,
        system: false,
      })),
      mentions: [...item.described.map((user) => ({ user, inNote: false })), ...open],
      said: [...item.said].map(([user, subscribed]) => ({ user, subscribed })),
      saidOfLabel: item.isLabeled
        ? [...this.labelSaid].map(([user, subscribed]) => ({ user, place: 'project', subscribed }) as const)
        : [],
      members: this.all.flatMap((user) =>
        places
          .filter((place) => this.person(user).roles.has(place))
          .map((place) => ({ user, place, expired: false })),
      ),
      settings: this.all.flatMap((user) =>
        [...places, 'everywhere' as const].flatMap((place) => {
          const setting = this.person(user).settings.get(place);
          if (!setting) return [];
          const { level, on, hasAddress } = setting;
          return [{ user, place, level, on: on.has(name) ? [kind] : [], hasAddress }];
        }),
      ),
      own: this.all.filter((user) => this.person(user).tellsOwn),
      mailable: this.all.filter((user) => this.person(user).isActive),
      readers: this.all.filter((user) => this.reads(user, item, note?.isInternal ?? false)),
    };
    const lines = expectedMails(world, this.people.length);
    return lines.map((line) => (isReview ? line.replace('assigned', 'review_requested') : line));
  }

  /** The same for an event that has just happened; a text that is changed again mentions nobody anew that day. */
  happened(event: ToldEvent): string[] {
    const lines = this.told(event);
    if (event.name !== 'mentioned') return lines;
    const { toldOfMention: earlier } = event.item;
    return lines.filter((line) => {
      const user = Number.parseInt(line, 10);
      return !earlier.has(user) && earlier.add(user);
    });
  }

  /** Those of the lines whose mails may still be sent, with present addresses. */
  stillTold(lines: readonly string[], event: ToldEvent): string[] {
    const now = this.told(event);
    return lines.flatMap((line) => {
      const [index = '', , reason = ''] = line.split(' ');
      const user = Number(index);
      const { item, note } = event;
      if (this.isMute(item) || !this.reads(user, item, note?.isInternal ?? false)) return [];
      const isMuted = item.said.get(user) === false || this.level(user, item) === 'disabled';
      if (isMuted && !now.some((one) => one.startsWith(`${index} `))) return [];
      return [`${index} ${this.address(user, item)} ${reason}`];
    });
  }

  /** Whether the project sends no mails. */
  private isMute({ kind }: ToldItem): boolean {
    return this.isSilent && kind !== 'epic';
  }

  private level(user: number, item: ToldItem): string {
    return this.nearest(user, item, ({ level }) => level !== 'global')?.[1].level ?? 'participating';
  }

  private address(user: number, item: ToldItem): string {
    return (
      this.nearest(user, item, ({ hasAddress }, place) => hasAddress && place !== 'project')?.[0] ?? 'first'
    );
  }

  private nearest(
    user: number,
    { kind }: ToldItem,
    is: (setting: ToldSetting, place: string) => boolean,
  ): readonly [string, ToldSetting] | undefined {
    const places = [...PLACES, 'everywhere' as const].filter((one) => kind !== 'epic' || one !== 'project');
    return places
      .flatMap((place) => {
        const setting = this.person(user).settings.get(place);
        return setting ? [[place, setting] as const] : [];
      })
      .find(([place, setting]) => is(setting, place));
  }
}
