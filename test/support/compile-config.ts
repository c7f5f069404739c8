import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';
import { compileConfig } from '#core/ci/config/compile-config.js';
import type {
  CompileContext,
  Compiled,
  CompiledJob,
  CompiledPipeline,
} from '#core/ci/config/compile-context.js';

/** Parameters for compiling a configuration. */
export interface CompileOptions extends Partial<Omit<CompileContext, 'variables' | 'readFile'>> {
  readonly files?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly changed?: readonly string[] | null;
}

/** A variable of a configuration. */
export const variable = (key: string, value: string): CiVariable => ({
  key,
  value,
  public: true,
  masked: false,
});

/** Compiles a text as a push to main would. */
export function compile(
  text: string,
  { files = {}, variables = {}, changed = null, ...options }: CompileOptions = {},
): Promise<Compiled> {
  return compileConfig(text, {
    readFile: (path) => Promise.resolve(files[path] ?? null),
    changedFiles: (to) => Promise.resolve(to === 'gone' ? null : changed),
    allFiles: () => Promise.resolve(Object.keys(files)),
    source: 'push',
    ref: 'main',
    tag: false,
    variables: Object.entries(variables).map(([key, value]) => variable(key, value)),
    ...options,
  });
}

/** The pipeline of a valid configuration. */
export async function pipelineOf(text: string, options?: CompileOptions): Promise<CompiledPipeline> {
  const compiled = await compile(text, options);
  if (compiled.kind !== 'pipeline') throw new Error(JSON.stringify(compiled));
  return compiled.pipeline;
}
/** The job `job` with these keywords. */
export const jobOf = async (body: string, options?: CompileOptions): Promise<CompiledJob> => {
  const { jobs } = await pipelineOf(`job:\n  script: a\n${indent(body)}`, options);
  return jobs.find(({ name }) => name === 'job') ?? Promise.reject(new Error('no job'));
};
/** Names of the jobs of a configuration. */
export const namesOf = async (text: string, options?: CompileOptions): Promise<string[]> => {
  const compiled = await compile(text, options);
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled));
  return compiled.kind === 'none' ? [] : compiled.pipeline.jobs.map(({ name }) => name);
};
/** Errors of a configuration. */
export async function errorsOf(text: string, options?: CompileOptions): Promise<readonly string[]> {
  const compiled = await compile(text, options);
  return compiled.kind === 'invalid' ? compiled.errors : [`(${compiled.kind})`];
}
/** The text two columns to the right. */
export const indent = (text: string): string => text.replace(/^/gm, '  ');
