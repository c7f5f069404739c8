import type { MessagePort } from 'node:worker_threads';

/** Limit of a result that may be far longer than the input: it goes through the memory of this process, and to a client. */
export const MAX_RESULT_BYTES = 16 * 1024 * 1024;

/**
 * Functions that a task may call in the thread that started it: by name, with arguments and results that can
 * be copied.
 */
export type Helpers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Input of a thread. */
export interface TaskCall<Input> {
  readonly input: Input;
  /** Port for calling helpers; null if none are provided. */
  readonly port: MessagePort | null;
}

/**
 * The default export of a file `<name>.task.ts`: work on user input, done in a thread. `Help` are the helpers
 * that it calls.
 */
export interface Task<Input, Result, Help> {
  (call: TaskCall<Input>): Promise<Result>;
  /** For the compiler alone. */
  readonly help?: Help;
}

/** A task with any input, result and helpers. */
// oxlint-disable-next-line typescript/no-explicit-any -- parameters of any type
export type AnyTask = Task<any, any, any>;
export type InputOf<T extends AnyTask> = Parameters<T>[0]['input'];
export type ResultOf<T extends AnyTask> = Awaited<ReturnType<T>>;
export type HelpOf<T extends AnyTask> = NonNullable<T['help']>;

/** A call of a helper; the response has the same number. */
export interface Question {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The response to a call. A failed one ends the task instead. */
export interface Answer {
  readonly id: number;
  readonly value: unknown;
}

/**
 * Defines a task. Its file is an entry of its own in the bundle (scripts/bundle.mjs). It should import
 * little, and nothing of Nest or TypeORM, or a thread takes long to start.
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
