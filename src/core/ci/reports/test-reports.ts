import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { parseJunit } from './junit.js';
import type { TestSuite } from './test-report.record.js';

/** Whoever may see a pipeline may ask for its report, and each request reads it: so much of all suites together. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_CASES = 10_000;
const MAX_SUITES = 100;

/** What has expired is gone, even before it is removed. */
const REPORTS = `select j.id, j.name, a.object_key as key from ci_jobs j
  join ci_job_artifacts a on a.job_id = j.id and a.file_type = 'junit'
  where j.pipeline_id = $1 and not j.retried and (j.artifacts_public or $2)
    and (a.expire_at is null or a.expire_at > now() or a.kept or a.locked) order by j.id limit ${MAX_SUITES}`;

interface Report {
  readonly id: number;
  readonly name: string;
  readonly key: string;
}

/** Reads what jobs have said of their tests. */
@Injectable()
export class TestReports {
  constructor(
    private readonly database: ReadDatabase,
    private readonly storage: ObjectStorage,
  ) {}

  /** The tests of each job of a pipeline that has a report; of jobs with artifacts that are not public only with `withPrivate`. */
  async read(pipelineId: number, withPrivate: boolean): Promise<TestSuite[]> {
    const reports = await this.database.short<Report>(REPORTS, [pipelineId, withPrivate]);
    const suites: TestSuite[] = [];
    let bytes = MAX_BYTES;
    let cases = MAX_CASES;
    for (const report of reports) {
      const text = await this.text(report.key, bytes);
      bytes -= text?.length ?? 0;
      const found = parseJunit(text?.toString('utf8') ?? '', cases);
      cases -= found.length;
      const error = text ? null : 'JUnit data parsing failed: the report is damaged or too large';
      suites.push({ jobId: report.id, name: report.name, cases: found, error });
    }
    return suites;
  }

  /** The report, or null when it cannot be unpacked or is larger than what is left to read. */
  private async text(key: string, maxBytes: number): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    let size = 0;
    const packed = await this.storage.get(key);
    const unpacked = packed.pipe(createGunzip());
    packed.once('error', (error) => unpacked.destroy(error));
    try {
      for await (const chunk of unpacked as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) return null;
        chunks.push(chunk);
      }
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('Z_')) throw error;
      return null;
    } finally {
      packed.destroy();
      unpacked.destroy();
    }
    return Buffer.concat(chunks);
  }
}
