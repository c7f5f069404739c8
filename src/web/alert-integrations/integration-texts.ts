import type { IntegrationType } from '#features/alerts/integrations/integration-values.js';

/** Label and description of each type of integration. */
export const TYPE_WORDS: Readonly<Record<IntegrationType, readonly [label: string, meaning: string]>> = {
  http: ['HTTP endpoint', 'For every tool that can send JSON to a web address.'],
  prometheus: ['Prometheus', 'For the Alertmanager of Prometheus, as a receiver with a webhook.'],
  external: [
    'External incident tool',
    'Alerts go to an external service. No other integration can be active at the same time.',
  ],
};

const GENERIC = {
  title: 'Test alert',
  description: 'Sent by hand to try the integration.',
  severity: 'low',
  service: 'example',
  monitoring_tool: 'Forgeplane',
  hosts: ['host.example.com'],
};

const ALERTMANAGER = {
  version: '4',
  groupKey: '{}:{alertname="TestAlert"}',
  status: 'firing',
  receiver: 'forgeplane',
  groupLabels: { alertname: 'TestAlert' },
  commonLabels: { alertname: 'TestAlert', severity: 'low' },
  commonAnnotations: { title: 'Test alert' },
  externalURL: 'http://alertmanager.example.com',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'TestAlert', severity: 'low' },
      annotations: { title: 'Test alert', description: 'Sent by hand to try the integration.' },
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example.com/graph?g0.expr=up+%3D%3D+0',
    },
  ],
};

/** A sample test payload in the format of that type of tool. */
export const samplePayload = (type: IntegrationType): string =>
  JSON.stringify(type === 'prometheus' ? ALERTMANAGER : GENERIC, null, 2);
