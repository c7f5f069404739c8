import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { RoleStage } from '../../../support/role-stage.js';
import { LEVEL, SIZE, type RoleModel } from '../../../support/role-world.js';

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const [PEOPLE, GROUPS, PROJECTS] = [range(SIZE.users), range(SIZE.groups), range(SIZE.projects)];

let stage: RoleStage;
let api: TestApi;
beforeAll(async () => {
  stage = await RoleStage.start();
  ({ api } = stage);
});
afterAll(() => api.close());

interface Shown {
  readonly id: number;
  readonly access_level?: number;
  readonly project_id?: number;
  readonly group_id?: number;
}

/** What the requests of the viewer, null for an anonymous one, show, and what they should. */
async function compare(model: RoleModel, viewer: number | null): Promise<void> {
  const client = viewer === null ? api.anonymous : api.as(stage.tokens[viewer] ?? '');
  const found: Record<string, string[] | number> = {};
  const expected: Record<string, string[] | number> = {};
  const role = (p: number): number => (viewer === null ? LEVEL.None : model.projectRole(viewer, p));
  const groupRole = (g: number): number => (viewer === null ? LEVEL.None : model.groupRole(viewer, g));
  const isAdmin = viewer !== null && model.user(viewer).admin;

  const shows = async (
    path: string,
    lines: readonly string[] | number,
    name: (one: Shown) => Parameters<RoleStage['name']>[0][number],
  ): Promise<void> => {
    const { status, body } = await client.get<Shown[]>(
      `${path}${path.includes('?') ? '&' : '?'}per_page=100`,
    );
    found[path] = status === 200 ? stage.name(body.map(name)) : status;
    expected[path] = typeof lines === 'number' ? lines : [...lines].sort();
  };
  const asProject = ({ id: p }: Shown) => ({ p });
  const asGroup = ({ id: g }: Shown) => ({ g });
  const asMember = ({ id: u, access_level: r = 0 }: Shown) => ({ u, r });
  const projects = (rule: (p: number) => boolean): string[] =>
    PROJECTS.filter((p) => model.seesProject(viewer, p) && rule(p)).map((p) => `p${p}`);
  const groups = (rule: (g: number) => boolean): string[] =>
    GROUPS.filter((g) => !model.isGone(g) && rule(g)).map((g) => `g${g}`);
  const secrets = (of: readonly number[]): string[] =>
    of.flatMap((p) => {
      if (!model.reads(viewer, p, 'issues', LEVEL.Guest)) return [];
      return model.readsSecret(viewer, p) ? [`p${p}`, `p${p}`] : [`p${p}`];
    });
  const asIssue = ({ project_id: p = 0 }: Shown) => ({ p });

  for (const order of ['id', 'name', 'similarity'])
    await shows(
      `/projects?simple=true&order_by=${order}`,
      projects(() => true),
      asProject,
    );
  await shows(
    '/projects?search=p',
    projects(() => true),
    asProject,
  );
  await shows(
    '/groups?all_available=true',
    groups((g) => model.seesGroup(viewer, g)),
    asGroup,
  );
  if (viewer !== null) {
    await shows(
      '/projects?membership=true',
      projects((p) => role(p) >= LEVEL.Guest),
      asProject,
    );
    await shows(
      '/projects?owned=true',
      projects((p) => role(p) >= LEVEL.Owner),
      asProject,
    );
    await shows(
      '/projects?min_access_level=30',
      projects((p) => role(p) >= LEVEL.Developer),
      asProject,
    );
    await shows(
      '/groups',
      groups((g) => isAdmin || groupRole(g) > LEVEL.None),
      asGroup,
    );
    await shows(
      '/groups?min_access_level=20',
      groups((g) => groupRole(g) >= LEVEL.Reporter),
      asGroup,
    );
    await shows(
      '/groups?owned=true',
      groups((g) => groupRole(g) >= LEVEL.Owner),
      asGroup,
    );
    await shows(
      '/namespaces',
      groups((g) => isAdmin || groupRole(g) > LEVEL.None),
      asGroup,
    );
    await shows('/issues?scope=all', secrets(PROJECTS), asIssue);
  }

  /** Whom the members of a place include as far as the viewer may know. */
  const members = (above: readonly number[], p: number | null): string[] => {
    const manages =
      isAdmin || (p === null ? groupRole(above.at(-1) ?? 0) >= LEVEL.Owner : role(p) >= LEVEL.Maintainer);
    return PEOPLE.flatMap((u) => {
      const knows = (by: number): boolean =>
        manages || u === viewer || model.isOpen(viewer, model.group(by)) || groupRole(by) > LEVEL.None;
      const levels = [
        p !== null && model.project(p).home === SIZE.groups + u ? LEVEL.Owner : LEVEL.None,
        p === null ? LEVEL.None : model.direct(u, 'Project', p),
        ...above.map((g) => model.direct(u, 'Namespace', g)),
        ...model.lent(u, above, p).map(({ by, level }) => (knows(by) ? level : LEVEL.None)),
      ];
      const level = Math.max(...levels);
      return level > (p === null ? LEVEL.None : LEVEL.Minimal) ? [`u${u} ${level}`] : [];
    });
  };
  for (const g of GROUPS) {
    const path = `/groups/${stage.groups[g]}`;
    const isSeen = model.seesGroup(viewer, g);
    found[path] = (await client.get(path)).status;
    expected[path] = isSeen ? 200 : 404;
    const below = GROUPS.filter((one) => model.above(one).includes(g));
    const contained = PROJECTS.filter((p) => below.includes(model.project(p).home));
    const seen = (lines: readonly string[]): readonly string[] | number => (isSeen ? lines : 404);
    // Minimal access shows the group, not what is in it.
    const mayList = isAdmin || groupRole(g) >= LEVEL.Guest || model.isOpen(viewer, model.group(g));
    const inside = (lines: readonly string[]): readonly string[] | number =>
      isSeen && !mayList ? 403 : seen(lines);
    const list = `${path}/projects?include_subgroups=true&with_shared=false`;
    await shows(list, inside(projects((p) => contained.includes(p))), asProject);
    const lent = model.world.shares.filter(
      ({ place: { type }, group, days }) => type === 'Project' && group === g && (days ?? 1) > 0,
    );
    await shows(
      `${path}/projects/shared`,
      inside(projects((p) => lent.some(({ place }) => place.of === p))),
      asProject,
    );
    if (viewer === null) continue;
    const under = groups((one) => one !== g && below.includes(one) && model.seesGroup(viewer, one));
    await shows(`${path}/descendant_groups?all_available=true`, seen(under), asGroup);
    await shows(`${path}/issues`, inside(secrets(contained)), asIssue);
    await shows(`${path}/members/all`, seen(members(model.above(g), null)), asMember);
    const epics = below.flatMap((one) => {
      if (model.isGone(one)) return [];
      if (isAdmin || groupRole(one) >= LEVEL.Reporter) return [`g${one}`, `g${one}`];
      return one === g || groupRole(one) >= LEVEL.Guest || model.isOpen(viewer, model.group(one))
        ? [`g${one}`]
        : [];
    });
    await shows(`${path}/epics`, inside(epics), ({ group_id: one = 0 }) => ({ g: one }));
  }
  for (const p of PROJECTS) {
    const path = `/projects/${stage.projects[p]}`;
    const isSeen = model.seesProject(viewer, p);
    found[path] = (await client.get(path)).status;
    expected[path] = isSeen ? 200 : 404;
    if (viewer === null || !isSeen) continue;
    const all = members(model.around(p), p);
    await shows(`${path}/members/all`, all, asMember);
    await shows(
      `${path}/users`,
      all.map((line) => line.split(' ')[0] ?? ''),
      ({ id: u }) => ({ u }),
    );
    if (model.reads(viewer, p, 'issues', LEVEL.Guest)) await shows(`${path}/issues`, secrets([p]), asIssue);
    const known = model.world.shares
      .filter(({ days }) => (days ?? 1) > 0)
      .filter(({ place: { type, of } }) => (type === 'Project' ? of === p : model.around(p).includes(of)))
      .filter(({ group }) => model.seesGroup(viewer, group));
    const around = groups((g) => model.around(p).includes(g) || known.some(({ group }) => group === g));
    await shows(`${path}/groups?with_shared=true`, around, asGroup);
  }
  expect(found).toEqual(expected);
}

describe('lists of what a role shows', () => {
  it('follow the rules, in any world', () =>
    stage.playAll(24, async (model, world) => {
      await compare(model, null);
      if (!model.user(world.viewer).blocked) await compare(model, world.viewer);
    }));
});
