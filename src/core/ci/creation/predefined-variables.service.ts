import { Injectable } from '@nestjs/common';
import { Links } from '#kernel/http/links.js';
import { PRODUCT_REVISION, PRODUCT_VERSION } from '#core/instance/version.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { PipelineCommit } from '../pipelines/pipeline-commit.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';
import type { CiProject } from './ci-projects.queries.js';
import { MAX_TEXT, publicVariables } from './public-variables.js';
import { slugOf } from './slug.js';

/** A pipeline, or its facts before it is created. */
export type PipelineFacts = Pick<Pipeline, 'ref' | 'tag' | 'sha' | 'beforeSha' | 'source' | 'protected'> &
  Partial<Pick<Pipeline, 'id' | 'iid' | 'name' | 'createdAt'>> & { readonly commit: PipelineCommit | null };

/** Computes the predefined variables: of the service, project, commit and pipeline. */
@Injectable()
export class PredefinedVariablesService {
  private readonly ofServer: readonly CiVariable[];

  constructor(private readonly links: Links) {
    this.ofServer = publicVariables(serverValues(links.base, links.api('')));
  }

  /**
   * Returns all predefined variables, except those known only once the row exists. `sourceBranch`: that of
   * the merge request, or null.
   */
  of(project: CiProject, pipeline: PipelineFacts, sourceBranch: string | null): CiVariable[] {
    return [
      ...this.ofServer,
      ...publicVariables(this.projectValues(project)),
      ...publicVariables(commitValues(pipeline, sourceBranch)),
      ...publicVariables({
        CI_PIPELINE_ID: pipeline.id,
        CI_PIPELINE_IID: pipeline.iid,
        CI_PIPELINE_SOURCE: pipeline.source,
        CI_PIPELINE_NAME: pipeline.name,
        CI_PIPELINE_CREATED_AT: pipeline.createdAt?.toISOString(),
        CI_PIPELINE_URL:
          pipeline.id === undefined
            ? null
            : `${this.links.project(project.fullPath)}/-/pipelines/${pipeline.id}`,
      }),
      ...publicVariables(userValues(project.user)),
    ];
  }

  private projectValues(project: CiProject): Readonly<Record<string, string | number | null>> {
    return {
      CI_PROJECT_ID: project.id,
      CI_PROJECT_NAME: project.path,
      CI_PROJECT_TITLE: project.name,
      CI_PROJECT_DESCRIPTION: (project.description ?? '').slice(0, MAX_TEXT),
      CI_PROJECT_PATH: project.fullPath,
      CI_PROJECT_PATH_SLUG: slugOf(project.fullPath),
      CI_PROJECT_NAMESPACE: project.namespacePath,
      CI_PROJECT_NAMESPACE_ID: project.namespaceId,
      CI_PROJECT_ROOT_NAMESPACE: project.rootPath,
      CI_PROJECT_URL: this.links.project(project.fullPath),
      CI_PROJECT_VISIBILITY: project.visibility,
      CI_DEFAULT_BRANCH: project.defaultBranch,
      CI_CONFIG_PATH: project.settings.ci_config_path ?? '.gitlab-ci.yml',
    };
  }
}

function serverValues(base: string, api: string): Readonly<Record<string, string>> {
  const { protocol, hostname, host, port } = new URL(base);
  const scheme = protocol.replace(':', '');
  const [major = '', minor = '', patch = ''] = PRODUCT_VERSION.split('.');
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER: 'yes',
    CI_SERVER_URL: base,
    CI_SERVER_HOST: hostname,
    CI_SERVER_FQDN: host,
    CI_SERVER_PORT: port || (scheme === 'https' ? '443' : '80'),
    CI_SERVER_PROTOCOL: scheme,
    CI_SERVER_NAME: 'Forgeplane',
    CI_SERVER_VERSION: PRODUCT_VERSION,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: PRODUCT_REVISION,
    CI_API_V4_URL: api,
  };
}

function commitValues(
  pipeline: PipelineFacts,
  sourceBranch: string | null,
): Readonly<Record<string, string | null>> {
  const { commit, sha, tag, source } = pipeline;
  const ref = sourceBranch ?? pipeline.ref;
  const isBranch = !tag && sourceBranch === null && source !== 'merge_request_event';
  const message = commit?.message ?? '';
  return {
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: pipeline.beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    CI_COMMIT_BRANCH: isBranch ? ref : null,
    CI_COMMIT_TAG: tag ? ref : null,
    CI_COMMIT_REF_PROTECTED: String(pipeline.protected),
    CI_COMMIT_MESSAGE: message.slice(0, MAX_TEXT),
    CI_COMMIT_TITLE: (commit?.title ?? '').slice(0, MAX_TEXT),
    CI_COMMIT_DESCRIPTION: message.split('\n').slice(1).join('\n').trim().slice(0, MAX_TEXT),
    CI_COMMIT_AUTHOR: commit ? `${commit.author_name} <${commit.author_email}>` : null,
    CI_COMMIT_TIMESTAMP: commit?.committed_date ?? null,
  };
}

const userValues = (user: CiProject['user']): Readonly<Record<string, string | number | null>> => ({
  GITLAB_USER_ID: user?.id ?? null,
  GITLAB_USER_LOGIN: user?.username ?? null,
  GITLAB_USER_NAME: user?.name ?? null,
  GITLAB_USER_EMAIL: user?.email ?? null,
});
