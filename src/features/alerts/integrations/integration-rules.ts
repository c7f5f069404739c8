import type { Tx } from '#kernel/database/transactions.js';
import { conflict, invalid, notFound } from '#kernel/http/errors.js';
import { AlertIntegration } from './alert-integration.entity.js';
import { LEGACY_IDENTIFIERS, type IntegrationType } from './integration-values.js';
import { isWebAddress } from './web-address.js';

/** All of them are on one page and in the lists that people look through. */
const MAX_INTEGRATIONS = 100;

const OTHERS_ACTIVE =
  'An external incident tool cannot be active beside other integrations: switch them off first';
const EXTERNAL_ACTIVE = 'An external incident tool is active: no other integration can be';

/** Locks the project: its integrations change one after the other, so that rules about all of them hold. @throws 404 */
export async function lockProject(tx: Tx, projectId: number): Promise<void> {
  const rows = await tx.query<object[]>(
    'select id from projects where id = $1 and not pending_delete for no key update',
    [projectId],
  );
  if (rows.length === 0) throw notFound('Project');
}

/** @throws 400 where the project has as many as it may have, or the one of this identifier already */
export async function assertRoom(tx: Tx, { projectId, endpointIdentifier }: AlertIntegration): Promise<void> {
  if (await tx.existsBy(AlertIntegration, { projectId, endpointIdentifier }))
    throw invalid({ endpoint_identifier: ['has already been taken'] });
  if ((await tx.countBy(AlertIntegration, { projectId })) >= MAX_INTEGRATIONS)
    throw invalid({ base: [`a project has ${MAX_INTEGRATIONS} of them at most`] });
}

/**
 * While a tool outside is active, nothing else is (`api-v4.md` 4.4). Under the lock of the project.
 * @throws 409
 */
export async function assertAlone(tx: Tx, { id, projectId, type, active }: AlertIntegration): Promise<void> {
  if (!active) return;
  const others = await tx.findBy(AlertIntegration, { projectId, active: true });
  const types = others.filter((other) => other.id !== id).map((other) => other.type);
  if (types.includes('external')) throw conflict(EXTERNAL_ACTIVE);
  if (type === 'external' && types.length > 0) throw conflict(OTHERS_ACTIVE);
}

/** The address of a tool outside, which has one; all others have none. @throws 400 */
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

/** The identifier that a new integration of a type asked for. @throws 400 where it is that of another type */
export function legacyIdentifierFor(type: IntegrationType, identifier: string): string {
  if (type === 'external' || LEGACY_IDENTIFIERS[type] !== identifier)
    throw invalid({ endpoint_identifier: ['does not have a valid value'] });
  return identifier;
}
