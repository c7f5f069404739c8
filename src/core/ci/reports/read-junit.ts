import { gunzipSync, gzipSync } from 'node:zlib';
import { parseJunit, type TestCase, type TestStatus } from './junit.js';
import { reportText } from './report-text.js';
import type { TestCaseRecord, TestCountsRecord } from './test-report.record.js';

/** Limits of a report's uncompressed bytes, and of the tests read from it. */
export const MAX_REPORT_BYTES = 10 * 1024 * 1024;
export const MAX_REPORT_CASES = 10_000;

/** A parsed report. */
export interface ReadReport {
  readonly counts: TestCountsRecord;
  /** Size of the uncompressed report, or of its tests as JSON: characters without a short form in JSON take six bytes each. */
  readonly bytes: number;
  /** Why the report cannot be parsed. */
  readonly error: string | null;
  /** A list of `TestCaseRecord` as gzipped JSON. */
  readonly cases: Uint8Array;
}

/** Prefix of errors of unreadable reports. */
export const FAILED = 'JUnit data parsing failed: ';

/** Returns a report that could not be read, with the error. */
export const unread = (error: string): ReadReport => ({
  counts: countsOf([]),
  bytes: 0,
  error: FAILED + error,
  cases: gzipSync('[]'),
});

/** Parses a gzipped JUnit report. */
export function readJunit(packed: Uint8Array): ReadReport {
  let text: Buffer;
  try {
    text = gunzipSync(packed, { maxOutputLength: MAX_REPORT_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return unread(isLarge ? TOO_LARGE : 'the report is damaged');
  }
  // One more than are shown: without the others the result would look complete, and hide their failures.
  const cases = parseJunit(reportText(text), MAX_REPORT_CASES + 1);
  if (cases.length > MAX_REPORT_CASES) return unread(TOO_MANY);
  const json = Buffer.from(JSON.stringify(cases.map(presentCase)));
  return {
    counts: countsOf(cases),
    bytes: Math.max(text.length, json.length),
    error: null,
    cases: gzipSync(json),
  };
}

/** Error of reports above the size limit. */
export const TOO_LARGE = `the report is too large (more than ${MAX_REPORT_BYTES} bytes)`;

const TOO_MANY = `the report has more than ${MAX_REPORT_CASES} tests`;

/** Error of reports whose file the object store no longer has. */
export const LOST = 'the report is lost';

/** Limits may cut characters in halves, and reports name halves by number: strict clients refuse a text with one. */
const presentCase = ({ status, name, classname, file, time, output }: TestCase): TestCaseRecord => ({
  status,
  name: name.toWellFormed(),
  classname: classname.toWellFormed(),
  file: file?.toWellFormed() ?? null,
  execution_time: time,
  system_output: output?.toWellFormed() ?? null,
  stack_trace: null,
});

function countsOf(cases: readonly TestCase[]): TestCountsRecord {
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
