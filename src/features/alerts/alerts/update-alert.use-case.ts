import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller, ProjectSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { conflict, notFound, nothingGiven } from '#kernel/http/errors.js';
import { assignable, namedUsers, replacePeople } from '#core/issuables/assignees.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import type { AlertStatus } from '../alert-values.js';
import { AlertsChanged } from '../alerts-changed.event.js';
import { ALERT_ASSIGNEES } from './alert.row.js';
import { Alert } from './alert.entity.js';
import type { UpdateAlertParams } from './alerts.params.js';

/** Updates the status and assignees of alerts (`ops.md` 5.6). */
@Injectable()
export class UpdateAlert {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly readers: ProjectReadersQueries,
  ) {}

  /** Updates an alert. @throws 400, 403, 404, 409 if another alert with the same payload is open */
  async run(caller: UserCaller, project: ProjectSubject, params: UpdateAlertParams): Promise<void> {
    const { alert_iid: iid, status, assignee_ids: ids } = params;
    if (status === undefined && ids === undefined) throw nothingGiven();
    await this.transactions.run(async (tx) => {
      const userIds = await this.assignees(tx, caller, project.id, ids);
      const alert = await lockAlert(tx, project.id, iid);
      const people = userIds && (await replacePeople(tx, ALERT_ASSIGNEES, alert.id, userIds));
      if (people && people.added.length + people.removed.length > 0)
        await tx.update(Alert, { id: alert.id }, { updatedAt: clock });
      if (status !== undefined && status !== alert.status) {
        await moveTo(tx, alert, status);
        const change = { projectId: project.id, alertId: alert.id, kind: 'status', status } as const;
        await this.events.publish(tx, new AlertsChanged([change], caller.actor.id));
      }
    });
  }

  /** Returns those of the users who can see alerts; null for no change. Free plans allow one assignee. */
  private async assignees(
    tx: Tx,
    { tier }: Caller,
    projectId: number,
    given: readonly number[] | null | undefined,
  ): Promise<number[] | null> {
    const ids = namedUsers(given, undefined);
    if (ids === null) return null;
    const lock = async (among: readonly number[]): Promise<ReadonlySet<number>> => {
      const roles = await this.readers.lockAmong(tx, projectId, among, null, Role.Developer);
      return new Set([...roles].filter(([, role]) => role >= Role.Developer).map(([id]) => id));
    };
    return assignable(ids, lock, tier >= Tier.Premium);
  }
}

async function lockAlert(tx: Tx, projectId: number, iid: number): Promise<Alert> {
  const found = await tx.findOne(Alert, { where: { projectId, iid }, lock: { mode: 'for_no_key_update' } });
  if (!found) throw notFound('Alert');
  return found;
}

/** An alert has an end only while it is resolved; a reopened one is no longer a stray resolution. */
async function moveTo(tx: Tx, { id, status: former }: Alert, status: AlertStatus): Promise<void> {
  const isReopened = former === 'resolved';
  try {
    await tx.update(
      Alert,
      { id },
      {
        status,
        updatedAt: clock,
        ...(status === 'resolved' ? { endedAt: clock } : {}),
        ...(isReopened ? { endedAt: null, stray: false } : {}),
      },
    );
  } catch (error) {
    if (violatedConstraint(error) !== 'alerts_open') throw error;
    throw conflict('409 Another alert with the same payload is open');
  }
}
