import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';

/** Folder of bare repositories, and the credentials to read them. */
export interface GitBackend {
  readonly root: string;
  readonly token: string;
  /** Disabled repositories. */
  readonly refused: readonly string[];
}

const isAllowed = ({ headers }: IncomingMessage, token: string): boolean =>
  headers.authorization === `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`;

/** Serves a repository with the CGI program of git, as another server would, without any part of the product. */
export async function serveGit(
  { root, token, refused }: GitBackend,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isAllowed(request, token)) {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="v4"' }).end('HTTP Basic: Access denied\n');
    return;
  }
  if (refused.some((one) => path.startsWith(`/${one}.git/`))) {
    response.writeHead(403).end('You are not allowed to download code from this project.\n');
    return;
  }
  const [, query = ''] = (request.url ?? '').split('?');
  const { headers } = request;
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await finished(child.stdout);
  const output = Buffer.concat(chunks);
  const end = output.indexOf('\r\n\r\n');
  const lines = output.subarray(0, end).toString('latin1').split('\r\n');
  const fields = lines.map((line) => line.split(': ') as [string, string]);
  const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
  response.writeHead(
    Number.parseInt(status, 10),
    Object.fromEntries(fields.filter(([name]) => name !== 'Status')),
  );
  response.end(output.subarray(end + 4));
}
