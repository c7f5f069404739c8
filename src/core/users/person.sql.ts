/** SQL condition: the user with this alias is the bot of a project or group token. */
const isBotSql = (alias: string): string => `${alias}.user_type in ('project_bot', 'group_bot')`;

/** SQL condition: the user with this alias is human. */
export const isHumanSql = (alias: string): string => `${alias}.user_type = 'human'`;

/**
 * SQL condition: the user with this alias sees what is merely internal: external users do not, nor bots, which
 * belong to their project or group alone.
 */
export const seesInternalSql = (alias: string): string =>
  `(not ${alias}.external and not ${isBotSql(alias)})`;

/** SQL expression: id of the person behind the account with this alias; for a bot its creator, if known. */
export const personSql = (alias: string): string =>
  `case when ${isBotSql(alias)} then coalesce(${alias}.created_by_id, ${alias}.id) else ${alias}.id end`;

/**
 * SQL condition: the user with this alias is the person with this id, or a bot created by that person;
 * indexes find them.
 */
export const isOfPersonSql = (alias: string, person: string): string =>
  `(${alias}.id = ${person} or ${alias}.created_by_id = ${person} and ${isBotSql(alias)})`;

/** Statement with a row `same`: whether the same person is behind the accounts with ids $1 and $2. */
export const SAME_PERSON = `select exists (select 1 from users a join users b on b.id = $2 where a.id = $1
  and ${personSql('a')} = ${personSql('b')}) as same`;
