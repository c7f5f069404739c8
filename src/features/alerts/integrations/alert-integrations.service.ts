import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Actor, ProjectSubject } from '#kernel/access/caller.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, missingAttribute, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import { AlertIntegration } from './alert-integration.entity.js';
import type {
  ChangeAlertIntegrationParams,
  CreateAlertIntegrationParams,
} from './alert-integrations.params.js';
import { changedValues } from './changed-values.js';
import { IntegrationAudit } from './integration.audit.js';
import { IntegrationKeysService } from './keys/integration-keys.service.js';
import {
  assertAlone,
  assertRoom,
  externalUrlFor,
  legacyIdentifierFor,
  lockProject,
} from './integration-rules.js';

/** Manages integrations of projects (`ops.md` 5.1). */
@Injectable()
export class AlertIntegrationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly keys: IntegrationKeysService,
    private readonly audit: IntegrationAudit,
  ) {}

  /** Creates an integration with a key. @throws 400, 404, 409 */
  create(
    project: ProjectSubject,
    actor: Actor,
    params: CreateAlertIntegrationParams,
  ): Promise<AlertIntegration> {
    const made = this.integrationOf(project.id, params);
    return this.transactions.run(async (tx) => {
      await lockProject(tx, project.id);
      await assertRoom(tx, made);
      await assertAlone(tx, made);
      const { id } = await tx.save(tx.create(AlertIntegration, made));
      const stored = await tx.findOneByOrFail(AlertIntegration, { id });
      await this.audit.happened(tx, project, actor, stored, 'Created');
      return stored;
    });
  }

  /** Updates an integration; only keys of external tools can be given. @throws 400, 404, 409 */
  update(
    project: ProjectSubject,
    actor: Actor,
    id: number,
    changes: ChangeAlertIntegrationParams,
  ): Promise<AlertIntegration> {
    requireChange(changes);
    return this.transactions.run(async (tx) => {
      const former = await this.lock(tx, project.id, id);
      const values = changedValues(former, changes);
      const present = Object.assign(new AlertIntegration(), former, values);
      externalUrlFor(present.type, present.externalUrl);
      if (present.active && !former.active) await assertAlone(tx, present);
      // A key belongs to its URL: it is not sent to another one unless given again.
      const token = values.externalUrl === undefined ? changes.token : (changes.token ?? null);
      const key = this.namedKey(former, token);
      if (Object.keys({ ...values, ...key }).length === 0) return former;
      await tx.update(AlertIntegration, { id }, { ...values, ...key, updatedAt: clock });
      await this.audit.changed(tx, project, actor, former, present);
      if (key) await this.audit.happened(tx, project, actor, present, 'Changed the key of');
      return tx.findOneByOrFail(AlertIntegration, { id });
    });
  }

  /**
   * Replaces the key of an integration; the former one becomes invalid. @throws 400 for an external tool, 404
   */
  resetKey(project: ProjectSubject, actor: Actor, id: number): Promise<AlertIntegration> {
    return this.transactions.run(async (tx) => {
      const integration = await this.lock(tx, project.id, id);
      if (integration.type === 'external')
        throw invalid({ base: ['The key of an external tool is created by that tool'] });
      await tx.update(AlertIntegration, { id }, { ...this.keys.make(integration), updatedAt: clock });
      await this.audit.happened(tx, project, actor, integration, 'Reset the key of');
      return tx.findOneByOrFail(AlertIntegration, { id });
    });
  }

  /** Removes an integration; its alerts are kept. @throws 404, 412 */
  async remove(
    project: ProjectSubject,
    actor: Actor,
    id: number,
    unmodified: UnmodifiedCheck = () => undefined,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const integration = await this.lock(tx, project.id, id);
      unmodified(integration.updatedAt);
      await tx.delete(AlertIntegration, { id });
      await this.audit.happened(tx, project, actor, integration, 'Removed');
    });
  }

  /** Returns the new integration. @throws 400 */
  private integrationOf(projectId: number, params: CreateAlertIntegrationParams): AlertIntegration {
    const { type, endpoint_identifier: asked, external_url: url } = params;
    if (type === 'external' && url === undefined) throw missingAttribute('external_url');
    const endpointIdentifier =
      asked === undefined ? randomBytes(8).toString('hex') : legacyIdentifierFor(type, asked);
    const owner = { projectId, type, endpointIdentifier };
    return Object.assign(new AlertIntegration(), {
      ...owner,
      ...this.firstKey(owner, params.token),
      name: params.name,
      active: params.active,
      createIncident: params.create_incident,
      autoCloseIncident: params.auto_close_incident,
      sendEmail: params.send_email,
      externalUrl: externalUrlFor(type, url || null),
    });
  }

  private firstKey(
    owner: Pick<AlertIntegration, 'projectId' | 'type' | 'endpointIdentifier'>,
    named: string | null | undefined,
  ): Pick<AlertIntegration, 'keySealed' | 'keyDigest'> {
    if (owner.type !== 'external') return this.keys.make(owner);
    return named ? this.keys.store(owner, named) : { keySealed: null, keyDigest: null };
  }

  /** Returns the key for an external tool; undefined to keep the present one. */
  private namedKey(
    integration: AlertIntegration,
    named: string | null | undefined,
  ): Pick<AlertIntegration, 'keySealed' | 'keyDigest'> | undefined {
    if (integration.type !== 'external' || named === undefined) return undefined;
    if ((named || null) === this.keys.reveal(integration)) return undefined;
    return this.firstKey(integration, named);
  }

  private async lock(tx: Tx, projectId: number, id: number): Promise<AlertIntegration> {
    await lockProject(tx, projectId);
    const found = await tx.findOneBy(AlertIntegration, { id, projectId });
    if (!found) throw notFound('Alert Integration');
    return found;
  }
}
