/** Keeps the SDK of S3 from filling several lines of our output on Node 20, which we support; to be called before it is loaded. */
export function quietSdk(): void {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
}
