import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';

/** A definition that uses every part of the payload for runners. */
export const FULL_JOB: Partial<JobDefinition> = {
  beforeScript: ['echo before'],
  script: ['echo one', 'echo two'],
  afterScript: ['echo after'],
  preGetSourcesScript: ['echo hook'],
  image: { name: 'ruby:3', entrypoint: ['/bin/sh'], pullPolicy: ['always'] },
  services: [
    {
      name: 'postgres',
      alias: 'db',
      entrypoint: null,
      command: ['run'],
      pullPolicy: null,
      variables: { A: 'b' },
    },
  ],
  variables: [{ key: 'MINE', value: '1', public: true, masked: false }],
  artifacts: {
    name: 'out',
    untracked: true,
    paths: ['out/'],
    exclude: ['out/tmp'],
    when: 'always',
    expireIn: '1 week',
    exposeAs: null,
    public: true,
    reports: { junit: ['r.xml'], cobertura: ['c.xml'], codequality: ['q.json'] },
  },
  cache: [
    {
      key: 'k',
      untracked: false,
      paths: ['vendor'],
      policy: 'pull-push',
      when: 'on_success',
      fallbackKeys: ['f'],
    },
  ],
};
