import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsOf, type FieldClass } from '#kernel/http/fields/field-spec.js';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../support/api.js';
import { buildAlertIntegration } from '../../support/builders/alert-integration.js';
import { buildArchive, zipOf } from '../../support/builders/artifacts.js';
import { buildPipeline } from '../../support/builders/ci.js';
import { sendImage } from '../../support/metric-images.js';

const BASE = 'http://forgeplane.test';

/** URLs of pages of v4 servers: the fields exist for clients that show them, but the pages do not. */
const PAGE_LINKS = new Set([
  'web_url',
  'web_edit_url',
  'readme_url',
  'details_path',
  '_links.web_path',
  // Fields of the epic within an issue.
  'epic.url',
]);

/** Values given by users or other servers, and fragments. */
const GIVEN = new Set([
  'callback_url',
  'source_url',
  'runner_session_url',
  'tracker_external_url',
  'sentry_external_url',
  'api_url',
  'external_url',
  'website_url',
  'target_url',
  'introduced_by_url',
  'rollout_issue_url',
  'import_url',
  'metric_image.url',
  'link.url',
  // Sent to runners and applications by the instance; their own tests use them.
  'repo_url',
]);

/** Null on this service, or null for objects without one: avatars have their own tests. */
const NULL = new Set([
  'ssh_url_to_repo',
  'avatar_url',
  'award_emoji.url',
  'geo.url',
  '_links.cluster_agents',
  '_links.closed_as_duplicate_of',
]);

/**
 * The name under which a URL is listed: that of its field, preceded by the parent if it is not clear by
 * itself.
 */
const nameOf = (above: string, field: string): string =>
  above === '_links' || field === 'url' || field === 'favicon' ? `${above}.${field}` : field;

const RECORDS_OF_URLS: Readonly<Record<string, string>> = {
  GeoNodeRecord: 'geo',
  IssueEpicRecord: 'epic',
  MetricImageRecord: 'metric_image',
  AwardEmojiRecord: 'award_emoji',
  WikiLinkRecord: 'link',
  AlertIntegrationRecord: 'integration',
};

