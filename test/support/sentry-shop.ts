import { existsSync, readFile, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, resolve } from 'node:path';

/** A site whose page reports its errors with an unmodified @sentry/browser. */
export interface SentryShop {
  readonly url: string;
  close(): Promise<void>;
}

const MODULES = resolve('test/clients/sentry/node_modules');

/** Folders of the packages that the SDK depends on. */
const PLACES = [join(MODULES, '@sentry/browser/node_modules'), MODULES];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Shop</title>
    <script type="importmap">{ "imports": { "@sentry/": "/sdk/@sentry/" } }</script>
    <script type="module" src="/app.js"></script>
  </head>
  <body><h1>Shop</h1><button>Buy</button></body>
</html>`;

const APP = `import * as Sentry from '@sentry/browser';
Sentry.init({
  dsn: new URL(location.href).searchParams.get('dsn'),
  release: 'shop@1.2.0',
  environment: 'production',
});
globalThis.Sentry = Sentry;
document.querySelector('button').addEventListener('click', function buy() {
  throw new TypeError('No basket');
});
document.querySelector('h1').textContent = 'Ready';
`;

/** Resolves an entry of `exports` for an application in a browser. */
function targetOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const conditions = Object.entries(entry as Record<string, unknown>);
  const known = ['browser', 'import', 'production', 'default'];
  const [, found] = conditions.find(([name]) => known.includes(name)) ?? [];
  if (found === undefined) throw new Error(`No module in ${JSON.stringify(entry)}`);
  return targetOf(found);
}

/** The file of a package, or of a part of it, below node_modules. */
function fileOf(specifier: string): string {
  const [scope = '', name = '', ...parts] = specifier.split('/');
  const folder = PLACES.map((place) => join(place, scope, name)).find(existsSync);
  if (folder === undefined) throw new Error(`${specifier} is not installed`);
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> };
  return join(folder, targetOf(exports[parts.length === 0 ? '.' : `./${parts.join('/')}`]));
}

/** Serves the shop: its page, its script, and the SDK files from node_modules. */
export async function startSentryShop(): Promise<SentryShop> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://shop');
    const send = (type: string, text: string | Buffer): void =>
      void response.writeHead(200, { 'Content-Type': type }).end(text);
    if (pathname === '/') send('text/html', PAGE);
    else if (pathname === '/app.js') send('text/javascript', APP);
    else if (pathname.startsWith('/sdk/')) {
      const location = `/files/${relative(MODULES, fileOf(pathname.slice('/sdk/'.length)))}`;
      response.writeHead(302, { Location: location }).end();
    } else if (pathname.startsWith('/files/')) {
      readFile(join(MODULES, pathname.slice('/files/'.length)), (error, text) =>
        error ? response.writeHead(404).end() : send('text/javascript', text),
      );
    } else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
