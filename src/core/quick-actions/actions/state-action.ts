import { assertMay, CommandRefused, lastOf, nameOf, type TargetAction } from '../quick-action.js';

/** `/close` and `/reopen`. */
export const stateAction: TargetAction = {
  when: 'target',
  kind: 'state',
  names: ['close', 'reopen'],
  async apply({ target }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayUpdate, use);
    const event = use.name === 'close' ? 'close' : 'reopen';
    const { state } = await target.now();
    const name = nameOf(target.type);
    if (state === (event === 'close' ? 'closed' : 'opened'))
      return { said: [`This ${name} is ${event === 'close' ? 'closed' : 'open'} already.`] };
    if (state !== 'opened' && state !== 'closed')
      throw new CommandRefused(`Could not apply /${use.name}: this ${name} is ${state}.`);
    await target.change({ state_event: event });
    return {
      changes: { state_event: event },
      said: [`${event === 'close' ? 'Closed' : 'Reopened'} this ${name}.`],
    };
  },
};

/** `/cc`: only mentions users. */
export const ccAction: TargetAction = {
  when: 'target',
  kind: 'cc',
  names: ['cc'],
  apply: () => Promise.resolve({ said: ['There is nothing to do for /cc.'] }),
};
