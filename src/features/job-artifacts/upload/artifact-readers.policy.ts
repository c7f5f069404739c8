import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound, unauthorized } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { ArchivesQueries, type Archive } from '#core/ci/artifacts/archives.queries.js';
import { sentJobToken } from '#core/ci/tokens/job-credential.finder.js';
import { jobReachSql } from '#core/ci/tokens/job-reach.sql.js';
import { publicJobsSql } from '#core/projects/settings/public-jobs.sql.js';
import { partLevelSql } from '#core/projects/settings/part-level.sql.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { seesInternalSql } from '#core/users/person.sql.js';

/**
 * The job of the token, and its access to the other job; the latter's columns are null if it does not exist.
 */
interface Reader {
  readonly projectId: number | null;
  readonly isReached: boolean | null;
  readonly isAdmin: boolean;
  readonly role: Role;
  readonly isPublic: boolean | null;
}

const READER = `select t.id as "projectId", ${jobReachSql('s', 't')} as "isReached", ${isAdminSql('u')} as "isAdmin",
    ${projectRoleSql('u.id', 't', 'n')} as role,
    (t.visibility = 'public' or (t.visibility = 'internal' and ${seesInternalSql('u')}))
      and ${publicJobsSql('t')}
      and ${partLevelSql('t', 'builds')} = 'enabled' as "isPublic"
  from ci_jobs j join projects s on s.id = j.project_id and not s.pending_delete join users u on u.id = j.user_id and ${isActiveSql('u')}
    left join ci_jobs other on other.id = $2 and other.kind = 'build'
    left join projects t on t.id = other.project_id and not t.pending_delete
    left join namespaces n on n.id = t.namespace_id
  where j.token_digest = $1 and j.status = 'running' and j.erased_at is null`;

/**
 * Decides who may download the archive of a job with the token of another: running jobs whose user may read
 * it (`ci.md` 6).
 */
@Injectable()
export class ArtifactReadersPolicy {
  constructor(
    private readonly database: ReadDatabase,
    private readonly archives: ArchivesQueries,
  ) {}

  /**
   * Returns the archive. @throws 401 without the token of a running job @throws 403 if it may not read the
   * job @throws 404 without an archive
   */
  async archiveFor(request: ApiRequest, jobId: number): Promise<Archive> {
    const token = sentJobToken(request);
    const reader =
      token === null ? null : await this.database.one<Reader>(READER, [digestToken(token), jobId]);
    if (!reader) throw unauthorized();
    const { projectId, isReached, isAdmin, role, isPublic } = reader;
    if (projectId === null || isReached !== true) throw forbidden();
    const isMember = isAdmin || role >= Role.Reporter;
    const found = isMember || isPublic ? await this.archives.ofJob(projectId, jobId, null) : null;
    if (!found || (!found.artifactsPublic && !isAdmin && role < Role.Developer)) throw forbidden();
    if (!found.archive) throw notFound('Artifact');
    return found.archive;
  }
}