let api: TestApi;
/** Responds by the requested path. */
const answers: [path: string, body: unknown][] = [];
beforeAll(async () => {
  api = await startApi();
  const { root } = api;
  const made = async (path: string, body: object = {}): Promise<{ id: number; iid: number }> => {
    const answer = await root.post<{ id: number; iid: number }>(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    answers.push([path, answer.body]);
    return answer.body;
  };
  const group = await made('/groups', { name: 'acme', path: 'acme' });
  const project = await made('/projects', {
    name: 'shop',
    namespace_id: group.id,
    initialize_with_readme: true,
  });
  const at = `/projects/${project.id}`;
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'build:\n  script: make' }];
  await made(`${at}/repository/commits`, { branch: 'main', commit_message: 'CI', actions });
  const change = [{ action: 'create', file_path: 'b.txt', content: 'b' }];
  await made(`${at}/repository/commits`, {
    branch: 'feature',
    start_branch: 'main',
    commit_message: 'B',
    actions: change,
  });
  await made(`${at}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const request = await made(`${at}/merge_requests`, {
    source_branch: 'feature',
    target_branch: 'main',
    title: 'B',
  });
  const ran = await made(`${at}/pipeline`, { ref: 'main' });
  const rows = await api.sql<{ sha: string }>('select sha from ci_pipelines where id = $1', [ran.id]);
  const pipeline = await buildPipeline(api, project.id, { sha: rows[0]?.sha ?? '', userId: 1 });
  const job = await buildArchive(api, pipeline, await zipOf({ 'a.txt': 'a' }));
  const parent = await made(`/groups/${group.id}/epics`, { title: 'Above' });
  const epic = await made(`/groups/${group.id}/epics`, { title: 'Below', parent_id: parent.id });
  const issue = await made(`${at}/issues`, { title: 'One', description: '- [ ] a task' });
  await made(`/groups/${group.id}/epics/${epic.iid}/issues/${issue.id}`);
  await made(`${at}/milestones`, { title: 'First' });
  await made(`/groups/${group.id}/milestones`, { title: 'First of all' });
  const snippet = { title: 's', visibility: 'private', files: [{ file_path: 'a dir/a.txt', content: 'a' }] };
  const [own, ofProject] = [await made('/snippets', snippet), await made(`${at}/snippets`, snippet)];
  for (const id of [own.id, ofProject.id])
    await made(`/snippets/${id}/repository_storage_moves`).catch(() => ({}));
  await root.send('PUT', `${at}/packages/generic/tool/1/tool.txt`, 'tool', {
    'Content-Type': 'application/octet-stream',
  });
  const [tool] = (await root.get<{ id: number }[]>(`${at}/packages`)).body;
  await buildAlertIntegration(root, project.id, { name: 'Grafana' });
  await buildAlertIntegration(root, project.id, { type: 'prometheus', name: 'Prometheus' });
  await api.sql(
    `insert into alerts (project_id, iid, title, fingerprint, started_at, payload) values ($1, 1, 'a', 'f', now(), '{}')`,
    [project.id],
  );
  const images = `${at}/alert_management_alerts/1/metric_images`;
  await sendImage(root, images, {});
  await made(`${at}/error_tracking/client_keys`);
  await made(`${at}/fork`, { path: 'fork' });
  const about = [
    ...['', '?simple=true', '/issues', '/merge_requests', '/milestones', '/snippets', '/packages', '/jobs'],
    ...['/pipelines', '/forks', '/repository/branches', '/repository/tags', '/repository/commits'],
    ...['/repository/compare?from=main&to=feature', '/alert_management/integrations', '/groups', '/users'],
    ...['/error_tracking/client_keys', '/events', '/members', '/repository/commits/main'],
    ...[
      `/issues/${issue.iid}`,
      `/merge_requests/${request.iid}`,
      `/snippets/${ofProject.id}`,
      `/jobs/${job.id}`,
    ],
    ...[`/pipelines/${pipeline.id}`, `/packages/${tool?.id ?? 0}`, `/merge_requests/${request.iid}/commits`],
    ...['/invited_groups', '/alert_management_alerts', '/alert_management_alerts/1/metric_images'],
  ].map((rest) => at + rest);
  const elsewhere = [
    ...[
      `/groups/${group.id}`,
      '/groups',
      `/groups/${group.id}/epics`,
      `/groups/${group.id}/epics/${epic.iid}`,
    ],
    ...[
      `/groups/${group.id}/milestones`,
      `/groups/${group.id}/epics/${epic.iid}/issues`,
      '/namespaces',
      '/projects',
    ],
    ...[
      '/snippets',
      `/snippets/${own.id}`,
      '/user',
      '/users/1',
      '/snippet_repository_storage_moves',
      '/events',
    ],
  ];
  for (const path of [...about, ...elsewhere]) answers.push([path, (await root.get<unknown>(path)).body]);
});
afterAll(() => api.close());

interface Found {
  readonly name: string;
  readonly url: string;
  readonly at: string;
}

/** Every URL and absolute path in a value. */
function* urlsIn(value: unknown, at: string, above = '', name = ''): Generator<Found> {
  if (typeof value === 'string') {
    if (
      /^http:\/\/([^/]*@)?forgeplane\.test(\/|$)/.test(value) ||
      (/(_path|^url)$/.test(name) && value.startsWith('/'))
    )
      yield { name: nameOf(above, name), url: value, at };
  } else if (Array.isArray(value)) for (const one of value) yield* urlsIn(one, at, above, name);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* urlsIn(one, at, name, key);
}

/** The path that a client requests for the URL. */
function placeOf({ name, url }: Found): string {
  if (name.endsWith('url_to_repo')) return `${url}/info/refs?service=git-upload-pack`;
  const { origin, pathname, search } = new URL(url, BASE);
  // An SDK derives the path from its DSN: the project is its last part.
  if (name.endsWith('_dsn')) return `${origin}${pathname.replace(/\/(\d+)$/, '/api/$1/envelope/')}`;
  return `${origin}${pathname}${search}`;
}

async function follow(found: Found): Promise<number> {
  const basic = `Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}`;
  const headers = found.name.endsWith('url_to_repo')
    ? { Authorization: basic }
    : { 'PRIVATE-TOKEN': ROOT_TOKEN };
  const place = placeOf(found).replace(BASE, api.url);
  // The intake of alerts is never read; without its key it refuses.
  const method = place.includes('/alerts/notify') ? 'POST' : 'GET';
  const { status, body } = await fetch(place, { method, headers, redirect: 'manual' });
  await body?.cancel();
  return method === 'POST' && status === 401 ? 405 : status;
}

const found = (): Found[] => answers.flatMap(([path, body]) => [...urlsIn(body, path)]);

describe('URLs of records', () => {
  it('work, except for those of pages', async () => {
    const followed = new Map(
      found()
        .filter(({ name }) => !PAGE_LINKS.has(name))
        .map((one) => [one.url, one]),
    );
    expect(followed.size).toBeGreaterThan(30);
    const lost: string[] = [];
    for (const one of followed.values()) {
      const status = await follow(one);
      // 405: something exists, but cannot be read.
      if (!(status < 400 || status === 405)) lost.push(`${one.name} of ${one.at}: ${status} for ${one.url}`);
    }
    expect(lost).toEqual([]);
  });

  it('are all followed, given by users, or listed here as links of pages', () => {
    const known = new Set([...PAGE_LINKS, ...GIVEN, ...NULL, ...found().map(({ name }) => name)]);
    const unknown = new Set<string>();
    const seen = new Set<FieldClass>();
    const visit = (type: FieldClass): void => {
      if (seen.has(type)) return;
      seen.add(type);
      for (const { name, nested } of fieldsOf(type)) {
        if (nested) visit(nested());
        else if (/Links/.test(type.name) || /(^|_)(url(_to_repo)?|dsn|href)$|_api_path$/.test(name)) {
          const above = /Links/.test(type.name) ? '_links' : (RECORDS_OF_URLS[type.name] ?? '');
          const full = nameOf(above, name);
          if (!known.has(full) && !(full === 'integration.url' && known.has('.url')))
            unknown.add(`${type.name}.${name}`);
        }
      }
    };
    for (const { answer, path } of listRoutes(api.app))
      if (answer?.record && path.startsWith('/api/v4/')) visit(answer.record);
    expect([...unknown]).toEqual([]);
  });

  it('and switches announce no large files, no container registry, and no git over SSH', async () => {
    const wanted = {
      lfs_enabled: true,
      container_registry_enabled: true,
      container_registry_access_level: 'enabled',
    };
    const group = await api.root.post('/groups', { name: 'g', path: 'wants', lfs_enabled: true });
    expect([group.status, group.body['lfs_enabled']]).toEqual([201, false]);
    const project = await api.root.post('/projects', { name: 'wants', ...wanted });
    const none = {
      lfs_enabled: false,
      container_registry_enabled: false,
      container_registry_access_level: 'disabled',
      ssh_url_to_repo: null,
    };
    expect(project.body).toMatchObject(none);
    const path = `/projects/${String(project.body['id'])}`;
    expect((await api.root.put(path, wanted)).body).toMatchObject(none);
    // The value stored before.
    await api.sql(`update projects set settings = settings || $2 where id = $1`, [
      project.body['id'],
      JSON.stringify(wanted),
    ]);
    await api.sql(`update namespaces set settings = settings || '{"lfs_enabled": true}' where id = $1`, [
      group.body['id'],
    ]);
    expect((await api.root.get(path)).body).toMatchObject(none);
    expect((await api.root.get('/groups/wants')).body).toMatchObject({ lfs_enabled: false });
  });
});
