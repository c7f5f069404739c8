import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { describeRule, type AccessRule } from '#kernel/access/access.js';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import { definedJobs } from '#kernel/queue/job-definition.js';
import type { JobProcessor } from '#kernel/queue/job-processor.js';
import { processors } from '../../../src/worker.module.js';
import { startApi, type TestApi } from '../../support/api.js';

const SNAPSHOT = 'test/api/routes.txt';

/** Routes whose responses are not records: documents, probes, files, pages, other protocols. */
const declaresNoRecord = ({ path, rule, rawBody }: RouteDescription): boolean =>
  !path.startsWith('/api/v4/') ||
  path === '/api/v4/openapi.json' ||
  rule?.credential !== undefined ||
  rawBody;

/** Exactly one of these identifies the caller; several would contradict each other. */
const ways = (rule: AccessRule): string[] =>
  (['user', 'admin', 'project', 'group', 'credential', 'page'] as const).filter(
    (name) => rule[name] !== undefined,
  );

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

describe('the route table', () => {
  let api: TestApi;
  let routes: RouteDescription[];
  const name = ({ method, path }: RouteDescription): string => `${method} ${path}`;

  beforeAll(async () => {
    api = await startApi();
    routes = listRoutes(api.app);
  });
  afterAll(() => api.close());

  it('has exactly one access rule for each route', () => {
    for (const route of routes) {
      expect([name(route), route.rule !== undefined]).toEqual([name(route), true]);
      const rule = route.rule as AccessRule;
      const found = ways(rule);
      // A page of a project is for signed-in users with the role there.
      const isPageOfSubject = rule.page === 'user' && /^(project|group),page$/.test(found.join());
      const isSound = found.length === 1 || (found.length === 0 && rule.anyone === true) || isPageOfSubject;
      expect([name(route), found, isSound]).toEqual([name(route), found, true]);
    }
  });

  it('has each method of each path only once', () => {
    const seen = new Map<string, string>();
    for (const route of routes) {
      const key = `${route.method} ${route.path.replace(/:\w+/g, ':x')}`;
      expect([name(route), seen.get(key)]).toEqual([name(route), undefined]);
      seen.set(key, route.handler);
    }
  });

  it('declares the response of each route', () => {
    const silent = routes.filter((route) => !route.answer && !declaresNoRecord(route)).map(name);
    expect(silent).toEqual([]);
  });

  it('has pages outside of the API, and only pages there', () => {
    const pages = routes.filter(({ rule }) => rule?.page !== undefined);
    expect(pages.filter(({ answer }) => answer?.page !== true).map(name)).toEqual([]);
    expect(pages.filter(({ path }) => path.startsWith('/api/')).map(name)).toEqual([]);
    const other = routes.filter(({ rule, answer }) => answer?.page === true && rule?.page === undefined);
    // Mail programs request it without a page before; users who do so see the result.
    expect(other.map(name)).toEqual(['POST /-/sent_notifications/:key/unsubscribe']);
  });

  it('pages every list of the API', () => {
    const lists = routes.filter(({ answer, method }) => answer?.list && method === 'GET');
    // The lines of a file are returned completely, as v4 clients expect.
    // There are as many exports as kinds of them.
    const paged = lists.filter(({ path, answer }) => !path.endsWith('/blame') && !answer?.orOne);
    expect(paged.filter((route) => !route.isPaged).map(name)).toEqual([]);
    expect(
      routes.filter(({ isPaged, answer }) => isPaged && !answer?.list && !answer?.page).map(name),
    ).toEqual([]);
  });

  it('has parameter classes with fields', () => {
    for (const route of routes) {
      if (!route.params) continue;
      expect([name(route), typeof route.params]).toEqual([name(route), 'function']);
      expect([name(route), fieldsOf(route.params).length > 0]).toEqual([name(route), true]);
    }
  });

  it('finds the subject of a rule in its path or parameters', () => {
    for (const route of routes) {
      const { rule, path, params } = route;
      if (rule?.project === undefined && rule?.group === undefined) continue;
      const from = rule.from ?? 'id';
      const isThere =
        path.split('/').includes(`:${from}`) ||
        (params !== undefined && fieldsOf(params).some((field) => field.name === from));
      expect([name(route), from, isThere]).toEqual([name(route), from, true]);
    }
  });

  it('allows writes only for users and credentials with their own rights', () => {
    const open = routes.filter(({ method, rule }) => !isRead(method) && rule?.anyone === true);
    expect(
      open.map(name).filter((line) => line.startsWith('POST /api') || /^(PUT|DELETE|PATCH) /.test(line)),
    ).toEqual([]);
    // Members may always leave; a reader of a deployment is told why they cannot approve it; a user who can
    // see a public project may create issues and notes there, and commit to open branches: the services
    // decide.
    const told = [
      'members/:user_id',
      'approval',
      'fork',
      'notification_settings',
      ...['subscribe', 'unsubscribe', 'comments', 'discussions', 'discussions/:discussion_id'],
      ...['notes', 'notes/:note_id', 'award_emoji', 'award_emoji/:award_id'],
      ...[
        'move',
        'clone',
        'reorder',
        'issues',
        'issues/:issue_iid',
        'issues/:issue_id',
        'issues/:epic_issue_id',
      ],
      ...['epics/:child_epic_id', 'links', 'links/:issue_link_id'],
      ...['merge_requests/:merge_request_iid', 'merge', 'rebase', 'cancel_merge_when_pipeline_succeeds'],
      ...['repository/commits', 'cherry_pick', 'revert', 'files/:file_path'],
    ];
    const publicWrites = routes.filter(
      ({ method, rule, path }) =>
        !isRead(method) && rule?.publicRead && !told.some((end) => path.endsWith(`/${end}`)),
    );
    expect(publicWrites.map(name)).toEqual([]);
  });

  it('answers anonymous writes to projects and groups with 401 before anything else', async () => {
    const writes = routes.filter(
      ({ method, rule }) =>
        !isRead(method) &&
        rule?.page === undefined &&
        (rule?.project !== undefined || rule?.group !== undefined),
    );
    for (const route of writes) {
      const path = route.path.replace(/:\w+/g, '999999');
      const answer = await api.anonymous.send(route.method, path);
      expect([name(route), answer.status, answer.body]).toEqual([
        name(route),
        401,
        { message: '401 Unauthorized' },
      ]);
    }
  });

  it('has a processor for every job, and no other', () => {
    const processed = processors
      .map((processor) => api.app.get<JobProcessor>(processor, { strict: false }).job.name)
      .sort();
    expect(processed).toEqual(
      definedJobs()
        .map((job) => job.name)
        .sort(),
    );
  });

  it('equals routes.txt: UPDATE_ROUTES=1 updates it', () => {
    const lines = routes.map((route) => `${name(route)}  ${describeRule(route.rule as AccessRule)}`.trim());
    const text = `${lines.join('\n')}\n`;
    if (process.env['UPDATE_ROUTES'] === '1') writeFileSync(SNAPSHOT, text);
    expect(text).toBe(readFileSync(SNAPSHOT, 'utf8'));
  });
});
