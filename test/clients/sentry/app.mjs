// node app.mjs <package> <task>: an application that reports to the DSN in its environment, with the SDK in
// its default configuration. Prints what it has sent: each request with its encoding and response, and the
// ids of its events.
import { subscribe } from 'node:diagnostics_channel';

const [name, task] = process.argv.slice(2);
const Sentry = await import(name);

const requests = [];
subscribe('http.client.response.finish', ({ request, response }) => {
  requests.push({
    path: request.path.split('?')[0],
    encoding: request.getHeader('content-encoding') ?? null,
    type: request.getHeader('content-type') ?? null,
    status: response.statusCode,
  });
});

Sentry.init({ dsn: process.env.DSN, release: 'shop@1.2.0', environment: 'production', serverName: 'till-1' });

class CartError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'CartError';
  }
}

function total(items) {
  throw new CartError(`No total of ${items} items`);
}

/** An error with the stack of the line that throws it. */
function thrown(items) {
  try {
    total(items);
  } catch (error) {
    return error;
  }
}

const TASKS = {
  /** One of each kind. */
  report: () => {
    Sentry.startSession();
    Sentry.setUser({ id: '7', email: 'jane@example.com' });
    Sentry.setTag('region', 'north');
    Sentry.addBreadcrumb({ category: 'cart', message: 'Item added' });
    const ids = [
      Sentry.captureException(thrown(1)),
      Sentry.captureException(thrown(2)),
      Sentry.captureMessage('Stock is low', 'warning'),
    ];
    Sentry.endSession();
    return ids;
  },
  /** An event that the SDK compresses, with signs of more than one byte. */
  large: () => {
    Sentry.setContext('basket', {
      lines: Array.from({ length: 900 }, (_, index) => `Füller № ${index} ${'🖋'.repeat(20)}`),
    });
    return [Sentry.captureMessage('A large basket')];
  },
  /** More than the service accepts, one after another: a refusal must keep the SDK from sending more. */
  burst: async () => {
    const ids = [];
    for (let index = 0; index < 30; index += 1) {
      ids.push(Sentry.captureMessage('Busy'));
      await Sentry.flush(5_000);
    }
    return ids;
  },
};

const events = await TASKS[task]();
const isFlushed = await Sentry.flush(10_000);
console.log(JSON.stringify({ isFlushed, events, requests }));
process.exit(0);
