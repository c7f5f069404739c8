import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Awardable } from '#core/notes/award-emoji/award-emoji.queries.js';
import { AwardEmojiService } from '#core/notes/award-emoji/award-emoji.service.js';
import { humanDuration, parseDuration } from '#core/notes/time-tracking/durations.js';
import { emojiName } from '#core/notes/award-emoji/emoji-names.js';
import { TimeTrackingService } from '#core/notes/time-tracking/time-tracking.service.js';
import type { SubscriptionTarget } from '#core/subscriptions/subscription-target.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';
import { todayIs } from '../parsing/dates.js';
import { assertMay, CommandRefused, lastOf, nameOf, shown, type TargetAction } from '../quick-action.js';
import { spentIn } from '../parsing/spent-time.js';

const GIVEN =
  'select id from award_emoji where awardable_type = $1 and awardable_id = $2 and user_id = $3 and name = $4';

/** Quick actions for subscriptions, emoji and time tracking. */
@Injectable()
export class NoteableActionsService {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly awards: AwardEmojiService,
    private readonly times: TimeTrackingService,
  ) {}

  /** `/subscribe` and `/unsubscribe`. */
  private readonly subscription: TargetAction = {
    when: 'target',
    kind: 'subscription',
    names: ['subscribe', 'unsubscribe'],
    apply: async ({ tx, caller, target, noteable }, uses) => {
      const event = lastOf(uses).name === 'subscribe' ? 'subscribe' : 'unsubscribe';
      const subscribed: SubscriptionTarget = { type: target.type, id: noteable.id as number };
      const hasChanged = await this.subscriptions[event](tx, caller.actor.id, subscribed);
      const name = nameOf(target.type);
      if (!hasChanged)
        return { said: [`You are ${event}d ${event === 'subscribe' ? 'to' : 'from'} this ${name} already.`] };
      return {
        changes: { subscription_event: event },
        said: [event === 'subscribe' ? `Subscribed to this ${name}.` : `Unsubscribed from this ${name}.`],
      };
    },
  };

  /** `/award`: awards an emoji, or revokes it. */
  private readonly award: TargetAction = {
    when: 'target',
    kind: 'award',
    names: ['award', 'react'],
    apply: async ({ tx, caller, noteable }, uses) => {
      const { name: command, argument } = lastOf(uses);
      const name = await emojiName(/^:([\w+-]{1,64}):$/.exec(argument)?.[1] ?? '');
      if (name === null)
        throw new CommandRefused(`Could not apply /${command}: "${shown(argument)}" is not an emoji.`);
      const awardable = { type: noteable.type, id: noteable.id } as Awardable;
      const given = await awardOf(tx, awardable, caller.actor.id, name);
      if (given === null) await this.awards.give(caller, noteable, awardable, name);
      else await this.awards.remove(caller, noteable, awardable, given, () => undefined);
      return {
        changes: { emoji_award: name },
        said: [given === null ? `Gave :${name}:.` : `Removed the reaction :${name}:.`],
      };
    },
  };

  /** `/estimate` and `/remove_estimate`. */
  private readonly estimate: TargetAction = {
    when: 'target',
    kind: 'estimate',
    names: ['estimate', 'estimate_time', 'remove_estimate', 'remove_time_estimate'],
    apply: async ({ caller, noteable }, uses) => {
      const use = lastOf(uses);
      assertMay(caller.role >= Role.Reporter, use);
      const isGiven = use.name.startsWith('estimate');
      const seconds = isGiven ? parseDuration(use.argument) : 0;
      if (seconds === null || seconds < 0)
        throw new CommandRefused(`Could not apply /${use.name}: "${shown(use.argument)}" is not a duration.`);
      await this.times.estimate(caller, noteable, isGiven ? use.argument : '0');
      const human = humanDuration(seconds);
      return {
        changes: { time_estimate: seconds },
        said: [human === null ? 'Removed the time estimate.' : `Set the time estimate to ${human}.`],
      };
    },
  };

  /** `/spend` and `/remove_time_spent`. */
  private readonly spend: TargetAction = {
    when: 'target',
    kind: 'spend',
    names: ['spend', 'spent', 'spend_time', 'remove_time_spent'],
    apply: async ({ caller, noteable }, uses) => {
      const use = lastOf(uses);
      assertMay(caller.role >= Role.Reporter, use);
      if (use.name === 'remove_time_spent') {
        await this.times.resetSpent(caller, noteable);
        return { changes: { spend_time: { duration: 'reset' } }, said: ['Removed the time spent.'] };
      }
      const spent = spentIn(use.argument, todayIs());
      if (spent === null)
        throw new CommandRefused(
          `Could not apply /${use.name}: "${shown(use.argument)}" is not a duration with a date up to today.`,
        );
      const { duration, seconds, day } = spent;
      await this.times.spend(
        caller,
        noteable,
        duration,
        null,
        day === null ? null : new Date(`${day}T00:00:00Z`),
      );
      const human = humanDuration(Math.abs(seconds)) ?? '';
      return {
        changes: { spend_time: { duration: seconds, spent_at: day ?? todayIs() } },
        said: [seconds > 0 ? `Added ${human} of time spent.` : `Subtracted ${human} of time spent.`],
      };
    },
  };

  /** Returns the actions for all types. */
  ofTargets(): TargetAction[] {
    return [this.subscription, this.award];
  }

  /** Returns the actions for types with time tracking. */
  ofTimes(): TargetAction[] {
    return [this.estimate, this.spend];
  }
}

async function awardOf(
  tx: Tx,
  { type, id }: Awardable,
  userId: number,
  name: string,
): Promise<number | null> {
  const [row] = await tx.query<{ id: number }[]>(GIVEN, [type, id, userId, name]);
  return row?.id ?? null;
}
