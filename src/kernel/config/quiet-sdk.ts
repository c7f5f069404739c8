/**
 * Suppresses the AWS SDK's warning about Node 20, which we support; must be called before the SDK is loaded.
 */
export function quietSdk(): void {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
}
