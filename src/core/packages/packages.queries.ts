import { Injectable } from '@nestjs/common';
import { ListQuery, type KeysetOrder, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import {
  PIPELINE_BASIC_COLUMNS,
  type PipelineBasicRow,
} from '#core/ci/pipelines/records/pipeline-basic.record.js';
import { containing } from '#kernel/database/like.sql.js';
import { PACKAGE_FILE_COLUMNS, type PackageFileRow } from './package-file.record.js';
import { PACKAGE_COLUMNS, type PackageRow } from './package.record.js';
import type { ListPackagesParams } from './packages.params.js';

/** By owner and id. */
const within = (owner: string, property: string, id: string): { id: KeysetOrder } => ({
  id: {
    columns: [
      { sql: owner, property, type: 'bigint' },
      { sql: id, property: 'id', type: 'bigint' },
    ],
    directions: ['asc', 'desc'],
  },
});

const PACKAGES: ListShape = {
  kind: 'Package',
  select: PACKAGE_COLUMNS,
  from: 'packages p',
  key: 'p.id',
  keyset: within('p.project_id', 'project_id', 'p.id'),
};

const FILES: ListShape = {
  kind: 'PackageFile',
  select: PACKAGE_FILE_COLUMNS,
  from: 'package_files f',
  key: 'f.id',
  keyset: within('f.package_id', 'package_id', 'f.id'),
};

const PIPELINES: ListShape = {
  kind: 'Pipeline',
  select: `l.package_id, l.pipeline_id as id, ${PIPELINE_BASIC_COLUMNS}`,
  from: 'package_pipelines l join ci_pipelines p on p.id = l.pipeline_id',
  countFrom: 'package_pipelines l',
  key: 'l.pipeline_id',
  keyset: within('l.package_id', 'package_id', 'l.pipeline_id'),
};

const ONE = `select ${PACKAGE_COLUMNS} from packages p where p.id = $2 and p.project_id = $1`;

/** This and the next in an order that only the index of the name has, as in `formerStatusSql`. */
const OTHER_VERSIONS = `select ${PACKAGE_COLUMNS} from packages p
  where p.project_id = $1 and p.package_type = $2 and p.name >= $3 and p.name <= $3 and p.id <> $4 and p.status = 'default'
  order by p.name desc, p.id desc limit 100`;

const NEWEST_FILE = `select ${PACKAGE_FILE_COLUMNS}, f.object_key, f.created_at as modified_at
  from package_files f where f.package_id = (select p.id from packages p
    where p.project_id = $1 and p.package_type = 'generic' and p.name = $2 and p.version = $3)
    and f.file_name >= $4 and f.file_name <= $4 order by f.file_name desc, f.id desc limit 1`;

const COLUMNS = {
  created_at: 'p.created_at',
  name: 'p.name',
  version: 'p.version',
  type: 'p.package_type',
  id: 'p.id',
} as const;

/** A file with the location of its content. */
export interface StoredFileRow extends PackageFileRow {
  readonly object_key: string;
  readonly modified_at: Date;
}

/** Reads packages. */
@Injectable()
export class PackagesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the packages of a project. */
  list(projectId: number, params: ListPackagesParams): ListQuery<PackageRow> {
    const { order_by: order = 'created_at', sort = 'asc', status = 'default' } = params;
    const query = new ListQuery<PackageRow>(PACKAGES).fromReplica();
    query.of('p.project_id', projectId);
    query.where('p.status = ?', status);
    if (params.package_type !== undefined) query.where('p.package_type = ?', params.package_type);
    if (params.package_version !== undefined) query.where('p.version = ?', params.package_version);
    if (params.package_name !== undefined)
      query.where('p.name ilike ?', containing(params.package_name)).long();
    return query.orderBy(COLUMNS[order], sort);
  }

  /** Returns a package; null if the project has none with this id. */
  find(projectId: number, id: number): Promise<PackageRow | null> {
    return this.database.one<PackageRow>(ONE, [projectId, id]);
  }

  /** Lists the packages with the same name. */
  otherVersions(row: PackageRow): Promise<PackageRow[]> {
    return this.database.short<PackageRow>(OTHER_VERSIONS, [
      row.project_id,
      row.package_type,
      row.name,
      row.id,
    ]);
  }

  /** Lists the files of a package, oldest first. */
  files(packageId: number): ListQuery<PackageFileRow> {
    return new ListQuery<PackageFileRow>(FILES)
      .of('f.package_id', packageId)
      .orderBy('f.id', 'asc')
      .fromReplica();
  }

  /** Lists the pipelines that published a package, newest first. */
  pipelines(packageId: number): ListQuery<PipelineBasicRow> {
    return new ListQuery<PipelineBasicRow>(PIPELINES)
      .of('l.package_id', packageId)
      .orderBy('l.pipeline_id', 'desc');
  }

  /** Returns the most recently published file with a name, hidden or not. */
  newestFile(projectId: number, name: string, version: string, file: string): Promise<StoredFileRow | null> {
    return this.database.one<StoredFileRow>(NEWEST_FILE, [projectId, name, version, file]);
  }
}
