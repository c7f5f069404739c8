/** Creates the first commit of projects, whose code this module does not know. */
export abstract class InitialCommitPort {
  /** Creates the first commit of a new project, by its creator: a README with its name and description. */
  abstract commit(projectId: number, creatorId: number): Promise<void>;
}
