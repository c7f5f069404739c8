/** What the service answered when test/api/api-examples.spec.ts asked it, by the name of the record. */
export const RECORDED: Readonly<Record<string, string>> = {};
