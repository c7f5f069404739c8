import type { CompileContext } from '../compile-context.js';
import { expandVariables, valuesOf, type VariableValues } from '../expand.js';
import { readGlob } from '../expressions/glob.js';
import { ConfigRefused, type Problems } from '../problems.js';
import type { ConditionCheck } from '../rules/condition-check.js';
import type { Budget } from '../yaml/budget.js';
import { deepMerge } from '../yaml/deep-merge.js';
import { readYaml } from '../yaml/read-yaml.js';
import { isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readIncludes } from './read-includes.js';

const MAX_FILES = 150;

/** Merges included files into a configuration, recursively. */
export class IncludeFiles {
  private files = 0;
  private readonly values: VariableValues;

  constructor(
    private readonly context: CompileContext,
    private readonly check: ConditionCheck,
    private readonly budget: Budget,
    private readonly problems: Problems,
  ) {
    this.values = valuesOf(context.variables);
  }

  /**
   * Own keys override those of included files, later files override earlier ones. `within`: the files being
   * included, outermost first.
   */
  async expand(map: YamlMap, within: readonly string[] = []): Promise<YamlMap> {
    let result: YamlMap = new Map<string, Yaml>();
    for (const include of readIncludes(map.get('include'), this.problems)) {
      if (include.rules && !(await this.isWanted(include.rules))) continue;
      for (const path of await this.find(expandVariables(include.path, this.values)))
        result = deepMerge(result, await this.load(path, within), this.budget);
    }
    const own = new Map(map);
    own.delete('include');
    return deepMerge(result, own, this.budget);
  }

  private async isWanted(
    rules: NonNullable<ReturnType<typeof readIncludes>[number]['rules']>,
  ): Promise<boolean> {
    const rule = await this.check.firstOf(rules, this.values);
    return rule !== null && rule.when !== 'never';
  }

  private async find(written: string): Promise<readonly string[]> {
    const path = written.replace(/^\/+/, '');
    if (!path.includes('*')) return [path];
    const glob = readGlob(path);
    const all = (await this.context.allFiles()) ?? [];
    const found = glob ? all.filter((file) => /\.ya?ml$/.test(file) && glob.matches(file)) : [];
    if (found.length === 0) this.problems.add(`Local file \`${written}\` does not have any matching file!`);
    return found;
  }

  private async load(path: string, within: readonly string[]): Promise<YamlMap> {
    const nothing: YamlMap = new Map<string, Yaml>();
    const refuse = (text: string): YamlMap => {
      this.problems.add(text);
      return nothing;
    };
    this.files += 1;
    if (this.files > MAX_FILES)
      throw new ConfigRefused(`Maximum of ${MAX_FILES} nested includes are allowed!`);
    if (within.includes(path))
      return refuse(`Included file \`${path}\` includes itself: ${[...within, path].join(' -> ')}`);
    if (!/\.ya?ml$/.test(path)) return refuse(`Included file \`${path}\` does not have YAML extension!`);
    const text = await this.context.readFile(path);
    if (text === null) return refuse(`Local file \`${path}\` does not exist!`);
    if (text.trim() === '') return refuse(`Local file \`${path}\` is empty!`);
    const content = this.read(path, text);
    if (content === null) return nothing;
    if (!isMap(content)) return refuse(`Included file \`${path}\` does not have valid YAML syntax!`);
    return this.expand(content, [...within, path]);
  }

  private read(path: string, text: string): Yaml {
    try {
      return readYaml(text, this.budget);
    } catch (error) {
      if (!(error instanceof ConfigRefused)) throw error;
      this.problems.add(`Included file \`${path}\`: ${error.message}`);
      return null;
    }
  }
}
