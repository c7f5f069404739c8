import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startClientWorld, type ClientWorld } from '../../support/gitbeaker.js';
import { runSentryApp } from '../../support/sentry.js';
import { until } from '../../support/until.js';

interface TrackedError {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly events_count: number;
}

interface EventDetails {
  readonly error_id: number | null;
  readonly payload: {
    readonly exception?: {
      readonly values: { readonly stacktrace: { readonly frames: readonly object[] } }[];
    };
    readonly contexts?: { readonly basket?: { readonly lines: readonly string[] } };
  };
}

const BURST_LIMIT = 10;

let world: ClientWorld;
beforeAll(async () => {
  world = await startClientWorld();
});
afterAll(() => world.close());

describe.each(['sentry-node-7', 'sentry-node-9', 'sentry-node-10'])('errors that %s reports', (sdk) => {
  let project: number;
  let dsn: string;
  let count = 0;
  const at = (suffix: string): string => `/projects/${project}/error_tracking/${suffix}`;
  const event = async (id: string): Promise<EventDetails> =>
    (await world.plain.get<EventDetails>(at(`events/${id}`))).body;
  const errors = async (): Promise<TrackedError[]> =>
    (await world.plain.get<TrackedError[]>(at('errors?sort=first_seen'))).body;

  beforeEach(async () => {
    ({ id: project } = await world.root.Projects.create({ name: `${sdk} ${(count += 1)}` }));
    await world.root.ErrorTrackingSettings.create(project, true, true);
    const [key] = await world.root.ErrorTrackingClientKeys.all(project);
    dsn = key?.sentry_dsn ?? '';
  });

  /** Waits until the events of an application have been grouped. */
  const grouped = (ids: readonly string[]): Promise<unknown> =>
    until(async () => {
      for (const id of ids) if (typeof (await event(id)).error_id !== 'number') return false;
      return true;
    });

  it('are stored with all their values, and sessions are accepted', async () => {
    const { events, requests, isFlushed } = await runSentryApp(sdk, 'report', dsn);
    expect(isFlushed).toBe(true);
    // Three events, and the session in which they happened.
    expect(requests.length).toBeGreaterThanOrEqual(4);
    const path = `/api/v4/error_tracking/collector/api/${project}/envelope/`;
    for (const request of requests) expect(request).toMatchObject({ path, status: 200 });
    await grouped(events);
    const found = await errors();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'CartError',
          description: expect.stringMatching(/^No total of [12] items$/),
          level: 'error',
          platform: 'node',
          status: 'unresolved',
          events_count: 2,
          users_count: 1,
          environment: 'production',
          release: 'shop@1.2.0',
        }),
        expect.objectContaining({ name: 'Stock is low', level: 'warning', events_count: 1 }),
      ]),
    );
    const [first = ''] = events;
    const { payload } = await event(first);
    expect(payload).toMatchObject({
      event_id: first,
      server_name: 'till-1',
      tags: { region: 'north' },
      user: { id: '7', email: 'jane@example.com' },
      breadcrumbs: [expect.objectContaining({ category: 'cart', message: 'Item added' })],
    });
    expect(payload.exception?.values.at(-1)?.stacktrace.frames.at(-1)).toMatchObject({
      function: expect.stringContaining('total'),
      context_line: expect.stringContaining('throw new CartError'),
      in_app: true,
    });
  });

  it('are accepted if they are large and compressed', async () => {
    const { events, requests } = await runSentryApp(sdk, 'large', dsn);
    expect(requests.filter(({ encoding }) => encoding === 'gzip')).toMatchObject([{ status: 200 }]);
    const [id = ''] = events;
    const { lines } = (await event(id)).payload.contexts?.basket ?? { lines: [] };
    expect([lines.length, lines[899]]).toEqual([900, `Füller № 899 ${'🖋'.repeat(20)}`]);
  });

  it('are no longer sent once the service has rejected one', async () => {
    const limit = (value: number): Promise<unknown> =>
      world.plain.put('/application/settings', { error_tracking_rate_limit_per_minute: value });
    await limit(BURST_LIMIT);
    try {
      const { events, requests } = await runSentryApp(sdk, 'burst', dsn);
      expect(events).toHaveLength(30);
      const answered = (wanted: number): number => requests.filter(({ status }) => status === wanted).length;
      expect(answered(200) + answered(429)).toBe(requests.length);
      // An event and its session are sent together, so both may be refused; nothing is sent after that.
      expect([1, 2]).toContain(answered(429));
    } finally {
      await limit(0);
    }
    // Updates of the session do not count.
    await until(async () => ((await errors())[0]?.events_count ?? 0) >= BURST_LIMIT);
    expect(await errors()).toMatchObject([{ name: 'Busy', events_count: BURST_LIMIT }]);
  });

  it('are refused with a removed key', async () => {
    const [key] = await world.root.ErrorTrackingClientKeys.all(project);
    await world.plain.delete(at(`client_keys/${key?.id}`));
    const { requests } = await runSentryApp(sdk, 'report', dsn);
    for (const { status } of requests) expect(status).toBe(401);
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(await errors()).toEqual([]);
  });
});
