import type { CompileContext } from './compile-context.js';
import { loadConfiguration, readConfiguration, type Configuration } from './jobs/configuration.js';
import { ConfigRefused, Problems } from './problems.js';
import { ConditionCheck } from './rules/condition-check.js';
import type { YamlMap } from './yaml/yaml-value.js';

/** A parsed configuration. */
export interface Examined {
  readonly check: ConditionCheck;
  readonly problems: Problems;
  /** The configuration with all includes; null if it could not be read. */
  readonly merged: YamlMap | null;
  /** Null if there are errors. */
  readonly configuration: Configuration | null;
  readonly warnings: readonly string[];
}

/** Reads a configuration and collects its errors, without deciding on a pipeline. */
export async function examineConfig(text: string, context: CompileContext): Promise<Examined> {
  const problems = new Problems();
  const check = new ConditionCheck(context, problems);
  let merged: YamlMap | null = null;
  const configuration = await collecting(problems, async () => {
    merged = await loadConfiguration(text, context, check, problems);
    return problems.any ? null : readConfiguration(merged, problems);
  });
  return {
    check,
    problems,
    merged,
    configuration: problems.any ? null : configuration,
    warnings: configuration ? warningsOf(configuration) : [],
  };
}

/** Returns the result of `work`; records a refusal of the configuration as an error and returns null. */
export async function collecting<T>(problems: Problems, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    problems.add(error.message);
    return null;
  }
}

const warningsOf = ({ workflow, jobs }: Configuration): readonly string[] =>
  workflow.rules
    ? []
    : jobs
        .filter(({ rules }) => {
          const last = rules?.at(-1);
          return last !== undefined && last.if === null && last.when !== null && last.when !== 'never';
        })
        .map(
          ({ name }) =>
            `jobs:${name} may allow multiple pipelines to run for a single action due to \`rules:when\` clause with no \`workflow:rules\``,
        );
