import { StartProblem } from '#kernel/config/start-problem.js';
import { openingReach, type PgWire } from '#kernel/libraries/pg-inside.js';

/** What the server answers to a statement before it is complete. */
const BEFORE_COMPLETE = new Set(['parseComplete', 'bindComplete', 'rowDescription', 'dataRow']);

/** Takes the notes of pg about prepared statements, and has none: pg then sends each statement with its text. */
const forgetful = (): Record<string, string> =>
  new Proxy<Record<string, string>>(Object.create(null) as Record<string, string>, { set: () => true });

/** A connection of pg whose sessions change from one transaction to the next. */
class SettledWire {
  /** Whether the session is in no transaction. */
  private isIdle = true;
  private isGroupOpen = false;
  /** The groups of messages that are under way, each up to its Sync: whether the answers to the opening are still to come. */
  private readonly groups: boolean[] = [];

  constructor(wire: PgWire, opening: string) {
    const parse = wire.parse.bind(wire);
    const bind = wire.bind.bind(wire);
    const [execute, sync] = [wire.execute.bind(wire), wire.sync.bind(wire)];
    const [query, emit] = [wire.query.bind(wire), wire.emit.bind(wire)];
    const open = (): void => {
      if (!this.begins()) return;
      parse({ name: '', text: opening, types: [] });
      bind({ portal: '', statement: '', values: [], valueMapper: (value) => value });
      execute({ portal: '' });
    };
    Object.assign(wire, {
      parsedStatements: forgetful(),
      submittedNamedStatements: forgetful(),
      parse: (message) => {
        open();
        parse({ ...message, name: '' });
      },
      bind: (message) => bind({ ...message, statement: '' }),
      sync: () => {
        this.isGroupOpen = false;
        sync();
      },
      // Several statements in one text are one transaction too.
      query: (text) => {
        query(this.begins() ? `${opening};${text}` : text);
        this.isGroupOpen = false;
      },
      // No statement has a name that could be given up.
      close: () => undefined,
      emit: (event, ...rest) => this.isOwn(event, rest[0]) || emit(event, ...rest),
    } satisfies Partial<PgWire>);
  }

  /** Notes the begin of a group, and whether it begins a transaction. */
  private begins(): boolean {
    if (this.isGroupOpen) return false;
    this.isGroupOpen = true;
    this.groups.push(this.isIdle);
    return this.isIdle;
  }

  /** Whether a message answers the opening. */
  private isOwn(event: string, message: unknown): boolean {
    if (event === 'readyForQuery') {
      this.groups.shift();
      this.isIdle = (message as { readonly status: string }).status === 'I';
      return false;
    }
    if (this.groups[0] !== true) return false;
    if (event !== 'commandComplete') return BEFORE_COMPLETE.has(event);
    this.groups[0] = false;
    return true;
  }
}

/**
 * Has every transaction of a connection begin with a statement, in the same write and without anybody seeing its answer; and no statement is
 * prepared under a name, for the next transaction may meet a session that does not know it.
 */
export function beginWith(wire: PgWire, opening: string): void {
  if (!openingReach.available) throw new StartProblem(openingReach.reach.broken);
  new SettledWire(wire, opening);
}
