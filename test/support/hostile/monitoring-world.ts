import { digestToken } from '#kernel/crypto/tokens.js';
import type { Part } from './world.js';

const ANY = /^/;

/** Key of the integration and of the DSN of the project. */
const ALERT_KEY = 'walker-alert-key-of-tests';
const ERROR_KEY = 'a'.repeat(32);

/**
 * Credentials and payloads of monitoring tools and SDKs: each is accepted except for hostile parts of its
 * path.
 */
export const SENDERS: Readonly<Record<string, { headers: Record<string, string>; body: object }>> = {
  'alert-key': { headers: { Authorization: `Bearer ${ALERT_KEY}` }, body: { title: 'walk' } },
  dsn: { headers: { 'X-Sentry-Auth': `Sentry sentry_key=${ERROR_KEY}` }, body: { message: 'walk' } },
};

const KEY_DIGEST = `'\\x${digestToken(ALERT_KEY).toString('hex')}'`;

/**
 * Objects for path parameters of alerts and error tracking: the foreign ones belong to another project,
 * images to another alert.
 */
export const MONITORING_PARTS: readonly Part[] = [
  { name: 'alert_iid', path: ANY, here: 1800, foreign: 1801 },
  { name: 'image_id', path: /\/alert_management_alerts\//, here: 1810, foreign: 1811 },
  { name: 'integration_id', path: ANY, here: 1820, foreign: 1821 },
  { name: 'error_id', path: ANY, here: 1830, foreign: 1831 },
  { name: 'event_id', path: /\/error_tracking\//, here: 1840, foreign: 1841 },
  { name: 'key_id', path: /\/error_tracking\//, here: 1850, foreign: 1851 },
  { name: 'project', path: /\/alerts\/notify/, here: 'here/p', foreign: 'foreign/p' },
  { name: 'identifier', path: /\/alerts\/notify/, here: 'e1820', foreign: 'e1821' },
  { name: 'id', path: /\/(collector|projects)\/api\/:id\//, here: 300, foreign: 301 },
  { name: 'project_id', path: /^\/-\/projects\/:project_id\/(alert_integrations|error_tracking)/, here: 300 },
];

/** Tables whose new rows stay apart from these. */
export const MONITORING_TABLES = [
  'alert_integrations',
  'alerts',
  'alert_metric_images',
  'error_tracking_errors',
  'error_tracking_events',
  'error_tracking_client_keys',
];

/** Alerts, integrations, errors and their dependent objects, in this project and another one. */
export const MONITORING = `
  insert into alert_integrations (id, project_id, type, name, endpoint_identifier, key_digest) values
    (1820, 300, 'http', 'i', 'e1820', ${KEY_DIGEST}), (1821, 301, 'http', 'i', 'e1821', '') on conflict do nothing;
  insert into alerts (id, project_id, iid, integration_id, title, fingerprint, started_at, payload) values
    (1800, 300, 1800, 1820, 'a', 'f', now(), '{"title": "a"}'), (1801, 301, 1801, 1821, 'a', 'f', now(), '{"title": "a"}')
    on conflict do nothing;
  insert into alert_metric_images (id, alert_id, filename, object_key, content_type, size, sha256) values
    (1810, 1800, 'i.gif', 'alert-images/300/i', 'image/gif', 1, ''), (1811, 1801, 'i.gif', 'alert-images/301/i', 'image/gif', 1, '')
    on conflict do nothing;
  insert into error_tracking_settings (project_id, active, integrated) values (300, true, true), (301, true, true) on conflict do nothing;
  insert into error_tracking_client_keys (id, project_id, public_key) values (1850, 300, '${ERROR_KEY}'), (1851, 301, repeat('b', 32))
    on conflict do nothing;
  insert into error_tracking_errors (id, project_id, group_key, name, level, first_seen_at, last_seen_at, events_count) values
    (1830, 300, 'g', 'E', 'error', now(), now(), 1), (1831, 301, 'g', 'E', 'error', now(), now(), 1) on conflict do nothing;
  insert into error_tracking_events (id, project_id, error_id, event_id, occurred_at, payload) values
    (1840, 300, 1830, '00000000-0000-0000-0000-000000001840', now(), '{}'), (1841, 301, 1831, '00000000-0000-0000-0000-000000001841', now(), '{}')
    on conflict do nothing;`;

/** Restores them. */
export const RESTORE_MONITORING = `
     delete from alert_integrations where project_id in (300, 301) and id not in (1820, 1821);
     update alert_integrations set type = 'http', active = true where id in (1820, 1821);
     update alert_integrations set key_digest = ${KEY_DIGEST} where id = 1820;
     update alerts set status = 0, ended_at = null where id in (1800, 1801);
     update error_tracking_settings set active = true, integrated = true where project_id in (300, 301);`;
