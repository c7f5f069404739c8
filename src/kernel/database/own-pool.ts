import type pg from 'pg';
import type { DataSource } from 'typeorm';

/** The newest pool of each class that `notedPool` created. */
const pools = new WeakMap<object, pg.Pool>();

/** Remembers a pool by its class. */
export const notePool = (ofClass: object, pool: pg.Pool): void => void pools.set(ofClass, pool);

/** Returns the pool of a connected data source. @throws Error if it was not created here */
export function poolOf({ options }: DataSource): pg.Pool {
  const { driver } = options as { readonly driver?: { readonly Pool?: object } };
  const pool = driver?.Pool && pools.get(driver.Pool);
  if (!pool) throw new Error('The data source has no pool of ours');
  return pool;
}
