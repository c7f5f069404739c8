// The layers of README "How it is built": a folder imports from folders to its right only.
const forbid = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });

// The order of core: later folders may import earlier ones. `first-start` stands on its own.
const coreOrder = [
  'activity',
  'transfer',
  'instance',
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
  'issues',
  'merge-requests',
];
const coreRules = coreOrder
  .slice(0, -1)
  .map((folder, index) =>
    forbid(
      `core-order-${folder}`,
      `^src/core/${folder}/`,
      `^src/core/(${coreOrder.slice(index + 1).join('|')})/`,
    ),
  );

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
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    { name: 'no-barrels', severity: 'error', from: {}, to: { path: '^src/.*/index\\.ts$' } },
    ...coreRules,
    forbid('migrations-stand-alone', '^migrations/', '^src/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
