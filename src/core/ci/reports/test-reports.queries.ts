import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { beginLargeAnswer, LARGE_BYTES } from '#kernel/http/answers/large-answers.js';
import { JsonText } from '#kernel/http/json-text.js';
import { isUnexpiredSql } from '../artifacts/unexpired-artifact.sql.js';
import { KEPT_REPORT, KeptReportsService, type ReportArtifact } from './kept-reports.service.js';
import { FAILED, MAX_REPORT_BYTES, MAX_REPORT_CASES, unread, type ReadReport } from './read-junit.js';
import {
  presentSuite,
  presentTestSummary,
  sumOf,
  type TestReportSummaryRecord,
  type TestSuite,
} from './test-report.record.js';

/** As many jobs as one with `parallel` becomes. */
const MAX_SUITES = 200;

const TOO_MANY = `the reports of a pipeline are shown up to ${MAX_SUITES} jobs, ${MAX_REPORT_BYTES} bytes and ${MAX_REPORT_CASES} tests together`;

const REPORTS = `select j.id as "jobId", j.name, a.id, a.object_key as key, a.size, ${KEPT_REPORT} as kept from ci_jobs j
  join ci_job_artifacts a on a.job_id = j.id and a.file_type = 'junit' left join ci_test_reports r on r.artifact_id = a.id
  where j.pipeline_id = $1 and not j.retried and (j.artifacts_public or $2)
    and ${isUnexpiredSql('a')} order by j.id`;

interface Row extends ReportArtifact {
  readonly jobId: number;
  readonly name: string;
  readonly kept: Omit<ReadReport, 'cases'> | null;
}

/** A suite with the artifact that contains its tests; null if none of them can be shown. */
interface FoundSuite extends TestSuite {
  readonly artifactId: number | null;
  /** Size of its tests as JSON, at most. */
  readonly bytes: number;
  /** Set if the report has just been parsed. */
  readonly cases: Uint8Array | null;
}

const unpack = promisify<Uint8Array, Buffer>(gunzip);

/** Reads the test results of jobs; those of non-public artifacts only with `withPrivate`. */
@Injectable()
export class TestReportsQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly reports: KeptReportsService,
  ) {}

  /**
   * Returns the test counts of each job of a pipeline. @throws 429 and 503 if too much is being parsed at the
   * moment
   */
  async summary(pipelineId: number, withPrivate: boolean): Promise<TestReportSummaryRecord> {
    return presentTestSummary(await this.suites(pipelineId, withPrivate));
  }

  /**
   * Returns a `TestReportRecord` with all tests. @throws 429 and 503 if too much is being parsed at the
   * moment
   */
  async report(pipelineId: number, withPrivate: boolean): Promise<JsonText> {
    const suites = await this.suites(pipelineId, withPrivate);
    const shownBytes = suites.reduce((sum, { bytes }) => sum + bytes, 0);
    // The tests are stored packed, so that reading them does not tell how much of memory they take.
    if (shownBytes > LARGE_BYTES) await beginLargeAnswer();
    const wanted = suites.filter(({ artifactId, cases }) => artifactId !== null && !cases);
    const kept = await this.reports.cases(wanted.map(({ artifactId }) => artifactId as number));
    const shown: JsonText[] = [];
    for (const suite of suites) {
      const cases = suite.cases ?? kept.get(suite.artifactId ?? 0);
      const json = cases && suite.artifactId !== null ? await unpack(cases) : Buffer.from('[]');
      shown.push(hashOf(presentSuite(suite), { test_cases: new JsonText(json) }));
    }
    return hashOf(sumOf(suites), { test_suites: JsonText.list(shown) });
  }

  private async suites(pipelineId: number, withPrivate: boolean): Promise<FoundSuite[]> {
    const suites: FoundSuite[] = [];
    let bytes = 0;
    let count = 0;
    let isFull = false;
    for (const row of await this.database.long<Row>(REPORTS, [pipelineId, withPrivate])) {
      const { id, jobId, name } = row;
      isFull ||= suites.length >= MAX_SUITES;
      const read = isFull ? null : (row.kept ?? (await this.reports.read(row)));
      bytes += read?.bytes ?? 0;
      count += read?.counts.total_count ?? 0;
      // Omit all suites from the first one that does not fit, so that the selection is deterministic.
      isFull ||= bytes > MAX_REPORT_BYTES || count > MAX_REPORT_CASES;
      if (!read || isFull)
        suites.push({
          jobId,
          name,
          counts: NONE,
          error: FAILED + TOO_MANY,
          artifactId: null,
          bytes: 0,
          cases: null,
        });
      else {
        const cases = 'cases' in read ? (read as ReadReport).cases : null;
        const { counts, error, bytes: size } = read;
        suites.push({ jobId, name, counts, error, artifactId: id, bytes: size, cases });
      }
    }
    return suites;
  }
}

const hashOf = (counts: object, more: Readonly<Record<string, JsonText>>): JsonText =>
  JsonText.hash(Object.assign({}, counts, more));

const NONE = unread('').counts;
