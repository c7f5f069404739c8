/** A kind of secrets stored sealed in rows. */
export interface SealedKind {
  readonly kind: string;
  /**
   * Query with columns `id` (as text), `sealed` and `purpose`, to which the SecretBox has bound the value.
   */
  readonly rows: string;
  /** Replaces the sealed value `$3` of row `$1` by `$2`, unless it has changed. */
  readonly replace: string;
}

function column(kind: string, table: string, name: string, purpose: string, id = 'id'): SealedKind {
  return {
    kind,
    rows: `select ${id}::text as id, ${name} as sealed, ${purpose} as purpose from ${table} where ${name} is not null`,
    replace: `update ${table} set ${name} = $2 where ${id}::text = $1 and ${name} = $3`,
  };
}

function job(kind: string, name: string, purpose: string): SealedKind {
  return {
    kind,
    rows: `select id::text as id, payload ->> 'sealed' as sealed, ${purpose} as purpose from background_jobs
      where name = '${name}' and payload ? 'sealed'`,
    replace: `update background_jobs set payload = jsonb_set(payload, '{sealed}', to_jsonb($2::text))
      where id::text = $1 and payload ->> 'sealed' = $3`,
  };
}

/** All kinds of sealed values in the database; those in cookies and pages live only for minutes. */
export const sealedKinds: readonly SealedKind[] = [
  column(
    'variables',
    'ci_variables',
    'value',
    `'ci_variable:' || owner_type || ':' || owner_id || ':' || key`,
  ),
  column('variables of pipelines', 'ci_pipelines', 'variables', `'ci_pipeline:variables'`),
  column(
    'variables of played jobs',
    'ci_job_definitions',
    'play_variables',
    `'ci_job:' || job_id || ':variables'`,
    'job_id',
  ),
  column('runners tokens of projects', 'projects', 'runners_token', `'project:' || id || ':runners_token'`),
  column('runners tokens of groups', 'namespaces', 'runners_token', `'group:' || id || ':runners_token'`),
  column(
    'the registration token of runners',
    'application_settings',
    'runners_registration_token',
    `'application_settings:runners_registration_token'`,
  ),
  column(
    'keys of alert integrations',
    'alert_integrations',
    'key_sealed',
    `'project:' || project_id || ':alert_integration:' || endpoint_identifier`,
  ),
  column('second factors', 'user_two_factors', 'sealed_secret', `'two-factor:' || user_id`, 'user_id'),
  column(
    'keys that sign id_tokens',
    'oauth_signing_keys',
    'sealed_private_key',
    `'oauth-signing-key:' || kid`,
    'kid',
  ),
  column(
    'source tokens of migrations',
    'bulk_imports',
    'source_token_sealed',
    `'bulk-import:' || id || ':token'`,
  ),
  job('queued mails', 'mail.send', `'mail'`),
  job('requests for links by mail', 'emails.request-link', `'link request ' || (payload ->> 'kind')`),
];
