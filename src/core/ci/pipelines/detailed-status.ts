import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import type { CiStatus } from '../jobs/job-status.js';

/** A status as shown to users. */
export class DetailedStatusRecord {
  @Text({ example: 'status_success' })
  icon!: string;

  @Text({ example: 'passed' })
  text!: string;

  @Text({ example: 'passed' })
  label!: string;

  @Text({ example: 'success' })
  group!: string;

  @Text({ example: 'passed' })
  tooltip!: string;

  @Flag()
  has_details!: boolean;

  @Text({ description: 'Path of its page on this host' })
  details_path!: string;

  @Text({ nullable: true })
  illustration!: string | null;

  @Text({ nullable: true, description: 'None is served' })
  favicon!: string | null;
}

type Words = Pick<DetailedStatusRecord, 'icon' | 'text' | 'label' | 'group'>;

const same = (status: string): Words => ({
  icon: `status_${status}`,
  text: status,
  label: status,
  group: status,
});

const WORDS: Readonly<Record<CiStatus, Words>> = {
  created: same('created'),
  waiting_for_resource: {
    icon: 'status_pending',
    text: 'waiting',
    label: 'waiting for resource',
    group: 'waiting-for-resource',
  },
  preparing: same('preparing'),
  pending: same('pending'),
  running: same('running'),
  success: { ...same('success'), text: 'passed', label: 'passed' },
  failed: same('failed'),
  canceled: same('canceled'),
  skipped: same('skipped'),
  manual: { ...same('manual'), text: 'blocked', label: 'waiting for manual action' },
  scheduled: { ...same('scheduled'), text: 'delayed', label: 'waiting for delayed job' },
};

const WARNED: Words = {
  icon: 'status_warning',
  text: 'passed',
  label: 'passed with warnings',
  group: 'success-with-warnings',
};

/** Returns the display status of a pipeline; `hasWarnings`: a job that may fail has failed. */
export function detailedStatus(status: CiStatus, hasWarnings: boolean, page: string): DetailedStatusRecord {
  const words = status === 'success' && hasWarnings ? WARNED : WORDS[status];
  return {
    ...words,
    tooltip: words.label,
    has_details: true,
    details_path: new URL(page).pathname,
    illustration: null,
    favicon: null,
  };
}
