import { Controller, Delete, RequestMethod } from '@nestjs/common';

@Controller('path of a controller')
class Sample {
  @Delete('path of a route')
  handler(): void {
    // Never called: it shows where Nest's decorators store their arguments.
  }
}

/**
 * Returns the key under which Nest's decorators store a value. @throws Error if they store it elsewhere than
 * in the metadata of the target
 */
function keyOf(target: object, value: unknown): unknown {
  const key = (Reflect.getMetadataKeys(target) as unknown[]).find(
    (one) => Reflect.getMetadata(one, target) === value,
  );
  if (key === undefined)
    throw new Error(
      'The decorators of @nestjs/common no longer keep paths and methods in metadata: no route can be listed',
    );
  return key;
}

// oxlint-disable-next-line typescript/unbound-method -- its metadata are read, it is not called
const { handler } = Sample.prototype;
const CONTROLLER_PATH = keyOf(Sample, 'path of a controller');
const PATH = keyOf(handler, 'path of a route');
const METHOD = keyOf(handler, RequestMethod.DELETE);

const asList = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : [typeof value === 'string' ? value : ''];

/** Returns the paths passed to `@Controller`. */
export const pathsOfController = (controller: object): string[] =>
  asList(Reflect.getMetadata(CONTROLLER_PATH, controller));

/** Returns the method and paths passed to `@Get` and the like; null if it is not a handler. */
export function declaredRoute(handler: object): { readonly method: string; readonly paths: string[] } | null {
  const method = Reflect.getMetadata(METHOD, handler) as RequestMethod | undefined;
  if (method === undefined) return null;
  return { method: RequestMethod[method], paths: asList(Reflect.getMetadata(PATH, handler)) };
}
