import { Injectable } from '@nestjs/common';

/** Numbers that clients show beside the user's menu. */
export const USER_COUNTS = [
  'merge_requests',
  'assigned_issues',
  'assigned_merge_requests',
  'review_requested_merge_requests',
  'todos',
] as const;

/** Name of one number. */
export type UserCount = (typeof USER_COUNTS)[number];

/** Counts what is open for a user. */
export type UserCounter = (userId: number) => Promise<number>;

/** Open work of a user, counted by the modules that own it: each registers what it knows in `onModuleInit`. */
@Injectable()
export class UserCountersRegistry {
  private readonly counters = new Map<UserCount, UserCounter>();

  register(name: UserCount, counter: UserCounter): void {
    this.counters.set(name, counter);
  }

  /** All numbers; what no module owns is not there to be counted, hence 0. */
  async count(userId: number): Promise<Record<UserCount, number>> {
    const counts = await Promise.all(
      USER_COUNTS.map(async (name) => [name, (await this.counters.get(name)?.(userId)) ?? 0] as const),
    );
    return Object.fromEntries(counts) as Record<UserCount, number>;
  }
}
