import {
  assertMay,
  CommandRefused,
  lastOf,
  shown,
  type TargetAction,
} from '#core/quick-actions/quick-action.js';
import { Issue, SEVERITIES } from '../issue.entity.js';

/** Numbers for severities. */
const NUMBERED: Readonly<Record<string, string>> = {
  s1: 'critical',
  s2: 'high',
  s3: 'medium',
  s4: 'low',
  '1': 'critical',
  '2': 'high',
  '3': 'medium',
  '4': 'low',
  '0': 'unknown',
};

/** `/severity` of incidents. */
export const severityAction: TargetAction = {
  when: 'target',
  kind: 'severity',
  names: ['severity'],
  async apply({ tx, target, noteable }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayPlan, use);
    const issue = await tx.findOneByOrFail(Issue, { id: noteable.id as number });
    if (issue.issueType !== 'incident')
      throw new CommandRefused('Could not apply /severity: this issue is not an incident.');
    const given = use.argument.toLowerCase();
    const severity = SEVERITIES.find((one) => one === (NUMBERED[given] ?? given));
    if (severity === undefined)
      throw new CommandRefused(`Could not apply /severity: "${shown(use.argument)}" is not a severity.`);
    if (issue.severity === severity) return { said: [`The severity is ${severity} already.`] };
    await target.change({ severity });
    return { changes: { severity }, said: [`Set the severity to ${severity}.`] };
  },
};
