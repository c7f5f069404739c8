/** Stages in which the relations of an entity are imported: one stage ends before the next begins. */
export const STAGES = {
  group: {
    /** The group itself. */
    shell: 0,
    /** Attributes, avatar, members, labels, milestones. */
    basics: 1,
    /** Epics, wiki. */
    content: 2,
    /** Entities for the projects, then for the subgroups, which find the epics they refer to. */
    projects: 3,
    subgroups: 4,
  },
  project: {
    shell: 0,
    /** Repository, attributes, avatar, members. */
    basics: 1,
    /** Labels, milestones, protections, environments, to which others refer. */
    referred: 2,
    /** Issues, snippets, pipelines, freeze periods. */
    content: 3,
    /** Merge requests. */
    changes: 4,
    /** Deployments, wiki. */
    last: 5,
  },
} as const;
