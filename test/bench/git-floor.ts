// The reference for clones: `git http-backend` behind a bare node server, without any question of rights. Arguments: folder of the
// repositories, port.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const [root = '', port] = process.argv.slice(2);

/** Hands the headers that the program wrote to the client; returns what of the body came with them. */
function begin(response: ServerResponse, head: Buffer, end: number): Buffer {
  for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
    const [name = '', ...value] = line.split(': ');
    if (name === 'Status') response.statusCode = Number.parseInt(value.join(': '), 10);
    else response.setHeader(name, value.join(': '));
  }
  return head.subarray(end + 4);
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const { headers } = request;
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      ...(headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: headers['content-length'] }),
      ...(headers['git-protocol'] === undefined ? {} : { GIT_PROTOCOL: String(headers['git-protocol']) }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head: Buffer = Buffer.alloc(0);
  const onHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onHead);
    const rest = begin(response, head, end);
    if (rest.length > 0) response.write(rest);
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onHead);
}

createServer((request, response) => {
  if (request.url === '/') response.end('ok');
  else serve(request, response);
}).listen(Number(port), '127.0.0.1');
