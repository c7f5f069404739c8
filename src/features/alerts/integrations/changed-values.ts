import type { AlertIntegration } from './alert-integration.entity.js';
import type { ChangeAlertIntegrationParams } from './alert-integrations.params.js';

/** Attributes that users can change, with their API names. */
export const CHANGEABLE = {
  name: 'name',
  active: 'active',
  createIncident: 'create_incident',
  autoCloseIncident: 'auto_close_incident',
  sendEmail: 'send_email',
  externalUrl: 'external_url',
} as const satisfies Partial<Record<keyof AlertIntegration, keyof ChangeAlertIntegrationParams>>;

type Changeable = keyof typeof CHANGEABLE;

/** Returns the columns whose values change. */
export function changedValues(
  former: AlertIntegration,
  changes: ChangeAlertIntegrationParams,
): Partial<Pick<AlertIntegration, Changeable>> {
  const values = (Object.keys(CHANGEABLE) as Changeable[]).flatMap((column) => {
    const given = changes[CHANGEABLE[column]];
    const value = given === '' ? null : given;
    return value === undefined || value === former[column] ? [] : [[column, value] as const];
  });
  return Object.fromEntries(values);
}
