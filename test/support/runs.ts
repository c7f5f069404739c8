import { isComplete } from './complete.js';

/** How often a property is tried whose runs cost requests or SQL: a quarter, and all with TESTS_COMPLETE=1. */
export const runs = (all: number): number => (isComplete() ? all : Math.ceil(all / 4));
