import { SetMetadata } from '@nestjs/common';

const FORM_BODY = 'forgeplane:form-body';

/** The handler reads the form itself; its parameters are these. */
export const FormBody = (names: readonly string[]): MethodDecorator => SetMetadata(FORM_BODY, names);

/** The parameters that a handler declares by `@FormBody`. */
export const formBodyOf = (handler: object): readonly string[] | undefined =>
  Reflect.getMetadata(FORM_BODY, handler) as readonly string[] | undefined;
