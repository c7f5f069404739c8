import type { MessagePort } from 'node:worker_threads';

/** What a task may ask of whoever gave it the work, while that goes on with other things: by name, with and for what can be copied. */
export type Helpers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** What a thread is given. */
export interface TaskCall<Input> {
  readonly input: Input;
  /** Where it asks for help; null where nobody offers any. */
  readonly port: MessagePort | null;
}

/** The default export of a file `<name>.task.ts`: work on what somebody has sent, done in a thread. `Help` is what it asks for. */
export interface Task<Input, Result, Help> {
  (call: TaskCall<Input>): Promise<Result>;
  /** For the compiler alone. */
  readonly help?: Help;
}

/** Any task, and what it is given, gives and asks for. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- parameters of any type
export type AnyTask = Task<any, any, any>;
export type InputOf<T extends AnyTask> = Parameters<T>[0]['input'];
export type ResultOf<T extends AnyTask> = Awaited<ReturnType<T>>;
export type HelpOf<T extends AnyTask> = NonNullable<T['help']>;

/** A question of a task; the answer has the same number. */
export interface Question {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The answer to a question. A failed one ends the task instead. */
export interface Answer {
  readonly id: number;
  readonly value: unknown;
}

/**
 * Makes a task. Its file is an entry of the bundle of its own (scripts/bundle.mjs): what it imports should be little, and nothing of Nest or
 * TypeORM, or a thread takes long to start.
 */
export function task<Input, Result, Help extends Helpers = Helpers>(
  work: (input: Input, help: Help) => Promise<Result> | Result,
): Task<Input, Result, Help> {
  return async ({ input, port }) => {
    try {
      return await work(input, helpBy(port) as Help);
    } finally {
      port?.close();
    }
  };
}

function helpBy(port: MessagePort | null): object {
  const waiting = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  port?.on('message', ({ id, value }: Answer) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  const ask = (name: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      port?.postMessage({ id: lastId, name, args } satisfies Question);
    });
  return new Proxy(
    {},
    {
      get:
        (_none, name) =>
        (...args: unknown[]) =>
          ask(String(name), args),
    },
  );
}
