import { html, type Html } from '#kernel/html/html.js';
import type {
  DatabaseHealthRecord,
  DependencyRecord,
  InstanceHealthRecord,
} from '#features/instance-health/instance-health.record.js';
import { dataTable } from '../layout/data-table.view.js';
import { bytesText } from '../storage-moves/move-texts.js';

const KINDS = {
  license: 'License',
  personal_access_token: 'Access tokens',
  ssh_key: 'SSH keys',
} as const;

const SILENT = html`<p class="notice bad">This part did not respond within two seconds.</p>`;

/** Renders the health of the instance, part by part. */
export function healthView(health: InstanceHealthRecord): Html {
  const {
    ready,
    revision,
    dependencies,
    database,
    slow_statements: slow,
    disks,
    backfills,
    expiring,
  } = health;
  return html`<div class="notice ${ready ? 'good' : 'bad'}">
      <p>
        ${ready ? 'Everything that this instance needs works.' : 'Something that this instance needs does not work.'}
      </p>
    </div>
    <p>Version <code>${revision}</code></p>
    ${dataTable('Dependencies', ['Name', 'State', 'Message'], dependencies.map(dependencyCells))}
    ${database ? databaseView(database) : SILENT}
    ${
      slow
        ? dataTable(
            'Statements that took the most time',
            ['Statement', 'Calls', 'Milliseconds a call', 'Milliseconds of all'],
            slow.map((one) => [
              html`<code>${one.statement}</code>`,
              one.calls.toLocaleString('en'),
              one.mean_ms.toFixed(2),
              Math.round(one.total_ms).toLocaleString('en'),
            ]),
          )
        : html`<p class="muted">Statements are not counted: PostgreSQL does not have pg_stat_statements.</p>`
    }
    ${
      disks
        ? dataTable(
            'Disks',
            ['Name', 'Free', 'Size'],
            disks.map((disk) => [
              html`<code>${disk.name}</code>`,
              bytesText(disk.free_bytes),
              bytesText(disk.size_bytes),
            ]),
          )
        : SILENT
    }
    ${
      backfills
        ? dataTable(
            'Back-fills',
            ['Name', 'Rows', 'State', 'Error'],
            backfills.map(({ name, done, total, error, finished_at: end }) => [
              html`<code>${name}</code>`,
              total === null ? String(done) : `${done} of ${total}`,
              end === null ? 'Not through' : 'Through',
              error,
            ]),
          )
        : SILENT
    }
    ${
      expiring
        ? dataTable(
            'Expire within 30 days',
            ['Kind', 'How many', 'First on'],
            expiring.map((one) => [KINDS[one.kind], String(one.count), one.first_on]),
          )
        : SILENT
    }`;
}

const dependencyCells = ({ name, status, message }: DependencyRecord): (Html | string | null)[] => [
  html`<code>${name}</code>`,
  status === 'up' ? 'Works' : html`<span class="badge bad">Down</span>`,
  message,
];

function databaseView({ connections, max_connections: most, replicas }: DatabaseHealthRecord): Html {
  const rows = replicas.map(({ name, state, lag_seconds: lag }) => [
    name,
    state,
    lag === null ? 'Not behind' : `${lag.toFixed(1)} s behind`,
  ]);
  return html`<p>${connections} of ${most} connections of the database are in use.</p>
    ${dataTable('Servers that follow the database', ['Name', 'State', 'Lag'], rows, 'No server follows it.')}`;
}
