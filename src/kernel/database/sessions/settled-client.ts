import type pg from 'pg';
import { wireOf } from '#kernel/libraries/pg-inside.js';
import { beginWith } from './settled-wire.js';
import { WatchedClient } from './watched-client.js';

/** A client whose every transaction begins with the `opening` of its options, where these have one. */
export class SettledClient extends WatchedClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { opening } = (typeof config === 'object' ? config : {}) as { readonly opening?: string };
    if (opening !== undefined) beginWith(wireOf(this), opening);
  }
}
