/**
 * A small installation with an event on an issue: everything that decides about the recipients of mails.
 * Users are identified by their index.
 */
export interface MailWorld {
  readonly kind: string;
  readonly actor: number | null;
  readonly author: number | null;
  readonly assignees: readonly number[];
  readonly removed: readonly number[];
  /** Users named by the event itself. */
  readonly named: readonly number[];
  readonly notes: readonly { author: number; system: boolean }[];
  readonly mentions: readonly { user: number; inNote: boolean }[];
  readonly said: readonly { user: number; subscribed: boolean }[];
  readonly saidOfLabel: readonly { user: number; place: LabelPlace; subscribed: boolean }[];
  readonly members: readonly { user: number; place: Place; expired: boolean }[];
  readonly settings: readonly WorldSetting[];
  /** Users who are notified of their own activity. */
  readonly own: readonly number[];
  /** Users who can receive mails, and users who can read the issue. */
  readonly mailable: readonly number[];
  readonly readers: readonly number[];
}

/** The project, the group that it is in, and the group above; another project in the same group. */
export type Place = 'project' | 'group' | 'top' | 'elsewhere';

/** Subscriptions to the label of the group: in its group, or in a project. */
export type LabelPlace = 'group' | 'project' | 'elsewhere';

/** Settings of a user. */
export interface WorldSetting {
  readonly user: number;
  readonly place: Place | 'everywhere';
  readonly level: string;
  readonly on: readonly string[];
  readonly hasAddress: boolean;
}

/**
 * Returns the recipients: `user address reason`, in the order of the users. Written after the tables of
 * `planning.md` 2.3, user by user.
 */
export function expectedMails(world: MailWorld, userCount: number): string[] {
  return Array.from({ length: userCount }, (_, user) => expectedMail(world, user)).filter(
    (line) => line !== null,
  );
}

const UPWARDS = ['project', 'group', 'top'] as const;
const ORDER = ['own_activity', 'assigned', 'mentioned', 'subscribed'];

function expectedMail(world: MailWorld, user: number): string | null {
  if (!world.mailable.includes(user) || !world.readers.includes(user)) return null;
  const isActor = world.actor === user;
  if (isActor && !world.own.includes(user)) return null;
  const { level, on } = levelOf(world, user);
  const hasLeft = world.said.some((one) => one.user === user && !one.subscribed);
  const reasons = rolesOf(world, user)
    .filter(([type]) => {
      if (type === 'subscription') return !hasLeft;
      if (hasLeft && type !== 'mention') return false;
      const isInvolved = type === 'mention' || type === 'participating';
      if (level === 'disabled') return false;
      if (level === 'mention') return type === 'mention';
      if (level === 'participating') return isInvolved;
      if (level === 'watch') return !['push_to_merge_request', 'issue_due'].includes(world.kind);
      return isInvolved || on.includes(world.kind);
    })
    .map(([, reason]) => (isActor ? 'own_activity' : reason));
  if (reasons.length === 0) return null;
  return `${user} ${addressOf(world, user)} ${ORDER.find((reason) => reasons.includes(reason)) ?? 'none'}`;
}

const settingAt = (world: MailWorld, user: number, place: string): WorldSetting | undefined =>
  world.settings.find((one) => one.user === user && one.place === place);

function levelOf(world: MailWorld, user: number): { level: string; on: readonly string[] } {
  const rows = [...UPWARDS, 'everywhere'].map((place) => settingAt(world, user, place));
  return rows.find((row) => row && row.level !== 'global') ?? { level: 'participating', on: [] };
}

function addressOf(world: MailWorld, user: number): string {
  const place = ['group', 'top', 'everywhere'].find((one) => settingAt(world, user, one)?.hasAddress);
  return place ?? 'first';
}

type Role = readonly [type: string, reason: string];

function rolesOf(world: MailWorld, user: number): Role[] {
  const { kind } = world;
  const roles: Role[] = [];
  const isAssigned = world.assignees.includes(user);
  const takesPart =
    world.author === user ||
    isAssigned ||
    world.notes.some((note) => note.author === user && !note.system) ||
    world.mentions.some((one) => one.user === user);
  const hasDefaults = !['mentioned', 'relabeled', 'moved_project', 'new_release'].includes(kind);
  if (hasDefaults && takesPart) roles.push(['participating', 'none']);
  if (hasDefaults && world.said.some((one) => one.user === user && one.subscribed))
    roles.push(['subscription', 'subscribed']);
  const follows = followed(world, user);
  if (hasDefaults && kind !== 'issue_due' && follows.includes('watch')) roles.push(['watch', 'none']);
  if ((hasDefaults || kind === 'new_release') && follows.includes('custom')) roles.push(['custom', 'none']);
  if (['new_issue', 'relabeled'].includes(kind) && wantsLabel(world, user))
    roles.push(['subscription', 'subscribed']);
  if (kind === 'reassign_issue' && world.removed.includes(user)) roles.push(['mention', 'none']);
  if (kind === 'reassign_issue' && isAssigned) roles.push(['mention', 'assigned']);
  if (kind === 'new_issue' && isAssigned) roles.push(['participating', 'assigned']);
  if (isMentionedNow(world, user)) roles.push(['mention', 'mentioned']);
  if (kind === 'moved_project' && isMember(world, user)) roles.push(['mention', 'none']);
  return roles;
}

function isMentionedNow({ kind, mentions, named }: MailWorld, user: number): boolean {
  if (!['new_issue', 'new_note', 'mentioned'].includes(kind)) return false;
  if (named.includes(user)) return true;
  if (kind === 'mentioned') return false;
  return mentions.some((one) => one.user === user && one.inNote === (kind === 'new_note'));
}

const isMember = (world: MailWorld, user: number): boolean =>
  world.members.some((one) => one.user === user && one.place !== 'elsewhere' && !one.expired);

/** Levels that make a user a follower: those set here, and the global one of members. */
function followed(world: MailWorld, user: number): string[] {
  const here = UPWARDS.flatMap((place) => settingAt(world, user, place)?.level ?? []);
  const everywhere = settingAt(world, user, 'everywhere');
  const isHere = here.includes('global') || isMember(world, user);
  return isHere && everywhere ? [...here, everywhere.level] : here;
}

function wantsLabel({ saidOfLabel }: MailWorld, user: number): boolean {
  const said = (place: LabelPlace): boolean | undefined =>
    saidOfLabel.find((one) => one.user === user && one.place === place)?.subscribed;
  return said('project') ?? said('group') ?? false;
}
