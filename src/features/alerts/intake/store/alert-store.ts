import { Injectable } from '@nestjs/common';
import { Tier } from '#kernel/access/roles.js';
import { runTogether } from '#kernel/database/prepared.js';
import { errorCode, Transactions, violatedConstraint, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Settings } from '#core/instance/settings.service.js';
import { AlertsChanged, type AlertChange } from '../../alerts-changed.event.js';
import type { TakenAlertRecord } from '../taken-alert.record.js';
import { insertAlerts, updateAlerts, type InsertedAlert } from './alert-writes.js';
import { planAlerts, type PlannedAlert, type SourcedAlert } from './alert-plan.js';
import { askKnownAlerts, knownAlerts } from './known-alerts.queries.js';

/** Whoever stores alerts of a project takes turns, in the order of ids: so what is known stays true until it is written. */
const LOCK = {
  name: 'alerts_lock',
  text: `select p.id, pg_advisory_xact_lock(hashtextextended('alerts ' || p.id::text, 0))
    from projects p where p.id = any($1::bigint[]) and not p.pending_delete order by p.id for key share of p`,
};

const ATTEMPTS = 4;
const FOREIGN_KEY = '23503';

/** Somebody has settled an alert by hand while something came in for it. */
class Overtaken extends Error {}

/** Stores alerts of any projects in one transaction, with a number of statements that does not depend on how many there are. */
@Injectable()
export class AlertStore {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly settings: Settings,
  ) {}

  /**
   * One entry for each item, in their order; null where the project has gone. `written` is told, once for each attempt, when only the commit is to
   * come: whoever begins then finds all of it, for it waits for the same locks.
   */
  async store(
    items: readonly SourcedAlert[],
    written: () => void,
  ): Promise<readonly (TakenAlertRecord | null)[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transactions.run(async (tx) => {
          const taken = await this.write(tx, items);
          written();
          return taken;
        });
      } catch (error) {
        if (attempt >= ATTEMPTS || !isPassing(error)) throw error;
      }
    }
  }

  private async write(tx: Tx, items: readonly SourcedAlert[]): Promise<readonly (TakenAlertRecord | null)[]> {
    const ids = [...new Set(items.map(({ projectId }) => projectId))];
    const grouping = this.settings.tier >= Tier.Premium;
    const asked = askKnownAlerts(items, grouping);
    const [locked = [], ...found] = await runTogether(tx, [[LOCK, [ids]], ...asked]);
    const there = new Set((locked as { id: number }[]).map(({ id }) => id));
    const kept = items.filter(({ projectId }) => there.has(projectId));
    const known = knownAlerts(found).filter(({ projectId }) => there.has(projectId));
    const plan = planAlerts(kept, known, grouping, new Date());
    // What ends makes room for what begins anew under the same key.
    const updated = await update(tx, plan.changed);
    const inserted = await insertAlerts(tx, plan.created);
    const changes = [...updated, ...inserted.map(created)];
    if (changes.length > 0) await this.events.publish(tx, new AlertsChanged(changes, null));
    const iids = new Map<PlannedAlert, number>(inserted.map(({ planned, iid }) => [planned, iid]));
    const taken = plan.taken.map((one) => ({
      iid: one.stored?.iid ?? (iids.get(one) as number),
      title: one.title,
    }));
    let next = 0;
    return items.map(({ projectId }) => (there.has(projectId) ? (taken[next++] as TakenAlertRecord) : null));
  }
}

const created = ({ planned: { source, status }, id }: InsertedAlert): AlertChange => ({
  projectId: source.projectId,
  alertId: id,
  kind: 'created',
  status,
});

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

/** Whether another attempt sees what has come in between: an alert that was opened or settled by hand, an integration or environment that went. */
function isPassing(error: unknown): boolean {
  if (error instanceof Overtaken || errorCode(error) === FOREIGN_KEY) return true;
  return /^alerts_(open|stray)$/.test(violatedConstraint(error) ?? '');
}
