import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { ConstantAnswer } from '#kernel/http/answers/json/constant-answer.js';
import type { Schema } from './components/schemas.js';

/** Generates the document on the first request, once the routes are known. Only its text is kept. */
@Injectable()
export class OpenApiHolder {
  private make: () => Schema = () => ({});
  private made: Promise<ConstantAnswer> | undefined;

  get answer(): Promise<ConstantAnswer> {
    return (this.made ??= ConstantAnswer.of('application/json', JSON.stringify(this.make())));
  }

  /** Sets the function that generates the document. */
  learn(make: () => Schema): void {
    this.make = make;
  }
}

/** Serves the API document. */
@Controller('api/v4')
export class OpenApiController {
  constructor(@Inject(OpenApiHolder) private readonly holder: OpenApiHolder) {}

  @Get('openapi.json')
  @Access({ anyone: true })
  document(): Promise<ConstantAnswer> {
    return this.holder.answer;
  }
}
