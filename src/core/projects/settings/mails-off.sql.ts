/**
 * SQL condition: mails of a project or group are disabled, by the project or a group above it. Arguments are
 * expressions: the id of the project (or null), and the groups as bigint[].
 */
export const mailsOffSql = (projectId: string, groups: string): string =>
  `(exists (select 1 from projects mp where mp.id = ${projectId} and mp.settings->>'emails_enabled' = 'false')
    or exists (select 1 from namespaces mg where mg.id = any(${groups}) and mg.settings->>'emails_disabled' = 'true'))`;
