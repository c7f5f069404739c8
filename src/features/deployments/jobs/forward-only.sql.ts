/** SQL condition: the project `p` prevents deploying an older commit after a newer one. */
export const FORWARD_ONLY = `coalesce((p.settings ->> 'ci_forward_deployment_enabled')::boolean, true)`;
