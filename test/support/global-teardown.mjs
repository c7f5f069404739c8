/** After the last test file. */
export default async function teardown() {
  await globalThis.endSharedApis?.();
  await globalThis.testServers?.stop();
  globalThis.testServers = undefined;
}
