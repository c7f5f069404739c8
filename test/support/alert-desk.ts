import type { TestApi } from './api.js';
import type { Answer, ApiClient } from './client.js';
import { buildProject, type BuiltProject } from './builders/project.js';
import { until } from './until.js';

/** Facts about an integration for the tests. */
export interface DeskIntegration {
  readonly id: number;
  readonly url: string;
  readonly token: string;
}

/** Facts about an alert for the tests. */
export interface DeskAlert {
  readonly iid: number;
  readonly title: string;
  readonly status: string;
  readonly events: number;
  readonly ended_at: string | null;
  readonly issue_iid: number | null;
}

/** Facts about an incident for the tests. */
export interface DeskIncident {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string;
  readonly state: string;
  readonly issue_type: string;
  readonly severity: string;
  readonly author: { readonly id: number; readonly username: string };
}

/** A body as Alertmanager sends it; each item has the differences from a firing critical alert. */
export const alertmanagerBody = (...items: readonly Readonly<Record<string, unknown>>[]): object => ({
  receiver: 'forge',
  status: 'firing',
  alerts: items.map((item) => ({
    status: 'firing',
    labels: { alertname: 'Down', severity: 'critical' },
    annotations: {},
    startsAt: '2026-03-04T05:06:07.008Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: '',
    ...item,
  })),
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.test',
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
});

/** A project with one integration, and the results of the alerts that are sent to it. */
export class AlertDesk {
  private constructor(
    private readonly api: TestApi,
    private readonly owner: ApiClient,
    readonly project: BuiltProject,
    readonly integration: DeskIntegration,
  ) {}

  /** Creates a desk; `values` are those of the integration. */
  static async open(api: TestApi, values: object = {}, ofProject: object = {}): Promise<AlertDesk> {
    const project = await buildProject(api.root, { ...ofProject });
    const path = `/projects/${project.id}/alert_management/integrations`;
    const made = await api.root.post<DeskIntegration>(path, { name: 'Desk', ...values });
    if (made.status !== 201) throw new Error(`Integration not created: ${made.status} ${made.text}`);
    return new AlertDesk(api, api.root, project, made.body);
  }

  /** Sends a payload, and returns the numbers of the alerts that took it. */
  async send(body: object): Promise<number[]> {
    const { url, token } = this.integration;
    const response = await fetch(this.api.url + new URL(url).pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`Alert not taken: ${response.status} ${text}`);
    return (JSON.parse(text) as { iid: number }[]).map(({ iid }) => iid);
  }

  /** An alert by its number. */
  async alert(iid: number): Promise<DeskAlert> {
    const { body } = await this.owner.get<DeskAlert>(
      `/projects/${this.project.id}/alert_management_alerts/${iid}`,
    );
    return body;
  }

  /** Gives an alert a status. */
  setStatus(iid: number, status: string): Promise<Answer> {
    return this.owner.put(`/projects/${this.project.id}/alert_management_alerts/${iid}`, { status });
  }

  /** Changes the integration. */
  async change(values: object): Promise<void> {
    const path = `/projects/${this.project.id}/alert_management/integrations/${this.integration.id}`;
    const answer = await this.owner.put(path, values);
    if (answer.status !== 200) throw new Error(`Integration not changed: ${answer.status} ${answer.text}`);
  }

  /** The incidents of the project, oldest first, once the jobs of its alerts have run. */
  async incidents(): Promise<DeskIncident[]> {
    await until(async () => {
      const [row] = await this.api.sql<{ left: number }>(
        `select count(*)::int as left from background_jobs where name like 'alerts.%' and state in ('pending', 'handed', 'running')`,
      );
      return row?.left === 0;
    });
    const path = `/projects/${this.project.id}/issues?sort=asc&per_page=100`;
    return (await this.owner.get<DeskIncident[]>(path)).body;
  }

  /** Id of an alert. */
  async idOf(iid: number): Promise<number> {
    const text = 'select id from alerts where project_id = $1 and iid = $2';
    const [row] = await this.api.sql<{ id: number }>(text, [this.project.id, iid]);
    return row?.id ?? 0;
  }
}
