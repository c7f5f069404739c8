// The reference for writes: a bare server that does by hand, prepared and in one transaction, what the most used writes of the product have to do. It leaves
// the same rows in the same schema, so the same triggers run, and does for each request what the specification asks of all: its line in the log, metrics, a
// name, headers, limits. Arguments: database URL, folder of the storage, port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Database } from './database.js';
import { deploy } from './deployments.js';
import { admitted, answer, read, Refusal, type Answer, type Sent } from './http.js';
import { takeAlert, takeError } from './intake.js';
import { closeIssue, createIssue } from './issues.js';
import { finishJob, takeJob } from './jobs.js';
import { addNote } from './notes.js';
import { refresh } from './refresh.js';
import { GitRepositories } from './repository.js';
import { setStatus } from './statuses.js';

const [url = '', repositoriesFolder = '', port] = process.argv.slice(2);
const database = new Database(url);
const repositories = new GitRepositories(repositoriesFolder);

type Handler = (sent: Sent, id: number) => Promise<Answer>;

const ROUTES: readonly (readonly [RegExp, Handler])[] = [
  [/^POST \/api\/v4\/projects\/(\d+)\/deployments$/, (sent, id) => deploy(database, sent, id)],
  [/^POST \/api\/v4\/projects\/(\d+)\/issues$/, (sent, id) => createIssue(database, sent, id)],
  [/^PUT \/api\/v4\/projects\/(\d+)\/issues\/\d+$/, (sent, id) => closeIssue(database, sent, id)],
  [/^POST \/api\/v4\/projects\/(\d+)\/issues\/\d+\/notes$/, (sent, id) => addNote(database, sent, id)],
  [/^POST \/api\/v4\/projects\/(\d+)\/statuses\/\w+$/, (sent, id) => setStatus(database, repositories, sent, id)],
  [/^POST \/api\/v4\/jobs\/request$/, (sent) => takeJob(database, repositories, sent)],
  [/^PUT \/api\/v4\/jobs\/\d+$/, (sent) => finishJob(database, sent)],
  [/^POST \/api\/v4\/error_tracking\/collector\/api\/\d+\/envelope\/$/, (sent) => takeError(database, sent)],
  [/^POST \/oauth\/token$/, (sent) => refresh(database, sent)],
  [/^POST \/.+\/alerts\/notify\/[^/]+\/\w+\.json$/, (sent) => takeAlert(database, sent)],
];

function handle(sent: Sent): Promise<Answer> {
  const asked = `${sent.method} ${sent.path}`;
  for (const [pattern, handler] of ROUTES) {
    const found = pattern.exec(asked);
    if (!found) continue;
    sent.told.route = pattern.source;
    return handler(sent, Number(found[1]));
  }
  throw new Refusal(404, '404 Not Found');
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let sent: Sent | null = null;
  try {
    const given = await admitted(response, async () => handle((sent = await read(request))));
    answer(response, sent, given);
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500;
    answer(response, sent, { status, body: { message: String(error) } });
  }
}

createServer((request, response) => void serve(request, response)).listen(Number(port), '127.0.0.1');
