import { listRoutes } from '#kernel/http/routes/route-list.js';
import { ROOT_TOKEN, type TestApi } from '../api.js';
import { AlertSender } from '../alert-sender.js';
import { buildPipeline, buildRunningJob } from '../builders/ci.js';
import { buildProject } from '../builders/project.js';
import { buildTrackedProject } from '../builders/tracked-project.js';
import { basicHeader, packet } from '../git-http.js';
import { GIF } from '../metric-images.js';

/** A route that accepts a body, and a valid body. */
export interface BodyRoute {
  /** Method and template, as in the list of routes. */
  readonly route: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: Buffer;
}

const FORM = 'multipart/form-data; boundary=edge';

const form = (content: string): Buffer =>
  Buffer.from(
    `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n${content}\r\n--edge--\r\n`,
  );

/** Routes that read the stream of a request themselves: method and template. */
export const streamingRoutes = (api: TestApi): string[] =>
  listRoutes(api.app)
    .filter(({ rawBody }) => rawBody)
    .map(({ method, path }) => `${method} ${path}`);

/** These routes, and some whose body is read before the route runs. */
export async function bodyRoutes(api: TestApi): Promise<BodyRoute[]> {
  const PROJECT = { visibility: 'public', initialize_with_readme: true };
  const alerts = await AlertSender.open(api, PROJECT);
  const { id, path_with_namespace: path } = alerts.project;
  const [alert] = await alerts.send({ title: 'Down' });
  const tracked = await buildTrackedProject(api.root);
  const group = (await api.root.post<{ id: number }>('/groups', { name: 'bodies', path: 'bodies' })).body;
  const { job, token } = await buildRunningJob(api, await buildPipeline(api, id));
  const private_ = await buildProject(api.root, { initialize_with_readme: true });
  const root = { 'PRIVATE-TOKEN': ROOT_TOKEN };
  const ofJob = { 'JOB-TOKEN': token };
  const key = { Authorization: `Bearer ${alerts.integration.token}` };
  const json = (value: unknown): Pick<BodyRoute, 'type' | 'body'> => ({
    type: 'application/json',
    body: Buffer.from(JSON.stringify(value)),
  });
  const upload = { type: FORM, body: form(GIF) };
  const event = json({ event_id: 'a'.repeat(32), message: 'Broken' });
  const envelope = {
    type: 'application/x-sentry-envelope',
    body: Buffer.from(`{}\n{"type":"event"}\n${event.body.toString()}\n`),
  };
  const dsn = `?sentry_key=${tracked.key}&sentry_version=7`;
  const intakes = ['/api/v4/error_tracking/collector/api', '/errortracking/api/v1/projects/api'].flatMap(
    (base) => [
      {
        route: `POST ${base}/:id/envelope`,
        path: `${base}/${tracked.id}/envelope/${dsn}`,
        headers: {},
        ...envelope,
      },
      { route: `POST ${base}/:id/store`, path: `${base}/${tracked.id}/store/${dsn}`, headers: {}, ...event },
    ],
  );
  const integration = `/api/v4/projects/${id}/alert_management/integrations/${alerts.integration.id}`;
  return [
    {
      route: 'POST /*repository/git-upload-pack',
      path: `/${path}.git/git-upload-pack`,
      headers: { 'Git-Protocol': 'version=2' },
      type: 'application/x-git-upload-pack-request',
      body: Buffer.from(`${packet('command=ls-refs\n')}0000`),
    },
    {
      route: 'POST /*repository/git-receive-pack',
      path: `/${private_.path_with_namespace}.git/git-receive-pack`,
      headers: basicHeader(['root', ROOT_TOKEN]),
      type: 'application/x-git-receive-pack-request',
      body: Buffer.from(
        `${packet(`${'0'.repeat(40)} ${'0'.repeat(40)} refs/heads/none\0report-status`)}0000`,
      ),
    },
    ...intakes,
    {
      route: 'POST /*project/alerts/notify/:slug/:identifier',
      path: alerts.path,
      headers: key,
      ...json({ title: 'Down' }),
    },
    ...['notify', 'notify.json'].map((word) => ({
      route: `POST /*project/alerts/${word}`,
      path: `/${path}/alerts/${word}`,
      headers: key,
      ...json({ title: 'Down' }),
    })),
    {
      route: 'POST /api/v4/projects/:id/alert_management/integrations/:integration_id/test',
      path: `${integration}/test`,
      headers: root,
      ...json({ title: 'Down' }),
    },
    {
      route: 'POST /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images',
      path: `/api/v4/projects/${id}/alert_management_alerts/${alert?.iid ?? 0}/metric_images`,
      headers: root,
      ...upload,
    },
    {
      route: 'PATCH /api/v4/jobs/:job_id/trace',
      path: `/api/v4/jobs/${job.id}/trace`,
      headers: { ...ofJob, 'Content-Range': '0-9' },
      type: 'text/plain',
      body: Buffer.from('All is well'),
    },
    {
      route: 'POST /api/v4/jobs/:id/artifacts',
      path: `/api/v4/jobs/${job.id}/artifacts?artifact_type=metadata&artifact_format=gzip`,
      headers: ofJob,
      ...upload,
    },
    {
      route: 'PUT /api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name',
      path: `/api/v4/projects/${id}/packages/generic/some/1.0/a.bin`,
      headers: root,
      type: 'application/octet-stream',
      body: Buffer.from('The content'),
    },
    {
      route: 'PUT /api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name',
      path: `/api/v4/projects/${id}/packages/generic/some/1.0/b.bin`,
      headers: root,
      ...upload,
    },
    ...[`projects/${id}`, `groups/${group.id}`].map((source) => ({
      route: `POST /api/v4/${source.replace(/\d+/, ':id')}/wikis/attachments`,
      path: `/api/v4/${source}/wikis/attachments`,
      headers: root,
      ...upload,
    })),
    {
      route: 'fields of a form',
      path: `/api/v4/projects/${id}/labels`,
      headers: root,
      type: FORM,
      body: form('x'),
    },
    { route: 'JSON', path: `/api/v4/markdown`, headers: root, ...json({ text: 'Well' }) },
    {
      route: 'a form',
      path: '/oauth/token',
      headers: {},
      type: 'application/x-www-form-urlencoded',
      body: Buffer.from(`grant_type=password&username=root&password=${'x'.repeat(3_000)}`),
    },
  ];
}
