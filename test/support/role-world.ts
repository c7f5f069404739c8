import fc from 'fast-check';
import { isComplete } from './complete.js';
import { runs } from './runs.js';

/** How many of each a world has. The last two homes of projects are the namespaces of the first two users. */
export const SIZE = { groups: 7, projects: 6, users: 6, personal: 2 } as const;

/** Roles by the numbers of `auth-core.md` 6.5, apart from those of the product, which the model judges. */
export const LEVEL = {
  None: 0,
  Minimal: 5,
  Guest: 10,
  Reporter: 20,
  Developer: 30,
  Maintainer: 40,
  Owner: 50,
  Admin: 60,
} as const;
const LEVELS = [5, 10, 20, 30, 40, 50] as const;
const PARTS = ['enabled', 'private', 'disabled'] as const;
const visibility = fc.constantFrom('private', 'private', 'internal', 'public');
/** Days from today until it ends; the day itself no longer counts. */
const days = fc.constantFrom(null, null, null, 1, 0, -1);
const group = fc.nat(SIZE.groups - 1);
const project = fc.nat(SIZE.projects - 1);
const user = fc.nat(SIZE.users - 1);
const rarely = fc.nat(5).map((one) => one === 0);
const place = fc.oneof(
  fc.record({ type: fc.constant('Namespace' as const), of: group }),
  fc.record({ type: fc.constant('Project' as const), of: project }),
);
const sameOnce = (one: { place: { type: string; of: number }; user?: number; group?: number }): string =>
  `${one.place.type} ${one.place.of} ${one.user ?? one.group}`;

/** Minimal access is to groups only. */
const member = fc
  .record({ user, place, level: fc.constantFrom(...LEVELS), days })
  .map((one) => (one.place.type === 'Project' ? { ...one, level: Math.max(one.level, LEVEL.Guest) } : one));

/** Groups in trees, projects in them, users, memberships and shares of every kind. */
export const ROLE_WORLD = fc.record({
  groups: fc.array(fc.record({ under: fc.nat(100), visibility, removed: rarely }), {
    minLength: SIZE.groups,
    maxLength: SIZE.groups,
  }),
  projects: fc.array(
    fc.record({
      home: fc.nat(SIZE.groups + SIZE.personal - 1),
      visibility,
      removed: rarely,
      issues: fc.constantFrom('enabled', ...PARTS),
      repository: fc.constantFrom('enabled', ...PARTS),
      author: user,
    }),
    { minLength: SIZE.projects, maxLength: SIZE.projects },
  ),
  users: fc.array(fc.record({ external: rarely, blocked: rarely, bot: rarely, admin: rarely }), {
    minLength: SIZE.users,
    maxLength: SIZE.users,
  }),
  members: fc.uniqueArray(member, { minLength: 6, maxLength: 18, selector: sameOnce }),
  viewer: user,
  shares: fc.uniqueArray(fc.record({ place, group, level: fc.constantFrom(...LEVELS.slice(1)), days }), {
    minLength: 2,
    maxLength: 9,
    selector: sameOnce,
  }),
});

/** How many worlds are tried, as by `runs`: always the same ones, and any with TESTS_COMPLETE=1. */
export const worlds = (all: number): { readonly numRuns: number; readonly seed?: number } =>
  isComplete() ? { numRuns: all } : { numRuns: runs(all), seed: 1 };

/** One of these worlds. */
export type RoleWorld = typeof ROLE_WORLD extends fc.Arbitrary<infer World> ? World : never;
type Sight = { readonly visibility: string };
type Part = 'issues' | 'repository';

const live = ({ days: left }: { days: number | null }): boolean => left === null || left > 0;

/** The rules of `auth-core.md` 5.5, 6.3 and 6.5 and `decisions.md` in plain words: who has which role, and sees what. */
export class RoleModel {
  constructor(readonly world: RoleWorld) {}

  /** A group and those above it, root first. Groups come after the one above them. */
  above(one: number): number[] {
    const under = ((this.world.groups[one]?.under ?? 0) % (one + 1)) - 1;
    return under < 0 ? [one] : [...this.above(under), one];
  }

