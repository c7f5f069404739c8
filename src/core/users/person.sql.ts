/** SQL condition: the account of the user with this alias is the bot of a token of a project or group. */
const isBotSql = (alias: string): string => `${alias}.user_type in ('project_bot', 'group_bot')`;

/** SQL condition: a person has the account of the user with this alias. */
export const isHumanSql = (alias: string): string => `${alias}.user_type = 'human'`;

/** Scalar expression: id of the person who acts by the account of the user with this alias: of a bot whoever made it, while that is known. */
export const personSql = (alias: string): string =>
  `case when ${isBotSql(alias)} then coalesce(${alias}.created_by_id, ${alias}.id) else ${alias}.id end`;

/** SQL condition: the user with this alias is the person of that id, or a bot of theirs; an index finds them. */
export const isOfPersonSql = (alias: string, person: string): string =>
  `(${alias}.id = ${person} or ${alias}.created_by_id = ${person} and ${isBotSql(alias)})`;

/** Statement of one row `same`: whether one person acts by the accounts of the users of the ids $1 and $2. */
export const SAME_PERSON = `select exists (select 1 from users a join users b on b.id = $2 where a.id = $1
  and ${personSql('a')} = ${personSql('b')}) as same`;
