import { CommandStarter } from '#kernel/processes/command-starter.js';

/** Short calls are many: this process does not stand still for each of them. */
export const gitStarter = new CommandStarter();
