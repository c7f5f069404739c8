// The reference of `quality/performance.md`: a bare server doing by hand, in three prepared statements, what a guarded list
// has to do. Arguments: database URL, port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { hash, timingSafeEqual } from 'node:crypto';
import pg from 'pg';
import '#kernel/database/reads/pg-types.js';
import { EPIC_ISSUES, EVENT_COUNT, GROUP_ROLE, PLANNING_LISTS, PLANNING_RECORDS } from './planning-floor.js';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });

const TOKEN = `select t.id, t.scopes, t.revoked, t.expires_at, u.id as user_id, u.username, u.state, u.admin
  from personal_access_tokens t join users u on u.id = t.user_id where t.digest = $1`;
const ROLE = `select p.id, p.visibility, max(m.access_level) as level from projects p join namespaces n on n.id = p.namespace_id
  left join members m on m.user_id = $1 and ((m.source_type = 'Project' and m.source_id = p.id)
    or (m.source_type = 'Namespace' and m.source_id = any(n.traversal_ids))) where p.id = $2 group by p.id`;
const LIST = `select d.id, d.iid, d.ref, d.sha, d.created_at, d.updated_at, d.status, u.id as user_id, u.username, u.name, u.state,
    e.id as environment_id, e.name as environment_name, e.slug, e.external_url, e.created_at as environment_created_at,
    e.updated_at as environment_updated_at
  from deployments d join environments e on e.id = d.environment_id left join users u on u.id = d.user_id
  where d.project_id = $1 order by d.iid limit $2`;
const COUNT = 'select count(*) as total from (select 1 from deployments where project_id = $1 limit 10001) counted';

const OAUTH_TOKEN = `select t.user_id, t.scopes, t.expires_at, t.created_at, t.revoked_at, a.uid, a.secret_digest
  from oauth_tokens t left join oauth_applications a on a.id = t.application_id where t.digest = $1`;

type Row = Record<string, unknown>;

const present = (row: Row): Row => ({
  id: row['id'],
  iid: row['iid'],
  ref: row['ref'],
  sha: row['sha'],
  created_at: row['created_at'],
  updated_at: row['updated_at'],
  status: row['status'],
  user: {
    id: row['user_id'],
    username: row['username'],
    name: row['name'],
    state: row['state'],
    avatar_url: null,
    web_url: `http://localhost:3000/${String(row['username'])}`,
  },
  environment: {
    id: row['environment_id'],
    name: row['environment_name'],
    slug: row['slug'],
    external_url: row['external_url'],
    created_at: row['environment_created_at'],
    updated_at: row['environment_updated_at'],
  },
  deployable: null,
  pending_approval_count: 0,
  approvals: [],
  approval_summary: { rules: [] },
});

async function list(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const token = hash('sha256', String(request.headers['private-token']), 'buffer');
  const tokens = await pool.query<Row>({ name: 'token', text: TOKEN, values: [token] });
  const user = tokens.rows[0];
  if (!user || user['revoked'] === true || user['state'] !== 'active') return { status: 401, body: { message: '401 Unauthorized' } };
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const projectId = Number(path.split('/')[4]);
  const perPage = Number(/per_page=(\d+)/.exec(query)?.[1] ?? 20);
  if (path.includes('/epics/')) return epicIssues(user, projectId, perPage);
  const roles = await pool.query<Row>({ name: 'role', text: ROLE, values: [user['user_id'], projectId] });
  if (Number(roles.rows[0]?.['level'] ?? 0) < 20) return { status: 404, body: { message: '404 Project Not Found' } };
  const kind = path.split('/')[5] ?? '';
  const planning = PLANNING_LISTS[kind];
  if (planning) {
    const found = await pool.query<Row>({ name: kind, text: planning, values: [projectId, perPage + 1] });
    if (kind === 'events' && query.includes('total=1')) await pool.query({ name: 'event count', text: EVENT_COUNT, values: [projectId] });
    const record = PLANNING_RECORDS[kind] ?? ((row: Row): Row => row);
    return { status: 200, body: found.rows.slice(0, perPage).map(record) };
  }
  const rows = await pool.query<Row>({ name: 'list', text: LIST, values: [projectId, perPage + 1] });
  if (query.includes('total=1')) await pool.query({ name: 'count', text: COUNT, values: [projectId] });
  return { status: 200, body: rows.rows.slice(0, perPage).map(present) };
}

async function epicIssues(user: Row, groupId: number, perPage: number): Promise<{ status: number; body: unknown }> {
  const roles = await pool.query<Row>({ name: 'group', text: GROUP_ROLE, values: [user['user_id'], groupId] });
  if (Number(roles.rows[0]?.['level'] ?? 0) < 10) return { status: 404, body: { message: '404 Group Not Found' } };
  const found = await pool.query<Row>({ name: 'epic', text: EPIC_ISSUES, values: [groupId, perPage] });
  const record = PLANNING_RECORDS['issues'] ?? ((row: Row): Row => row);
  return { status: 200, body: found.rows.map((row) => ({ ...record(row), epic_issue_id: row['epic_issue_id'], relative_position: row['relative_position'] })) };
}

/** Token information by header, or introspection by form for the client of the token: one query, as short as it can be done by hand. */
async function oauth(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const isInfo = request.url === '/oauth/token/info';
  const token = isInfo ? String(request.headers.authorization).slice('Bearer '.length) : await formToken(request);
  const { rows } = await pool.query<Row>({ name: 'oauth', text: OAUTH_TOKEN, values: [hash('sha256', token, 'buffer')] });
  const row = rows[0];
  if (!isInfo && !isClient(request, row)) return { status: 401, body: { error: 'invalid_client' } };
  if (!row || row['revoked_at'] !== null) return { status: isInfo ? 401 : 200, body: { active: false } };
  const expires = Math.floor(Number(row['expires_at']) / 1000);
  const created = Math.floor(Number(row['created_at']) / 1000);
  const scope = row['scopes'];
  if (!isInfo) return { status: 200, body: { active: true, scope, client_id: row['uid'], token_type: 'Bearer', exp: expires, iat: created } };
  const left = expires - Math.floor(Date.now() / 1000);
  const application = { uid: row['uid'] };
  return { status: 200, body: { resource_owner_id: row['user_id'], scope, expires_in: left, application, created_at: created } };
}

function isClient(request: IncomingMessage, row: Row | undefined): boolean {
  const text = Buffer.from(String(request.headers.authorization).slice('Basic '.length), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const secret = hash('sha256', text.slice(colon + 1), 'buffer');
  return text.slice(0, colon) === row?.['uid'] && timingSafeEqual(secret, row['secret_digest'] as Buffer);
}

async function formToken(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text).get('token') ?? '';
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

createServer((request, response) => {
  (request.url?.startsWith('/oauth/') ? oauth(request) : list(request)).then(
    ({ status, body }) => answer(response, status, body),
    (error: unknown) => answer(response, 500, { message: String(error) }),
  );
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
