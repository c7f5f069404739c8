// The layers of docs/architecture.md: a folder imports from folders to its right only.
// What is imported as `#core/...` is found in dist/src, where the build has put it.
const sources = '^(dist/)?src/';
const forbid = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to.replace(/^\^src\//, sources) },
});

// The order of core: later folders may import earlier ones. `first-start` stands on its own.
const coreOrder = [
  'activity',
  'instance',
  'exchange',
  'audit',
  'users',
  'emails',
  'sessions',
  'two-factor',
  'sign-in',
  'tokens',
  'oauth-tokens',
  'members',
  'groups',
  'projects',
  'resource-tokens',
  'repositories',
  'wikis',
  'snippets',
  'iids',
  'ci',
  'environments',
  'packages',
  'subscriptions',
  'labels',
  'milestones',
  'notes',
  'issuables',
  'quick-actions',
  'issues',
  'merge-requests',
  'cross-references',
];
const coreRules = coreOrder.slice(0, -1).map((folder, index) =>
  forbid(
    `core-order-${folder}`,
    // Notes stand below snippets too, and exports of snippets hold their notes.
    `^src/core/${folder}/${folder === 'snippets' ? '(?!exchange/)' : ''}`,
    `^src/core/(${coreOrder.slice(index + 1).join('|')})/`,
  ),
);

// Libraries that cost a process memory, and modules that use them, which nothing imports but with `import()`.
const heavy = [
  '@aws-sdk/[^/]+',
  '@nestjs/bull',
  'bull',
  'cron-parser',
  'graphql',
  'ioredis',
  'jose',
  'luxon',
  'markdown-it',
  'nodemailer',
  'piscina',
  're2js',
  'tar-stream',
  'uqr',
  'yaml',
];
const loadedLate = [
  '^(dist/)?src/core/ci/config/(compile-config|examine-config|yaml/(read-yaml|node-reader))[.](ts|js)$',
  '^(dist/)?src/core/ci/lint/present-lint[.](ts|js)$',
  '[.]task[.](ts|js)$',
  '^(dist/)?src/kernel/mail/smtp-transport[.](ts|js)$',
  '^(dist/)?src/kernel/object-storage/s3-storage[.](ts|js)$',
  '^(dist/)?src/kernel/queue/drivers/(bull-driver|bull-consumer|redis-connection)[.](ts|js)$',
  '^(dist/)?src/kernel/rate-limit/redis-windows[.](ts|js)$',
  '^(dist/)?src/kernel/redis/open-redis[.](ts|js)$',
  '^(dist/)?src/kernel/start/redis(-claim)?[.](ts|js)$',
  '^(dist/)?src/kernel/tracing/(otlp-tracer|traced-redis)[.](ts|js)$',
];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    forbid('kernel-imports-only-kernel', '^src/kernel/', '^src/(core|features|guards|web|[^/]+\\.ts$)'),
    forbid('core-imports-core-and-kernel', '^src/core/', '^src/(features|guards|web|[^/]+\\.ts$)'),
    forbid('features-import-core-and-kernel', '^src/features/', '^src/(guards|web|[^/]+\\.ts$)'),
    forbid('guards-import-core-and-kernel', '^src/guards/', '^src/(features|web|[^/]+\\.ts$)'),
    forbid('web-imports-features-core-kernel', '^src/web/', '^src/(guards|[^/]+\\.ts$)'),
    {
      name: 'features-know-nothing-of-each-other',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: `${sources}features/`, pathNot: `${sources}features/$1/` },
    },
    { name: 'no-barrels', severity: 'error', from: {}, to: { path: '^src/.*/index\\.ts$' } },
    ...coreRules,
    forbid('migrations-stand-alone', '^migrations/', '^src/'),
    {
      // What reads, decides or shows never begins a transaction; one may be handed in (the type `Tx`).
      name: 'kinds-that-never-write',
      severity: 'error',
      from: {
        path: '^src/.*[.](queries|records?|presenter|sql|rules|policy|view|row)[.]ts$',
        // Asks the rules of groups, which read in the transaction of the change elsewhere.
        pathNot: ['^src/features/bulk-imports/api/creation/destination[.]rules[.]ts$'],
      },
      to: { path: `${sources}kernel/database/transactions[.]`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'controllers-know-no-database',
      severity: 'error',
      from: { path: '^src/.*[.](controllers?|controller-factory)[.]ts$' },
      to: { path: `${sources}kernel/database/(transactions|reads/read-database)[.]|^node_modules/typeorm/` },
    },
    {
      // Loaded with their first use (src/kernel/libraries), or by a module that is. Types of them cost nothing.
      name: 'heavy-libraries-wait-for-their-use',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['[.]spec[.]ts$', '^src/cli/', '^src/kernel/libraries/', ...loadedLate],
      },
      to: {
        path: `^node_modules/(${heavy.join('|')})/`,
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'loaded-late-means-late',
      severity: 'error',
      from: { path: '^src/', pathNot: ['[.]spec[.]ts$', '^src/core/ci/config/', ...loadedLate] },
      to: {
        path: loadedLate,
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
