import { Injectable } from '@nestjs/common';
import { Tier } from '#kernel/access/roles.js';
import { runTogether } from '#kernel/database/statements/prepared.js';
import { errorCode, violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { AlertsChanged, type AlertChange } from '../../alerts-changed.event.js';
import type { TakenAlertRecord } from '../taken-alert.record.js';
import { insertAlerts, updateAlerts, type NumberedAlert } from './alert-writes.js';
import { planAlerts, type AlertPlan, type PlannedAlert, type SourcedAlert } from './alert-plan.js';
import { FirstAlertsService } from './first-alerts.service.js';
import { askKnownAlerts, knownAlerts } from './known-alerts.sql.js';
import { LikelyNew } from './likely-new.js';

/**
 * Serializes writers of alerts of a project, in the order of ids, so that what is read stays valid until it
 * is written. Draws ids for the possible number of new alerts together with the lock, since they are needed
 * before the insert.
 */
const LOCK = {
  name: 'alerts_lock',
  text: `select p.id, pg_advisory_xact_lock(hashtextextended('alerts ' || p.id::text, 0)),
      exists (select from alert_integrations n where n.project_id = p.id and (n.create_incident or n.send_email)) as "isWanted",
      (select array_agg(nextval('alerts_id_seq')) from generate_series(1, k.items)) as ids
    from json_to_recordset($1::json) as k(id bigint, items integer)
    cross join lateral (select id from projects where id = k.id and not pending_delete for key share) p`,
};

/** A locked project. */
interface Locked {
  readonly id: number;
  /** Whether one of its integrations wants incidents or mails for new alerts. */
  readonly isWanted: boolean;
  readonly ids: number[];
}

/** Returns the results after the commit. */
type Taken = () => Promise<readonly (TakenAlertRecord | null)[]>;

const ATTEMPTS = 4;
const FOREIGN_KEY = '23503';

/** Thrown if a user changed an alert while an item for it arrived. */
class Overtaken extends Error {}

/** Stores alerts of any projects in one transaction, with a fixed number of statements. */
@Injectable()
export class AlertStoreService {
  private readonly likely = new LikelyNew();

  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly settings: SettingsService,
    private readonly firstAlerts: FirstAlertsService,
  ) {}

  /**
   * Returns one entry per item, in order; null if the project was removed. `written` is called, once per
   * attempt, when only the commit remains: a transaction that starts then sees everything, because it waits
   * for the same locks.
   */
  async store(
    items: readonly SourcedAlert[],
    written: () => void,
  ): Promise<readonly (TakenAlertRecord | null)[]> {
    const first = await this.first(items);
    if (first) return [first];
    for (let attempt = 1; ; attempt += 1) {
      try {
        const taken = await this.transactions.run(async (tx) => {
          const told = await this.write(tx, items);
          written();
          return told;
        });
        const told = await taken();
        for (const item of items) this.likely.note(item);
        return told;
      } catch (error) {
        if (attempt >= ATTEMPTS || !isPassing(error)) throw error;
      }
    }
  }

  /** Stores a single alert that is likely to be new; null if it was not stored in this way. */
  private async first(items: readonly SourcedAlert[]): Promise<TakenAlertRecord | null> {
    const [item] = items;
    const grouping = this.isGrouping;
    if (!item || items.length > 1 || !this.likely.includes(item, grouping)) return null;
    try {
      const stored = await this.firstAlerts.store(item, grouping);
      if (stored) this.likely.note(item);
      return stored;
    } catch (error) {
      if (!isPassing(error)) throw error;
      return null;
    }
  }

  private get isGrouping(): boolean {
    return this.settings.tier >= Tier.Premium;
  }

  private async write(tx: Tx, items: readonly SourcedAlert[]): Promise<Taken> {
    const grouping = this.isGrouping;
    const asked = askKnownAlerts(items, grouping);
    const [locked = [], ...found] = await runTogether(tx, [[LOCK, [projectsOf(items)]], ...asked]);
    const projects = new Map((locked as Locked[]).map((one) => [one.id, one]));
    for (const { id, isWanted } of projects.values()) this.likely.noteProject(id, isWanted);
    const kept = items.filter(({ projectId }) => projects.has(projectId));
    const known = knownAlerts(found).filter(({ projectId }) => projects.has(projectId));
    const plan = planAlerts(kept, known, grouping, new Date());
    // First resolve alerts, so that new ones can have the same key.
    const updated = await update(tx, plan.changed);
    const created = numbered(plan, projects);
    const iids = await insertAlerts(tx, created);
    const changes = [...updated, ...created.map(changeOf)].map((change) =>
      change.kind === 'resolved' ? change : { ...change, isWanted: projects.get(change.projectId)?.isWanted },
    );
    if (changes.length > 0) await this.events.publish(tx, new AlertsChanged(changes, null));
    return async () => takenOf(items, projects, plan, created, await iids());
  }
}

/** Returns the number of possibly new alerts per project, in the order of ids. */
function projectsOf(items: readonly SourcedAlert[]): string {
  const counts = new Map<number, number>();
  for (const { projectId } of items) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  const sorted = [...counts].sort(([left], [right]) => left - right);
  return JSON.stringify(sorted.map(([id, count]) => ({ id, items: count })));
}

const numbered = (plan: AlertPlan, projects: ReadonlyMap<number, Locked>): NumberedAlert[] =>
  plan.created.map((planned) => {
    const id = projects.get(planned.source.projectId)?.ids.shift();
    if (id === undefined) throw new Error('A new alert has an id');
    return { planned, id };
  });

const changeOf = ({ planned: { source, status }, id }: NumberedAlert): AlertChange => ({
  projectId: source.projectId,
  alertId: id,
  kind: 'created',
  status,
});

function takenOf(
  items: readonly SourcedAlert[],
  projects: ReadonlyMap<number, Locked>,
  plan: AlertPlan,
  created: readonly NumberedAlert[],
  iids: ReadonlyMap<number, number>,
): readonly (TakenAlertRecord | null)[] {
  const ids = new Map<PlannedAlert, number>(created.map(({ planned, id }) => [planned, id]));
  const taken = plan.taken.map((one) => ({
    iid: one.stored?.iid ?? (iids.get(ids.get(one) as number) as number),
    title: one.title,
  }));
  let next = 0;
  return items.map(({ projectId }) => (projects.has(projectId) ? (taken[next++] as TakenAlertRecord) : null));
}

async function update(tx: Tx, changed: readonly PlannedAlert[]): Promise<AlertChange[]> {
  if (changed.length === 0) return [];
  const states = await updateAlerts(tx, changed);
  if (states.size < changed.length) throw new Overtaken();
  return changed.flatMap(({ stored, change: kind }) => {
    if (!stored || !kind) return [];
    const { id: alertId, projectId } = stored;
    return [{ projectId, alertId, kind, status: states.get(alertId) ?? stored.status }];
  });
}

/**
 * Returns whether a retry may succeed: an alert was opened or resolved by a user, or an integration or
 * environment was removed in the meantime.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof Overtaken || errorCode(error) === FOREIGN_KEY) return true;
  return /^alerts_(open|stray)$/.test(violatedConstraint(error) ?? '');
}
