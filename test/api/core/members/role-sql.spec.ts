import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { CiProjectsQueries } from '#core/ci/creation/ci-projects.queries.js';
import { hasGroupRoleSql } from '#core/groups/group-access.sql.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { readableEpicIds } from '#core/issues/epics/readable-epics.js';
import { visibleIssues } from '#core/issues/lists/issue-visibility.js';
import { groupOwnersSql, projectManagersSql } from '#core/members/sql/managers.sql.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { readableEach, readableProjects, reportsIn } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';
import { gitAccessStatement } from '#features/git-http/access/git-access-statement.js';
import { seenProjects } from '#features/events/sql/seen-projects.sql.js';
import { accessStatement } from '../../../../src/guards/access/access-statement.js';
import type { TestApi } from '../../../support/api.js';
import { inline, RoleReport } from '../../../support/role-report.js';
import { ofGroups, ofProjects, RoleStage } from '../../../support/role-stage.js';
import { LEVEL, SIZE, type RoleModel } from '../../../support/role-world.js';

const LEVELS = [Role.Minimal, Role.Guest, Role.Reporter, Role.Developer, Role.Maintainer, Role.Owner];

let stage: RoleStage;
let api: TestApi;
beforeAll(async () => {
  stage = await RoleStage.start();
  ({ api } = stage);
});
afterAll(() => api.close());

