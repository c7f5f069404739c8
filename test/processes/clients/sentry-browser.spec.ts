import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { describeWithBrowser, openWindow, startBrowser } from '../../support/browser.js';
import { startClientWorld, type ClientWorld } from '../../support/gitbeaker.js';
import { startSentryShop, type SentryShop } from '../../support/sentry-shop.js';
import { until } from '../../support/until.js';

interface TrackedError {
  readonly id: number;
  readonly name: string;
}

interface EventDetails {
  readonly payload: {
    readonly request: { readonly url: string };
    readonly exception: {
      readonly values: { readonly stacktrace: { readonly frames: readonly object[] } }[];
    };
    readonly extra: { readonly lines: readonly string[] };
  };
}

/** Global scope of the page of the shop: the SDK. */
type Scope = typeof globalThis & {
  readonly Sentry: {
    captureMessage(message: string, context?: object): string;
    flush(milliseconds: number): Promise<boolean>;
  };
};

describeWithBrowser('errors that @sentry/browser reports', () => {
  let world: ClientWorld;
  let browser: Browser;
  let shop: SentryShop;
  let project: number;
  let context: BrowserContext | undefined;
  let page: Page;
  let answers: Response[];
  const at = (suffix: string): string => `/projects/${project}/error_tracking/${suffix}`;
  const errors = async (): Promise<TrackedError[]> =>
    (await world.plain.get<TrackedError[]>(at('errors'))).body;
  const onlyEvent = async (): Promise<EventDetails> => {
    await until(async () => (await errors()).length === 1);
    const [error] = await errors();
    const { body } = await world.plain.get<{ id: number }[]>(at(`errors/${error?.id}/events`));
    return (await world.plain.get<EventDetails>(at(`events/${body[0]?.id}`))).body;
  };
  const statuses = (): number[] => answers.map((answer) => answer.status());

  beforeAll(async () => {
    world = await startClientWorld();
    browser = await startBrowser();
    shop = await startSentryShop();
  });
  beforeEach(async () => {
    ({ id: project } = await world.root.Projects.create({ name: `Shop ${Math.random()}`.replace('.', '-') }));
    await world.root.ErrorTrackingSettings.create(project, true, true);
    const [key] = await world.root.ErrorTrackingClientKeys.all(project);
    await context?.close();
    context = await openWindow(browser);
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    answers = [];
    page.on('response', (answer) => {
      if (answer.url().startsWith(world.product.url)) answers.push(answer);
    });
    await page.goto(`${shop.url}/?dsn=${encodeURIComponent(key?.sentry_dsn ?? '')}`);
    await page.getByText('Ready').waitFor();
  });
  afterAll(async () => {
    await context?.close();
    await shop.close();
    await browser.close();
    await world.close();
  });

  it('are accepted from another origin, as are sessions', async () => {
    await page.getByRole('button', { name: 'Buy' }).click();
    const { payload } = await onlyEvent();
    expect(await errors()).toMatchObject([
      {
        name: 'TypeError',
        description: 'No basket',
        platform: 'javascript',
        environment: 'production',
        events_count: 1,
      },
    ]);
    expect(payload.request.url).toContain(shop.url);
    expect(payload.exception.values[0]?.stacktrace.frames.at(-1)).toMatchObject({
      function: expect.stringMatching(/\bbuy$/),
      filename: `${shop.url}/app.js`,
    });
    await page.evaluate(() => (globalThis as Scope).Sentry.flush(5_000));
    // The session of the visit, then the event, then the update of the session with an error.
    await until(() => answers.length >= 2);
    for (const answer of answers) {
      expect(answer.status()).toBe(200);
      expect(new URL(answer.url()).pathname).toBe(
        `/api/v4/error_tracking/collector/api/${project}/envelope/`,
      );
      expect(await answer.headerValue('access-control-allow-origin')).toBe('*');
    }
  });

  it('are accepted if they are large', async () => {
    await page.evaluate(() => {
      const lines = Array.from({ length: 900 }, (_, index) => `Füller № ${index} 🖋 ${'.'.repeat(100)}`);
      (globalThis as Scope).Sentry.captureMessage('A large basket', { extra: { lines } });
      return (globalThis as Scope).Sentry.flush(5_000);
    });
    const { lines } = (await onlyEvent()).payload.extra;
    expect([lines.length, lines[899]]).toEqual([900, `Füller № 899 🖋 ${'.'.repeat(100)}`]);
  });

  it('are no longer sent once the service has rejected one, which the page can read', async () => {
    const limit = (value: number): Promise<unknown> =>
      world.plain.put('/application/settings', { error_tracking_rate_limit_per_minute: value });
    // The session of the visit, whose answer would count below if it were late.
    await until(() => answers.length > 0);
    answers.length = 0;
    await limit(5);
    try {
      await page.evaluate(async () => {
        const { Sentry } = globalThis as Scope;
        for (let index = 0; index < 20; index += 1) {
          Sentry.captureMessage(`Busy ${index}`);
          await Sentry.flush(5_000);
        }
      });
      await until(() => statuses().includes(429));
      const taken = statuses().filter((status) => status === 200).length;
      // Five events, and as many updates of the session, which do not count.
      expect(taken).toBeGreaterThanOrEqual(5);
      expect(taken).toBeLessThanOrEqual(10);
      expect([1, 2]).toContain(statuses().filter((status) => status === 429).length);
      const refused = answers.find((answer) => answer.status() === 429);
      expect(await refused?.headerValue('x-sentry-rate-limits')).toMatch(/^\d+::project:rate_limit$/);
    } finally {
      await limit(0);
    }
  });
});
