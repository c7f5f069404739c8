import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CloseIncidentProcessor } from '#features/alerts/incidents/close-incident.processor.js';
import { OpenIncidentProcessor } from '#features/alerts/incidents/open-incident.processor.js';
import { alertmanagerBody, AlertDesk } from '../../../support/alert-desk.js';
import type { TestApi } from '../../../support/api.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Note {
  readonly body: string;
  readonly system: boolean;
  readonly author: { readonly username: string };
}

describe('incidents of alerts', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it('are opened once for each alert that fires, in the name of the bot', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true });
    const payload = {
      title: 'Disk full',
      description: 'Less than 1 %',
      severity: 'High',
      service: 'web',
      hosts: ['a.test', 'b.test'],
      start_time: '2026-03-04T05:06:07Z',
      fingerprint: 'disk',
      rack: { row: 7 },
    };
    const [iid] = await desk.send(payload);
    const [incident, ...others] = await desk.incidents();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      title: 'Disk full',
      state: 'opened',
      issue_type: 'incident',
      severity: 'HIGH',
      author: { username: 'alert-bot' },
    });
    for (const part of [
      '- **Start time:** 2026-03-04T05:06:07.000Z',
      '- **Severity:** high',
      '- **Service:** `web`',
      '- **Hosts:** `a.test` `b.test`',
      `- **Alert:** <http://forgeplane.test/-/projects/${desk.project.id}/alerts/${iid}>`,
      '```\nLess than 1 %\n```',
      '- `rack/row`: `7`',
    ])
      expect(incident?.description).toContain(part);
    expect(await desk.alert(iid ?? 0)).toMatchObject({ events: 1, issue_iid: incident?.iid });

    await desk.send(payload);
    expect(await desk.incidents()).toHaveLength(1);
    expect(await desk.alert(iid ?? 0)).toMatchObject({ events: 2, issue_iid: incident?.iid });
  });

  it('are opened for each firing item of an Alertmanager body, with the text of its annotations', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus', create_incident: true });
    await desk.send(
      alertmanagerBody(
        {
          fingerprint: '01',
          labels: { alertname: 'Down', severity: 'p3', instance: 'one' },
          annotations: {
            title: 'One is down',
            runbook: 'https://runbooks.test/down',
            service_incident_markdown: '**Call** the desk',
            team: 'core',
          },
          generatorURL: 'http://prometheus.test/graph?g0.expr=up%20%3D%3D%200&g0.tab=1',
        },
        { fingerprint: '02', annotations: { title: 'Two is down' } },
        { fingerprint: '03', status: 'resolved', endsAt: '2026-03-04T06:00:00Z' },
      ),
    );
    const incidents = await desk.incidents();
    expect(incidents.map(({ title, severity }) => [title, severity]).sort()).toEqual([
      ['One is down', 'MEDIUM'],
      ['Two is down', 'CRITICAL'],
    ]);
    const text = incidents.find(({ title }) => title === 'One is down')?.description ?? '';
    for (const part of [
      '- **Runbook:** <https://runbooks.test/down>',
      '- **Query:** `up == 0`',
      '- `labels/instance`: `one`',
      '- `team`: `core`',
      '\n\n---\n\n**Call** the desk',
    ])
      expect(text).toContain(part);
  });

  it('are not opened for resolved alerts, or if the integration disables them', async () => {
    const desk = await AlertDesk.open(api);
    const [iid] = await desk.send({ title: 'Unwanted', fingerprint: 'a' });
    expect(await desk.incidents()).toEqual([]);
    await desk.change({ create_incident: true });
    await desk.send({ title: 'Was', end_time: '2026-03-04T05:06:07Z' });
    expect(await desk.incidents()).toEqual([]);
    // After the job of its first event has run, a repetition requests what the alert still lacks.
    await api.sql(`update alerts set created_at = now() - interval '1 minute' where project_id = $1`, [
      desk.project.id,
    ]);
    await desk.setStatus(iid ?? 0, 'ignored');
    await desk.send({ title: 'Unwanted', fingerprint: 'a' });
    expect(await desk.incidents()).toEqual([]);
    await desk.setStatus(iid ?? 0, 'acknowledged');
    await desk.send({ title: 'Unwanted', fingerprint: 'a' });
    expect(await desk.incidents()).toHaveLength(1);
    expect((await desk.alert(iid ?? 0)).issue_iid).toBe(1);
  });

  it('are not opened where issues are disabled', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true }, { issues_access_level: 'disabled' });
    await desk.send({ title: 'Nowhere to go' });
    await desk.incidents();
    expect(await api.sql('select 1 from issues where project_id = $1', [desk.project.id])).toEqual([]);
  });

  it('are created once, however often the job runs, and not for resolved alerts', async () => {
    const desk = await AlertDesk.open(api);
    const [open, over] = [...(await desk.send({ title: 'A' })), ...(await desk.send({ title: 'B' }))];
    await desk.change({ create_incident: true });
    await desk.setStatus(over ?? 0, 'resolved');
    const processor = api.app.get(OpenIncidentProcessor, { strict: false });
    const ids = await Promise.all([open, open, open, over, over].map((iid) => desk.idOf(iid ?? 0)));
    await Promise.all(ids.map((alertId) => processor.process({ alertId })));
    expect((await desk.incidents()).map(({ title }) => title)).toEqual(['A']);
  });

  it('are closed when their alert is resolved, if the integration enables it', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true });
    const payload = { title: 'Slow', fingerprint: 'slow' };
    await desk.send(payload);
    const [incident] = await desk.incidents();
    await desk.send({ ...payload, end_time: '2026-03-04T05:06:07Z' });
    expect(await desk.incidents()).toMatchObject([{ iid: incident?.iid, state: 'closed' }]);
    const notes = await api.root.get<Note[]>(`/projects/${desk.project.id}/issues/${incident?.iid}/notes`);
    expect(notes.body).toMatchObject([
      {
        body: 'automatically closed this incident because the alert resolved.',
        system: true,
        author: { username: 'alert-bot' },
      },
    ]);

    // A new occurrence is another alert, with its own incident; this one is resolved by a user.
    const [again] = await desk.send(payload);
    expect((await desk.incidents()).map(({ state }) => state)).toEqual(['closed', 'opened']);
    await desk.setStatus(again ?? 0, 'resolved');
    expect((await desk.incidents()).map(({ state }) => state)).toEqual(['closed', 'closed']);

    await desk.change({ auto_close_incident: false });
    await desk.send(payload);
    await desk.incidents();
    await desk.send({ ...payload, end_time: '2026-03-04T05:06:07Z' });
    expect((await desk.incidents()).map(({ state }) => state)).toEqual(['closed', 'closed', 'opened']);
  });

  it('stay open if the alert was reopened before the job runs', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true });
    const [iid] = await desk.send({ title: 'Flapping' });
    await desk.incidents();
    await api.app
      .get(CloseIncidentProcessor, { strict: false })
      .process({ alertId: await desk.idOf(iid ?? 0) });
    expect(await desk.incidents()).toMatchObject([{ state: 'opened' }]);
  });

  it('resolve their alert when a user closes them, but do not reopen it when they are reopened', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true });
    const [iid = 0] = await desk.send({ title: 'Mended', fingerprint: 'm' });
    const [incident] = await desk.incidents();
    const path = `/projects/${desk.project.id}/issues/${incident?.iid}`;
    await api.root.put(path, { state_event: 'close' });
    const resolved = await desk.alert(iid);
    expect(resolved.status).toBe('resolved');
    expect(Date.parse(resolved.ended_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await api.root.put(path, { state_event: 'reopen' });
    expect(await desk.alert(iid)).toMatchObject({ status: 'resolved', issue_iid: incident?.iid });
    const [again] = await desk.send({ title: 'Mended', fingerprint: 'm' });
    expect(again).not.toBe(iid);
    expect(await desk.incidents()).toHaveLength(2);
  });

  it('end together with their alerts, in any order', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus', create_incident: true });
    const numbers = Array.from({ length: 12 }, (_, number) => number);
    const item = (number: number): object => ({
      fingerprint: `f${number}`,
      annotations: { title: `Race ${number}` },
    });
    const iids = await desk.send(alertmanagerBody(...numbers.map((number) => ({ ...item(number) }))));
    const opened = await desk.incidents();
    expect(opened).toHaveLength(12);
    const end = { status: 'resolved', endsAt: '2026-03-04T06:00:00Z' };
    const closed = await Promise.all([
      ...opened.map(({ iid }) =>
        api.root.put(`/projects/${desk.project.id}/issues/${iid}`, { state_event: 'close' }),
      ),
      ...numbers.map((number) => desk.send(alertmanagerBody({ ...item(number), ...end }))),
      ...iids.map((iid) => desk.setStatus(iid, 'resolved')),
    ]);
    expect(closed.flatMap((answer) => ('status' in answer ? [answer.status] : []))).toEqual(
      Array(24).fill(200),
    );
    expect((await desk.incidents()).map(({ state }) => state)).toEqual(Array(12).fill('closed'));
    const rows = await api.sql<{ status: number; ended: boolean }>(
      `select status, ended_at is not null as ended from alerts where project_id = $1 and issue_id is not null`,
      [desk.project.id],
    );
    expect(rows).toEqual(Array(12).fill({ status: 2, ended: true }));
  });

  it('leave their alert unchanged when they move to another project', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true });
    const [iid = 0] = await desk.send({ title: 'Elsewhere' });
    const [incident] = await desk.incidents();
    const { id: target } = await buildProject(api.root);
    const path = `/projects/${desk.project.id}/issues/${incident?.iid}/move`;
    expect((await api.root.post(path, { to_project_id: target })).status).toBe(201);
    expect(await desk.alert(iid)).toMatchObject({ status: 'triggered' });
  });

  it('mention users named in their template, but none named by the alert', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus', create_incident: true });
    const [called, victim] = [await addUser(api, 'called'), await addUser(api, 'victim')];
    for (const user of [called, victim]) await buildMember(api, `projects/${desk.project.id}`, user.id, 30);
    const hostile = '`` @victim `` ``` @all </code> ![x](http://evil.test/x.png)\n```\n@victim\n# Heading';
    await desk.send(
      alertmanagerBody({
        fingerprint: 'x',
        labels: { alertname: '@victim @all', '@victim': hostile, job: hostile },
        annotations: {
          title: 'Hello @victim',
          description: hostile,
          runbook: 'https://runbooks.test/?for=@victim',
          service_incident_markdown: 'Please look, @called',
          '`@victim`': hostile,
        },
      }),
    );
    const [incident] = await desk.incidents();
    const mentions = async (): Promise<number[]> =>
      (
        await api.sql<{ user_id: number }>(
          `select user_id from mentions where target_type = 'Issue' and target_id = $1`,
          [incident?.id],
        )
      ).map(({ user_id }) => user_id);
    expect(await mentions()).toEqual([called.id]);
    // Nor later: texts of the alert are shown as code.
    const path = `/projects/${desk.project.id}/issues/${incident?.iid}`;
    await api.root.put(path, { description: `${incident?.description ?? ''}\n\nSeen.` });
    expect(await mentions()).toEqual([called.id]);
  });
});
