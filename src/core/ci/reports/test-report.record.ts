import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Decimal, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { TestCase, TestStatus } from './junit.js';

/** One test. */
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

/** How many tests ended how. */
export class TestCountsRecord {
  @Decimal({ description: 'Seconds' })
  total_time!: number;

  @Integer()
  total_count!: number;

  @Integer()
  success_count!: number;

  @Integer()
  failed_count!: number;

  @Integer()
  skipped_count!: number;

  @Integer()
  error_count!: number;
}

/** The tests of one job. */
export class TestSuiteSummaryRecord extends TestCountsRecord {
  @Text({ description: 'Name of the job' })
  name!: string;

  @List(Integer())
  build_ids!: number[];

  @Text({ nullable: true, description: 'Why its report could not be read' })
  suite_error!: string | null;
}

/** The tests of one job, each of them. */
export class TestSuiteRecord extends TestSuiteSummaryRecord {
  @ListOf(() => TestCaseRecord)
  test_cases!: TestCaseRecord[];
}

/** The tests of a pipeline. */
export class TestReportRecord extends TestCountsRecord {
  @ListOf(() => TestSuiteRecord)
  test_suites!: TestSuiteRecord[];
}

/** Sums of all suites. */
export class TestTotalsRecord {
  @Decimal()
  time!: number;

  @Integer()
  count!: number;

  @Integer()
  success!: number;

  @Integer()
  failed!: number;

  @Integer()
  skipped!: number;

  @Integer()
  error!: number;

  @Text({ nullable: true })
  suite_error!: string | null;
}

/** The tests of a pipeline in numbers. */
export class TestReportSummaryRecord {
  @Nested(() => TestTotalsRecord)
  total!: TestTotalsRecord;

  @ListOf(() => TestSuiteSummaryRecord)
  test_suites!: TestSuiteSummaryRecord[];
}

/** A job with its tests. */
export interface TestSuite {
  readonly jobId: number;
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly error: string | null;
}

function counts(cases: readonly TestCase[]): TestCountsRecord {
  const of = (status: TestStatus): number => cases.filter((one) => one.status === status).length;
  return {
    total_time: cases.reduce((sum, { time }) => sum + time, 0),
    total_count: cases.length,
    success_count: of('success'),
    failed_count: of('failed'),
    skipped_count: of('skipped'),
    error_count: of('error'),
  };
}

const presentSuite = ({ jobId, name, cases, error }: TestSuite): TestSuiteSummaryRecord =>
  Object.assign(counts(cases), { name, build_ids: [jobId], suite_error: error });

const presentCase = ({ time, output, ...rest }: TestCase): TestCaseRecord => ({
  ...rest,
  execution_time: time,
  system_output: output,
  stack_trace: null,
});

/** All that is known of the tests. */
export const presentTestReport = (suites: readonly TestSuite[]): TestReportRecord =>
  Object.assign(counts(suites.flatMap(({ cases }) => cases)), {
    test_suites: suites.map((suite) =>
      Object.assign(presentSuite(suite), { test_cases: suite.cases.map(presentCase) }),
    ),
  });

/** The tests in numbers. */
export function presentTestSummary(suites: readonly TestSuite[]): TestReportSummaryRecord {
  const all = counts(suites.flatMap(({ cases }) => cases));
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
