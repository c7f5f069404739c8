/** What an integration can be: generic payloads, Alertmanager's, or a tool outside that takes the alerts itself. */
export const INTEGRATION_TYPES = ['http', 'prometheus', 'external'] as const;

/** Type of an alert integration. */
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/** Identifiers of those that have an intake URL without a name and an identifier in it; one of each a project (`ops.md` 5.1). */
export const LEGACY_IDENTIFIERS = { http: 'legacy', prometheus: 'legacy-prometheus' } as const;
