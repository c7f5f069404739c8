import { Injectable } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import {
  ArchiveFilesService,
  expectedWindow,
  fractionOfPath,
  type ArchiveWindow,
} from '../artifacts/archive/archive-files.service.js';
import { isArtifactPath } from '../artifacts/archive/artifact-path.js';
import type { JobTrigger } from '../jobs/definition/job-definition.js';

/** Limit of bytes of a configuration from an artifact. */
const MAX_CONFIG = 1024 * 1024;

const ARCHIVE = `select a.id, a.object_key as "objectKey", a.entry_count as "entryCount", ${expectedWindow('a', '$3')}
  from ci_jobs j join ci_job_artifacts a on a.job_id = j.id and a.file_type = 'archive'
  where j.pipeline_id = $1 and j.name = $2 and not j.retried and j.status = 'success' and a.entry_count is not null`;

/** Configuration of a child pipeline, with its files that are not in the commit. */
export interface ChildConfig {
  readonly config: string;
  readonly extraFiles: ReadonlyMap<string, string>;
}

/** Finds the configurations of child pipelines. */
@Injectable()
export class ChildConfigsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly archives: ArchiveFilesService,
  ) {}

  /** Returns the configuration that a bridge names; null if an artifact is missing. */
  async of(pipelineId: number, { include, includeArtifacts }: JobTrigger): Promise<ChildConfig | null> {
    const extraFiles = new Map<string, string>();
    for (const [number, { job, artifact }] of includeArtifacts.entries()) {
      const text = await this.read(pipelineId, job, artifact);
      if (text === null) return null;
      // Paths of a commit cannot contain `.git`, so there is no clash.
      extraFiles.set(`/.git/artifact-${number}.yml`, text);
    }
    const files = [...include, ...extraFiles.keys()];
    // JSON is valid YAML.
    return { config: JSON.stringify({ include: files.map((local) => ({ local })) }), extraFiles };
  }

  private async read(pipelineId: number, job: string, path: string): Promise<string | null> {
    if (!isArtifactPath(path)) return null;
    const archive = await this.database.one<ArchiveWindow>(ARCHIVE, [pipelineId, job, fractionOfPath(path)]);
    const file = archive && (await this.archives.find(archive, path));
    if (!file || file.location.size > MAX_CONFIG) return null;
    return (await buffer(await this.archives.open(file))).toString('utf8');
  }
}