  /** Whatever is in a group goes with it. */
  isGone(one: number): boolean {
    return this.above(one).some((up) => this.world.groups[up]?.removed);
  }

  isProjectGone(one: number): boolean {
    const { home, removed } = this.project(one);
    return removed || (home < SIZE.groups && this.isGone(home));
  }

  project(one: number): RoleWorld['projects'][number] {
    return this.world.projects[one] as RoleWorld['projects'][number];
  }

  group(one: number): RoleWorld['groups'][number] {
    return this.world.groups[one] as RoleWorld['groups'][number];
  }

  user(one: number): RoleWorld['users'][number] {
    return this.world.users[one] as RoleWorld['users'][number];
  }

  /** The user's membership that counts in this very place. */
  direct(who: number, type: 'Project' | 'Namespace', of: number): number {
    const found = this.world.members.find(
      (one) => one.user === who && one.place.type === type && one.place.of === of,
    );
    return found && live(found) ? found.level : LEVEL.None;
  }

  /** By membership in the group or one above it, without shares. */
  held(who: number, one: number): number {
    return Math.max(...this.above(one).map((up) => this.direct(who, 'Namespace', up)));
  }

  /** What each share that counts for the place gives; a share does not reach those whom the other group has invited. */
  lent(who: number, groups: readonly number[], of: number | null): { by: number; level: number }[] {
    return this.world.shares
      .filter((one) => live(one) && !this.isGone(one.group))
      .filter(({ place: { type, of: at } }) => (type === 'Project' ? at === of : groups.includes(at)))
      .map((one) => ({ by: one.group, level: Math.min(one.level, this.held(who, one.group)) }));
  }

  groupRole(who: number, one: number): number {
    return Math.max(this.held(who, one), ...this.lent(who, this.above(one), null).map(({ level }) => level));
  }

  /** The groups around a project: none for that of a user. */
  around(one: number): number[] {
    const { home } = this.project(one);
    return home < SIZE.groups ? this.above(home) : [];
  }

  projectRole(who: number, one: number): number {
    const groups = this.around(one);
    if (this.project(one).home === SIZE.groups + who) return LEVEL.Owner;
    const levels = [
      ...groups.map((up) => this.direct(who, 'Namespace', up)),
      ...this.lent(who, groups, one).map(({ level }) => level),
    ];
    // Minimal access is to groups only.
    return Math.max(this.direct(who, 'Project', one), ...levels.filter((level) => level > LEVEL.Minimal));
  }

  /** Without a role: bots belong to their place alone. */
  isOpen(who: number | null, { visibility: seen }: Sight): boolean {
    if (seen === 'public' || who === null) return seen === 'public';
    return seen === 'internal' && !this.user(who).external && !this.user(who).bot;
  }

  seesGroup(who: number | null, one: number): boolean {
    if (this.isGone(one)) return false;
    if (this.isOpen(who, this.group(one))) return true;
    return who !== null && (this.user(who).admin || this.groupRole(who, one) > LEVEL.None);
  }

  seesProject(who: number | null, one: number): boolean {
    if (this.isProjectGone(one)) return false;
    if (this.isOpen(who, this.project(one))) return true;
    return who !== null && (this.user(who).admin || this.projectRole(who, one) > LEVEL.None);
  }

  /** A part: `least` is the role that a private project asks for. */
  reads(who: number | null, one: number, part: Part, least: number): boolean {
    const level = this.project(one)[part];
    if (level === 'disabled' || !this.seesProject(who, one)) return false;
    if (who !== null && this.user(who).admin) return true;
    const role = who === null ? LEVEL.None : this.projectRole(who, one);
    if (this.isOpen(who, this.project(one))) return level === 'enabled' || role >= LEVEL.Guest;
    return role >= least;
  }

  readsSecret(who: number | null, one: number): boolean {
    if (who === null || !this.reads(who, one, 'issues', LEVEL.Guest)) return false;
    const isTheirs = this.project(one).author === who;
    return isTheirs || this.user(who).admin || this.projectRole(who, one) >= LEVEL.Reporter;
  }
}
