/** What tokens of jobs begin with. */
export const JOB_TOKEN_PREFIX = 'glcbt-';

/** Whether a credential would be the token of a job, if it is any. */
export const looksLikeJobToken = (token: string): boolean => token.startsWith(JOB_TOKEN_PREFIX);
