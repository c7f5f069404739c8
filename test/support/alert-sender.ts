import type { TestApi } from './api.js';
import { buildAlertIntegration } from './builders/alert-integration.js';
import { buildProject, type BuiltProject } from './builders/project.js';

/** The entry of an alert in the response to a tool. */
export interface TakenAlert {
  readonly iid: number;
  readonly title: string;
}

/** A response of the intake. */
export interface IntakeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Row of an alert, for the tests. */
export interface AlertRow {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly status: number;
  readonly events_count: number;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly stray: boolean;
}

/** A tool that has the URL and the key of an integration. */
export class AlertSender {
  constructor(
    private readonly api: TestApi,
    readonly project: BuiltProject,
    readonly integration: { readonly id: number; readonly url: string; readonly token: string },
  ) {}

  /** Creates a sender for a new project. */
  static async open(api: TestApi, ofProject: object = {}): Promise<AlertSender> {
    const project = await buildProject(api.root, { ...ofProject });
    return AlertSender.of(api, project);
  }

  /** Creates a sender for an existing project. */
  static async of(api: TestApi, project: BuiltProject, values: object = {}): Promise<AlertSender> {
    return new AlertSender(api, project, await buildAlertIntegration(api.root, project.id, { ...values }));
  }

  /** Path of the intake URL. */
  get path(): string {
    return new URL(this.integration.url).pathname;
  }

  /** Sends bytes, with any headers and to any path. */
  async raw(
    body: string | Buffer | ReadableStream,
    headers: Readonly<Record<string, string>> = this.bearer,
    path = this.path,
  ): Promise<IntakeAnswer> {
    const response = await fetch(this.api.url + path, {
      method: 'POST',
      headers,
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  get bearer(): Record<string, string> {
    return { 'Content-Type': 'application/json', Authorization: `Bearer ${this.integration.token}` };
  }

  /** Sends a payload, which must be accepted. */
  async send(body: object): Promise<TakenAlert[]> {
    const answer = await this.raw(JSON.stringify(body));
    if (answer.status !== 200) throw new Error(`Not taken: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as TakenAlert[];
  }

  /** Sends one alert and returns its number. */
  async sendOne(body: object): Promise<number> {
    return (await this.send(body))[0]?.iid ?? 0;
  }

  /** All alerts of the project, oldest first. */
  rows<Row extends object = AlertRow>(): Promise<Row[]> {
    return this.api.sql<Row>('select * from alerts where project_id = $1 order by iid', [this.project.id]);
  }

  /** Status and number of occurrences of each alert. */
  async shown(): Promise<string[]> {
    const words = ['triggered', 'acknowledged', 'resolved', 'ignored'];
    return (await this.rows()).map(({ status, events_count: events }) => `${words[status] ?? ''} ${events}`);
  }
}
