import { CommandStarter } from '#kernel/processes/command-starter.js';

/** Starts the many short processes without blocking this one. */
export const gitStarter = new CommandStarter();
