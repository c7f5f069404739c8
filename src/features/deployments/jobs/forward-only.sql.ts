/** Condition: the project `p` lets no older commit be deployed after a newer one. */
export const FORWARD_ONLY = `coalesce((p.settings ->> 'ci_forward_deployment_enabled')::boolean, true)`;
