import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { PatientPool } from './patient-pool.js';

/** The newest pool of each class that `notedPool` has made. */
const pools = new WeakMap<object, pg.Pool>();

/** A class of pools for the options of a data source, which then is asked for its pool by `poolOf`. */
export function notedPool(): typeof PatientPool {
  class NotedPool extends PatientPool {
    constructor(options?: pg.PoolConfig) {
      super(options);
      pools.set(NotedPool, this);
    }
  }
  return NotedPool;
}

/** The pool of a data source that is connected. @throws Error for one whose pool is not made here */
export function poolOf({ options }: DataSource): pg.Pool {
  const { driver } = options as { readonly driver?: { readonly Pool?: object } };
  const pool = driver?.Pool && pools.get(driver.Pool);
  if (!pool) throw new Error('The data source has no pool of ours');
  return pool;
}
