/** The administrator's token of every bench database. */
export const ROOT_TOKEN = 'glpat-bench-root-token-01';

/** Headers of calls to the API in their name. */
export const API_HEADERS = { 'private-token': ROOT_TOKEN, 'content-type': 'application/json' };
