import { describe, expect, it } from '@jest/globals';
import { configNames } from './load-config.js';
import { nearName, nearNames } from './near-names.js';

describe('nearName', () => {
  it.each([
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_URI_FILE', 'DATABASE_URL_FILE'],
    ['POSTGRES_URL', 'DATABASE_URL'],
    ['REDISURL', 'REDIS_URL'],
    ['redis_url', 'REDIS_URL'],
    ['RedisUrl', 'REDIS_URL'],
    ['URL_REDIS', 'REDIS_URL'],
    ['S3_BUCKETS', 'OBJECT_STORE_URL'],
    ['OBJECTS_STORE_URL', 'OBJECT_STORE_URL'],
    ['OBJECT_STORAGE_URL', 'OBJECT_STORE_URL'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['SECRETS_KYE', 'SECRETS_KEY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PORTS', 'PORT'],
    ['FORGEPLANE_DATA_DIR', 'DATA_DIR'],
    ['DATADIR', 'DATA_DIR'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['INITIAL_PASSWORD_ROOT', 'INITIAL_ROOT_PASSWORD'],
    ['START_TIMEOUT_SECOND', 'START_TIMEOUT_SECONDS'],
  ])('suggests %s for %s', (given, meant) => {
    expect(nearName(given)).toBe(meant);
  });

  it.each(
    `PATH HOME TERM HOSTNAME POST SORT COST PWD SHELL USER LANG LC_ALL TMPDIR EDITOR MAIL LOGNAME SHLVL TZ PS1 OLDPWD DISPLAY
    XDG_DATA_DIRS XDG_RUNTIME_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION
    UV_THREADPOOL_SIZE MALLOC_ARENA_MAX NPM_CONFIG_CACHE npm_config_user_agent npm_package_name npm_lifecycle_event INIT_CWD
    AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ENDPOINT_URL S3_PORT S3_SERVICE_HOST
    PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA POSTGRES_PASSWORD POSTGRES_DB POSTGRES_PORT REDIS_PORT REDIS_HOST REDIS_PASSWORD
    REDIS_PORT_6379_TCP REDIS_SERVICE_HOST DATABASE_PORT KUBERNETES_PORT KUBERNETES_SERVICE_HOST HTTP_PORT HTTP_URL SSH_AUTH_SOCK GIT_DIR
    CI GITLAB_CI CI_PROJECT_URL CI_COMMIT_SHA GITHUB_TOKEN GITHUB_ACTIONS RUNNER_TEMP TEST_DATABASE_URL TEST_REDIS_URL INVOCATION_ID
    JOURNAL_STREAM NOTIFY_SOCKET DEBIAN_FRONTEND JEST_WORKER_ID DEBUG LINES COLUMNS COLORTERM _`.split(/\s+/),
  )('ignores %s', (given) => {
    expect(nearName(given)).toBeUndefined();
  });

  it('is applied to set variables except our own', () => {
    const ours = Object.fromEntries(
      configNames.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, 'x']),
    );
    expect(nearNames({ ...ours, PATH: '/bin', REDISURL: 'x', PORTS: '' })).toEqual([
      ['REDISURL', 'REDIS_URL'],
    ]);
  });
});
