/** Prefix of job tokens. */
export const JOB_TOKEN_PREFIX = 'glcbt-';

/** Returns whether a credential has the form of a job token. */
export const looksLikeJobToken = (token: string): boolean => token.startsWith(JOB_TOKEN_PREFIX);
