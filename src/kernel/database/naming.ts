import { DefaultNamingStrategy } from 'typeorm';

const snakeCase = (text: string): string =>
  text
    .replace(/([A-Z])([A-Z])([a-z])/g, '$1_$2$3')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

/** camelCase in code, snake_case in the database. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snakeCase(prefixes.concat(custom ?? property).join('_'));
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }

  override tableName(target: string, custom: string | undefined): string {
    return custom ?? snakeCase(target);
  }
}
