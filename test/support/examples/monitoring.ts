import { sendImage } from '../metric-images.js';
import type { ExampleWorld, Made } from './desk.js';

/** Alerts and their integrations. */
export async function showAlerts({ desk, ada, at }: ExampleWorld): Promise<void> {
  const { body: integration } = await ada.shown.post<{ url: string; token: string }>(
    `${at}/alert_management/integrations`,
    { name: 'Grafana' },
  );
  const path = new URL(integration.url).pathname;
  const alert = {
    ...{ title: 'The engine is hot', severity: 'high', service: 'engine', monitoring_tool: 'Grafana' },
    ...{ start_time: '2026-03-14T09:26:53Z', description: '120 degrees', fingerprint: 'engine-heat' },
  };
  const answer = await fetch(desk.api.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${integration.token}` },
    body: JSON.stringify(alert),
  });
  const text = await answer.text();
  desk.recorder.take('POST', path, {
    status: answer.status,
    headers: answer.headers,
    text,
    body: JSON.parse(text) as unknown,
  });
  const alerts = `${at}/alert_management_alerts`;
  await sendImage(ada.shown, `${alerts}/1/metric_images`, {
    fields: { url: 'https://grafana.example.com/d/1' },
  });
  await ada.shown.get(`${alerts}/1`);
}

/** Errors that an application has reported. */
export async function showErrors({ desk, ada, at, project }: ExampleWorld): Promise<void> {
  const tracking = `${at}/error_tracking`;
  await ada.shown.put(`${tracking}/settings`, { active: true, integrated: true });
  const { body: key } = await ada.shown.post<{ public_key: string }>(`${tracking}/client_keys`);
  const event = {
    ...{ platform: 'ruby', environment: 'production', release: '1.0', level: 'error' },
    exception: {
      values: [
        {
          ...{ type: 'StallError', value: 'The engine is too cold' },
          stacktrace: { frames: [{ filename: 'src/engine.rb', function: 'start', lineno: 1, in_app: true }] },
        },
      ],
    },
  };
  await desk.recorder
    .as(null)
    .post(`/error_tracking/collector/api/${project}/store?sentry_key=${key.public_key}`, event);
  await desk.when(`${tracking}/errors`, () => true);
  const { body: errors } = await ada.shown.get<Made[]>(`${tracking}/errors`);
  const { body: events } = await ada.shown.get<Made[]>(`${tracking}/errors/${errors[0]?.id}/events`);
  await ada.shown.get(`${tracking}/events/${events[0]?.id}`);
}
