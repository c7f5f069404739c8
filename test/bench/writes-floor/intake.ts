import { hash } from 'node:crypto';
import { isTokenOf } from '#kernel/crypto/tokens.js';
import { factsOf } from '#features/error-tracking/grouping/facts/event-facts.js';
import { occurredAt } from '#features/error-tracking/intake/envelope/occurred-at.js';
import { ask, statement, type Database } from './database.js';
import { json, require, textOf, textOrNull, type Answer, type Sent } from './http.js';
import { enqueue } from './outbox.js';

interface Integration {
  readonly project_id: number;
  readonly is_shut: boolean;
  readonly id: number;
  readonly active: boolean;
  readonly key_digest: Buffer;
  /** Whether more follows from an alert than its row. */
  readonly follows: boolean;
}

const INTEGRATION = statement<Integration>(
  'integration',
  `select p.id as project_id, p.archived or coalesce(p.settings ->> 'monitor_access_level', 'enabled') = 'disabled' as is_shut,
     i.id, i.active, i.key_digest, i.create_incident or i.send_email as follows
   from routes r join projects p on p.id = r.source_id and not p.pending_delete join alert_integrations i on i.project_id = p.id and i.endpoint_identifier = $2
   where r.path = lower($1) and r.source_type = 'Project'`,
);
const LOCK = statement<{ id: number }>(
  'lock alerts',
  `select p.id, pg_advisory_xact_lock(hashtextextended('alerts ' || p.id::text, 0)) from projects p where p.id = $1 and not p.pending_delete for key share of p`,
);
const OPEN = statement<{ id: number }>(
  'open alert',
  'select id from alerts where project_id = $1 and fingerprint = $2 and status <> 2 order by id desc limit 1000',
);
const INSERT = statement<{ iid: number }>(
  'alert',
  `with taken as (insert into internal_ids (project_id, usage, last_value, live_count) values ($1::bigint, 'alerts', 1, 1)
     on conflict (project_id, usage) do update set last_value = internal_ids.last_value + 1, live_count = internal_ids.live_count + 1 returning last_value)
   insert into alerts (project_id, iid, integration_id, title, description, service, monitoring_tool, hosts, severity, status, fingerprint, group_key, stray, started_at,
     events_count, payload)
   select $1::bigint, last_value, $2, $3, $4, $5, $6, $7, $8, 0, $9::bytea, $9::bytea, false, $10, 1, $11 from taken returning iid`,
);
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'];

/** Takes one new alert. */
export async function takeAlert(database: Database, sent: Sent): Promise<Answer> {
  const [, path = '', , endpoint] = /^\/(.+)\/alerts\/notify\/([^/]+)\/(\w+)\.json$/.exec(sent.path) ?? [];
  const [[integration]] = await database.run(ask(INTEGRATION, path, endpoint));
  require(integration !== undefined && integration.active && !integration.is_shut, 404, '404 Not Found');
  require(isTokenOf(integration.key_digest, String(sent.headers.authorization).slice('Bearer '.length)), 401, '401 Unauthorized');
  const body = json(sent.text);
  const title = textOf(body['title'], 'title', 200);
  const named = textOf(body['fingerprint'], 'fingerprint', 1_000);
  const hosts = (body['hosts'] ?? []) as unknown[];
  require(Array.isArray(hosts) && hosts.every((host) => typeof host === 'string'), 400, 'hosts is invalid');
  require(body['end_time'] === undefined && !integration.follows, 501, 'Not part of the reference');
  const fingerprint = hash('sha1', named, 'buffer');
  const severity = Math.max(0, SEVERITIES.indexOf(textOrNull(body['severity'], 'severity', 100) ?? 'critical'));
  const values = [textOrNull(body['description'], 'description', 1_000), textOrNull(body['service'], 'service', 100), textOrNull(body['monitoring_tool'], 'monitoring_tool', 100)];
  const made = await database.transaction(async (tx) => {
    const [[project], open] = await tx.send(ask(LOCK, integration.project_id), ask(OPEN, integration.project_id, fingerprint));
    require(project !== undefined && open.length === 0, 501, 'Not part of the reference');
    const [[row]] = await tx.commit(
      ask(INSERT, project.id, integration.id, title, ...values, hosts, severity, fingerprint, new Date(), sent.text),
    );
    return row;
  });
  return { status: 200, body: [{ iid: made?.iid, title }] };
}

const DSN = statement<{ is_shut: boolean; tracked: boolean; keyed: boolean }>(
  'dsn',
  `select p.archived or coalesce(p.settings ->> 'monitor_access_level', 'enabled') = 'disabled' as is_shut, coalesce(s.active and s.integrated, false) as tracked,
     k.id is not null as keyed
   from projects p left join error_tracking_settings s on s.project_id = p.id
     left join error_tracking_client_keys k on k.public_key = $2 and k.project_id = p.id and k.active where p.id = $1 and not p.pending_delete`,
);
const STORE = statement(
  'error event',
  `insert into error_tracking_events (project_id, event_id, level, environment, release, occurred_at, facts, payload) values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (project_id, event_id) do nothing`,
);
const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'];

/** Takes one event of an error; that it is grouped is work of the background. */
export async function takeError(database: Database, sent: Sent): Promise<Answer> {
  const projectId = Number(sent.path.split('/')[6]);
  const [[known]] = await database.run(ask(DSN, projectId, sent.query.get('sentry_key')));
  require(known !== undefined && known.keyed && known.tracked && !known.is_shut, 403, 'event rejected');
  const [, header = '', payload = ''] = sent.text.split('\n');
  require(json(header)['type'] === 'event' && Buffer.byteLength(payload) <= 1_048_576, 501, 'Not part of the reference');
  require(!payload.includes('\\u0000') && !payload.includes('\0'), 501, 'Not part of the reference');
  const event = json(payload);
  const id = textOf(event['event_id'], 'event_id', 36);
  require(/^[0-9a-f]{32}$/.test(id), 400, 'event_id is invalid');
  const level = LEVELS.find((one) => one === event['level']) ?? 'error';
  const names = [textOrNull(event['environment'], 'environment', 255), textOrNull(event['release'], 'release', 255)];
  const facts = JSON.stringify(factsOf(event, level));
  await database.transaction((tx) =>
    tx.commit(
      ask(STORE, projectId, id, level, ...names, occurredAt(event['timestamp'], new Date()), facts, payload),
      enqueue({ queue: 'error-tracking', name: 'error-tracking.group', payload: {}, dedupe_key: 'waiting', delay_ms: 250 }),
    ),
  );
  database.announce(250);
  return { status: 200, body: { id } };
}
