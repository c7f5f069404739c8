import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Decimal, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { TestStatus } from './junit.js';

/** A test. */
export class TestCaseRecord {
  @OneOf(['success', 'failed', 'skipped', 'error'])
  status!: TestStatus;

  @Text()
  name!: string;

  @Text()
  classname!: string;

  @Text({ nullable: true })
  file!: string | null;

  @Decimal({ description: 'Seconds' })
  execution_time!: number;

  @Text({ nullable: true })
  system_output!: string | null;

  @Text({ nullable: true })
  stack_trace!: string | null;
}

/** Numbers of tests by result. */
export class TestCountsRecord {
  @Decimal({ description: 'Seconds' })
  total_time!: number;

  @Count()
  total_count!: number;

  @Count()
  success_count!: number;

  @Count()
  failed_count!: number;

  @Count()
  skipped_count!: number;

  @Count()
  error_count!: number;
}

/** Test counts of a job. */
export class TestSuiteSummaryRecord extends TestCountsRecord {
  @Text({ description: 'Name of the job' })
  name!: string;

  @List(Id())
  build_ids!: number[];

  @Text({ nullable: true, description: 'Why its report could not be read' })
  suite_error!: string | null;
}

/** The tests of a job. */
export class TestSuiteRecord extends TestSuiteSummaryRecord {
  @ListOf(() => TestCaseRecord)
  test_cases!: TestCaseRecord[];
}

/** The tests of a pipeline. */
export class TestReportRecord extends TestCountsRecord {
  @ListOf(() => TestSuiteRecord)
  test_suites!: TestSuiteRecord[];
}

/** Totals of all suites. */
export class TestTotalsRecord {
  @Decimal()
  time!: number;

  @Count()
  count!: number;

  @Count()
  success!: number;

  @Count()
  failed!: number;

  @Count()
  skipped!: number;

  @Count()
  error!: number;

  @Text({ nullable: true })
  suite_error!: string | null;
}

/** Test counts of a pipeline. */
export class TestReportSummaryRecord {
  @Nested(() => TestTotalsRecord)
  total!: TestTotalsRecord;

  @ListOf(() => TestSuiteSummaryRecord)
  test_suites!: TestSuiteSummaryRecord[];
}

/** Test counts of a job, as read from its reports. */
export interface TestSuite {
  readonly jobId: number;
  readonly name: string;
  readonly counts: TestCountsRecord;
  readonly error: string | null;
}

/** Sums up all suites. */
export function sumOf(suites: readonly TestSuite[]): TestCountsRecord {
  const of = (name: keyof TestCountsRecord): number =>
    suites.reduce((sum, { counts }) => sum + counts[name], 0);
  return {
    total_time: of('total_time'),
    total_count: of('total_count'),
    success_count: of('success_count'),
    failed_count: of('failed_count'),
    skipped_count: of('skipped_count'),
    error_count: of('error_count'),
  };
}

/** Presents the test counts of a job. */
export const presentSuite = ({ jobId, name, counts, error }: TestSuite): TestSuiteSummaryRecord =>
  Object.assign(new TestSuiteSummaryRecord(), counts, { name, build_ids: [jobId], suite_error: error });

/** Presents the test counts of a pipeline. */
export function presentTestSummary(suites: readonly TestSuite[]): TestReportSummaryRecord {
  const all = sumOf(suites);
  return {
    total: {
      time: all.total_time,
      count: all.total_count,
      success: all.success_count,
      failed: all.failed_count,
      skipped: all.skipped_count,
      error: all.error_count,
      suite_error: suites.find(({ error }) => error !== null)?.error ?? null,
    },
    test_suites: suites.map(presentSuite),
  };
}
