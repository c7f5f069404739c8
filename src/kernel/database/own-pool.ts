import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { PatientPool } from './patient-pool.js';

/** The newest pool of each class created by `notedPool`. */
const pools = new WeakMap<object, pg.Pool>();

/** A pool class for the options of a data source, whose pool `poolOf` then returns. */
export function notedPool(): typeof PatientPool {
  class NotedPool extends PatientPool {
    constructor(options?: pg.PoolConfig) {
      super(options);
      pools.set(NotedPool, this);
    }
  }
  return NotedPool;
}

/** Returns the pool of a connected data source. @throws Error if it was not created here */
export function poolOf({ options }: DataSource): pg.Pool {
  const { driver } = options as { readonly driver?: { readonly Pool?: object } };
  const pool = driver?.Pool && pools.get(driver.Pool);
  if (!pool) throw new Error('The data source has no pool of ours');
  return pool;
}