async function compare(model: RoleModel): Promise<void> {
  const report = new RoleReport(stage, model);
  const role = (u: number, p: number): number => model.projectRole(u, p);
  const groupRole = (u: number, g: number): number => model.groupRole(u, g);
  const isActive = (u: number): boolean => !model.user(u).blocked;
  const isAdmin = (u: number): boolean => model.user(u).admin;
  const gone = (p: number): boolean => model.isProjectGone(p);

  const isMailed = (u: number): boolean => isActive(u) && !model.user(u).bot;

  // Whatever a caller names its tables.
  for (const [u, p, n] of [
    ['u', 'p', 'n'],
    ['m', 'l', 'g'],
    ['g', 'm', 'l'],
    ['l', 'g', 'm'],
  ] as const) {
    const groupText = report.groupRows(u, n, `, ${groupRoleSql(`${u}.id`, n)} r`);
    await report.says(`role in groups as ${u} ${n}`, groupText, ofGroups(groupRole));
    const projectText = report.projectRows(u, p, n, `, ${projectRoleSql(`${u}.id`, p, n)} r`);
    await report.says(`role in projects as ${u} ${p} ${n}`, projectText, ofProjects(role));
  }
  for (const level of LEVELS) {
    const least: number = level;
    const has = `${report.groupRows('u', 'n', '')} and ${hasGroupRoleSql('u.id', String(level))}`;
    await report.says(
      `groups from ${level}`,
      has,
      ofGroups((u, g) => groupRole(u, g) >= least),
    );
    if (level === Role.Minimal) continue;
    const own = `select u.id u, x.id p from users u cross join lateral (${authorizedSql(level).replace('?', 'u.id')}) x where ${report.users}`;
    await report.says(
      `projects from ${level}`,
      own,
      ofProjects((u, p) => role(u, p) >= least),
    );
  }
  await report.says(
    'managers',
    `select u.id u, p.id p from projects p join namespaces n on n.id = p.namespace_id
    cross join ${projectManagersSql('p', 'n')}`,
    ofProjects((u, p) => isMailed(u) && role(u, p) >= LEVEL.Maintainer),
  );
  await report.says(
    'owners',
    `select u.id u, g.id g from namespaces g cross join ${groupOwnersSql('g')}`,
    ofGroups((u, g) => isMailed(u) && groupRole(u, g) >= LEVEL.Owner),
  );

  // Statements of single requests.
  for (const [kind, of] of [
    ['Project', stage.projects],
    ['Group', stage.groups],
  ] as const) {
    const isProject = kind === 'Project';
    const text = accessStatement({ credential: 'token', sudo: false, subject: { kind, by: 'id' } });
    const lines = isProject
      ? ofProjects((u, p) => !model.isProjectGone(p) && role(u, p))
      : ofGroups((u, g) => !model.isGone(g) && groupRole(u, g));
    await report.each(`request in a ${kind}`, lines, async (user) => {
      const rows = await Promise.all(
        of.map((id) =>
          api.sql<{ s_id: number | null; s_role: number }>(text, [digestToken(stage.tokens[user] ?? ''), id]),
        ),
      );
      return stage.name(
        rows.flatMap(([row]) => (row?.s_id ? [{ [isProject ? 'p' : 'g']: row.s_id, r: row.s_role }] : [])),
      );
    });
    const git = gitAccessStatement('user');
    await report.each(`git in a ${kind}`, lines, async (user) => {
      const rows = await Promise.all(
        of.map((_, index) =>
          api.sql<{ project_id: number | null; group_id: number | null; role: number }>(git, [
            stage.users[user],
            isProject ? `role-group-0/p${index}` : `role-group-${index}`,
            isProject ? 'code' : 'wiki',
          ]),
        ),
      );
      return stage.name(
        rows.flatMap(([row]) =>
          row && (row.project_id ?? row.group_id) !== null
            ? [isProject ? { p: row.project_id, r: row.role } : { g: row.group_id, r: row.role }]
            : [],
        ),
      );
    });
  }

  // What many users, or many projects, read.
  for (const part of ['issues', 'repository'] as const)
    for (const least of [Role.Guest, Role.Reporter]) {
      const lines = ofProjects((u, p) => model.reads(u, p, part, least));
      for (const [name, build] of [
        ['list', readableProjects],
        ['row', readableEach],
      ] as const)
        await report.each(`${part} from ${least} by ${name}`, lines, (user) =>
          stage.ask(
            `select p.id p from projects p join namespaces pn on pn.id = p.namespace_id where ${inline(build(report.actorOf(user), part, least))}`,
          ),
        );
      const readers = api.app.get(ProjectReadersQueries);
      const among: string[] = [];
      for (const p of stage.projects)
        among.push(
          ...stage.name(
            [...(await readers.among(p, stage.users, part, least)).keys()].map((u) => ({ u, p })),
          ),
        );
      const ofReaders = ofProjects((u, p) => isActive(u) && model.reads(u, p, part, least));
      report.note(`readers of ${part} from ${least}`, among.sort(), ofReaders);
      const open = await stage.ask(
        `select p.id p from projects p where ${inline(readableProjects(null, part, least))}`,
      );
      const toAll = [...Array(SIZE.projects).keys()].filter((p) => model.reads(null, p, part, least));
      report.note(
        `${part} from ${least} by nobody`,
        open,
        toAll.map((p) => `p${p}`),
      );
    }
  await report.each(
    'reports',
    ofProjects((u, p) => isAdmin(u) || role(u, p) >= LEVEL.Reporter),
    (user) => stage.ask(`select p.id p from projects p where ${inline(reportsIn(report.actorOf(user)))}`),
  );
  await report.each(
    'issues',
    ofProjects((u, p) => (model.readsSecret(u, p) ? 2 : model.reads(u, p, 'issues', LEVEL.Guest) ? 1 : 0)),
    (user) =>
      stage.ask(
        `select p.id p, count(*)::int r from issues i join projects p on p.id = i.project_id where ${inline(visibleIssues(report.actorOf(user)))} group by p.id`,
      ),
  );
  await report.each(
    'events',
    ofProjects((u, p) => model.seesProject(u, p) && (isAdmin(u) ? LEVEL.Admin : role(u, p) || true)),
    (user) =>
      stage.ask(
        `select q.id p, nullif(q.role, 0) r from (${seenProjects('select * from projects where id = any($4)')}) q`,
        [stage.users[user], isAdmin(user), !report.actorOf(user).external, stage.projects, true],
      ),
  );
  const noteables = api.app.get(NoteableRegistry);
  const epics = await api.sql<{ id: number; group_id: number }>('select id, group_id from epics');
  const readsEpics = (u: number, g: number): number => {
    if (model.isGone(g)) return 0;
    if (isAdmin(u) || groupRole(u, g) >= LEVEL.Reporter) return 2;
    return groupRole(u, g) >= LEVEL.Guest || model.isOpen(u, model.group(g)) ? 1 : 0;
  };
  await report.each('epics of issues', ofGroups(readsEpics), async (user) => {
    const seen = await readableEpicIds(
      api.app.get(ReadDatabase),
      { actor: report.actorOf(user) } as never,
      epics.map(({ id }) => id),
    );
    return stage.ask('select group_id g, count(*)::int r from epics where id = any($1) group by 1', [
      [...seen],
    ]);
  });
  await report.each('epics', ofGroups(readsEpics), (user) =>
    stage.ask(
      `select x.group_id g, count(*)::int r from epics x where ${inline(noteables.readable('Epic', report.actorOf(user), 'x.id'))} group by 1`,
    ),
  );
  await report.each(
    'namespaces',
    ofGroups((u, g) => model.seesGroup(u, g) && (isAdmin(u) ? LEVEL.Admin : groupRole(u, g) || true)),
    async (user) => {
      const seen = await Promise.all(
        stage.groups.map((g) => api.app.get(NamespacesQueries).findOrNull(report.actorOf(user), g)),
      );
      return stage.name(
        seen.flatMap((one) => (one ? [{ g: one.id, ...(one.role ? { r: one.role } : {}) }] : [])),
      );
    },
  );
  await report.each(
    'pipelines',
    ofProjects((u, p) => isActive(u) && !gone(p) && (isAdmin(u) ? LEVEL.Admin : role(u, p))),
    async (user) => {
      const seen = await Promise.all(
        stage.projects.map((p) => api.app.get(CiProjectsQueries).find(p, stage.users[user] ?? 0)),
      );
      return stage.name(seen.flatMap((one) => (one?.user ? [{ p: one.id, r: one.user.role }] : [])));
    },
  );

  expect(report.found).toEqual(report.expected);
}

describe('SQL of roles', () => {
  it('says who has which role and reads what, in any world', () => stage.playAll(80, compare));
});
