/**
 * Types of integrations: generic payloads, Alertmanager, or an external tool that receives the alerts itself.
 */
export const INTEGRATION_TYPES = ['http', 'prometheus', 'external'] as const;

/** Type of an alert integration. */
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/**
 * Identifiers of integrations with intake URLs without name and identifier; at most one of each per project
 * (`ops.md` 5.1).
 */
export const LEGACY_IDENTIFIERS = { http: 'legacy', prometheus: 'legacy-prometheus' } as const;
