/** Locks the project `$1`: what is created in it at the same time waits, otherwise it would not be counted. */
export const LOCK_PROJECT = 'select 1 from projects where id = $1 for no key update';
