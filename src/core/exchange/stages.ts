/** Order in which the relations of an entity are brought over: all of a stage have ended before one of the next begins. */
export const STAGES = {
  group: {
    /** The group itself. */
    shell: 0,
    /** Attributes, picture, members, labels, milestones. */
    basics: 1,
    /** Epics, wiki. */
    content: 2,
    /** Entities for the projects, and then for the subgroups: what belongs to epics finds them there. */
    projects: 3,
    subgroups: 4,
  },
  project: {
    shell: 0,
    /** Repository, attributes, picture, members. */
    basics: 1,
    /** Labels, milestones, protections, environments: what others refer to. */
    referred: 2,
    /** Issues, snippets, pipelines, freeze periods. */
    content: 3,
    /** Merge requests. */
    changes: 4,
    /** Deployments, wiki. */
    last: 5,
  },
} as const;
