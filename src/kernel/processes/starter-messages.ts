import type { Command, CommandHead } from './command.js';

/**
 * Requests to the starter about a command, by its number: to start it, with all its input or open, or to kill
 * it; and about a child of its parent, by its process id: to kill its group if the parent is lost, or no longer to.
 */
export type StarterRequest =
  | { readonly id: number; readonly run: Command }
  | { readonly id: number; readonly open: CommandHead }
  | { readonly id: number; readonly kill: true }
  | { readonly watch: number }
  | { readonly forget: number };

/**
 * Reports of the starter: that it is ready, output of a command, and how it ended (null: by a signal) or
 * could not be started. `end`: the message carries this end of an open command, first its output.
 */
export type StarterReport =
  | { readonly ready: true }
  | { readonly id: number; readonly output: Buffer }
  | { readonly id: number; readonly errors: string }
  | { readonly id: number; readonly end: 'output' | 'input' }
  | { readonly id: number; readonly closed: number | null }
  | { readonly id: number; readonly failed: string };
