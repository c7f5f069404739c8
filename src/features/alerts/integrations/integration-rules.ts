import type { Tx } from '#kernel/database/transactions.js';
import { conflict, invalid, notFound } from '#kernel/http/errors.js';
import { AlertIntegration } from './alert-integration.entity.js';
import { LEGACY_IDENTIFIERS, type IntegrationType } from './integration-values.js';
import { isWebAddress } from './web-address.js';

/** Limit of integrations: they are all shown on one page and in lists. */
const MAX_INTEGRATIONS = 100;

const OTHERS_ACTIVE =
  'An external incident tool cannot be active together with other integrations: turn them off first';
const EXTERNAL_ACTIVE = 'An external incident tool is active: no other integration can be active';

/**
 * Locks the project, so that its integrations change one at a time and rules about all of them hold. @throws
 * 404
 */
export async function lockProject(tx: Tx, projectId: number): Promise<void> {
  const rows = await tx.query<object[]>(
    'select id from projects where id = $1 and not pending_delete for no key update',
    [projectId],
  );
  if (rows.length === 0) throw notFound('Project');
}

/** Asserts that the project may have another integration, and has none with this identifier. @throws 400 */
export async function assertRoom(tx: Tx, { projectId, endpointIdentifier }: AlertIntegration): Promise<void> {
  if (await tx.existsBy(AlertIntegration, { projectId, endpointIdentifier }))
    throw invalid({ endpoint_identifier: ['has already been taken'] });
  if ((await tx.countBy(AlertIntegration, { projectId })) >= MAX_INTEGRATIONS)
    throw invalid({ base: [`a project can have at most ${MAX_INTEGRATIONS} integrations`] });
}

/**
 * Asserts that an active external tool is the only active integration (`api-v4.md` 4.4). Call it under the
 * lock of the project.
 * @throws 409
 */
export async function assertAlone(tx: Tx, { id, projectId, type, active }: AlertIntegration): Promise<void> {
  if (!active) return;
  const others = await tx.findBy(AlertIntegration, { projectId, active: true });
  const types = others.filter((other) => other.id !== id).map((other) => other.type);
  if (types.includes('external')) throw conflict(EXTERNAL_ACTIVE);
  if (type === 'external' && types.length > 0) throw conflict(OTHERS_ACTIVE);
}

/** Returns the URL of an external tool; null for other types. @throws 400 */
export function externalUrlFor(type: IntegrationType, url: string | null): string | null {
  const problem = externalUrlProblem(type, url);
  if (problem !== null) throw invalid({ external_url: [problem] });
  return url;
}

function externalUrlProblem(type: IntegrationType, url: string | null): string | null {
  if (type !== 'external') return url === null ? null : 'is only for external tools';
  if (url === null) return "can't be blank";
  return isWebAddress(url) ? null : 'is invalid';
}

/** Returns the identifier of a new integration of a type. @throws 400 if it belongs to another type */
export function legacyIdentifierFor(type: IntegrationType, identifier: string): string {
  if (type === 'external' || LEGACY_IDENTIFIERS[type] !== identifier)
    throw invalid({ endpoint_identifier: ['does not have a valid value'] });
  return identifier;
}
