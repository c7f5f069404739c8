import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';

/** Names of the counters in the user menu of clients. */
export const USER_COUNTS = [
  'merge_requests',
  'assigned_issues',
  'assigned_merge_requests',
  'review_requested_merge_requests',
  'todos',
] as const;

/** Name of a counter. */
export type UserCount = (typeof USER_COUNTS)[number];

/** Counts open work of a user that they can read. */
export type UserCounter = (actor: Actor) => Promise<number>;

/** Registry of counters of a user's open work; modules register theirs in `onModuleInit`. */
@Injectable()
export class UserCountersRegistry {
  private readonly counters = new Map<UserCount, UserCounter>();

  register(name: UserCount, counter: UserCounter): void {
    this.counters.set(name, counter);
  }

  /** Returns all counters; 0 for those without a module. */
  async count(actor: Actor): Promise<Record<UserCount, number>> {
    const counts = await Promise.all(
      USER_COUNTS.map(async (name) => [name, (await this.counters.get(name)?.(actor)) ?? 0] as const),
    );
    return Object.fromEntries(counts) as Record<UserCount, number>;
  }
}
