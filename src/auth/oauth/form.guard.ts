import { type CanActivate, createParamDecorator, type ExecutionContext, mixin } from '@nestjs/common';
import type { FormRequest } from './client-authentication.js';
import { type Fault, type Form, type Limits, parseForm } from './form.js';
import type { RawForm } from './oauth-gate.js';
import { bodyTooLarge, invalidRequest } from './oauth-error.js';

const WORDS: Record<Fault, string> = {
  malformed: 'A parameter is not well encoded or has control characters.',
  repeated: 'A parameter is repeated.',
  'too-long': 'A parameter is too long.',
};

/** Reads the form of a request strictly and refuses one with a known parameter at fault. */
export function FormGuard(limits: Limits) {
  class ReadForm implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = context.switchToHttp().getRequest<FormRequest>();
      const body = (request.body ?? Buffer.alloc(0)) as RawForm;
      if (body === 'too-large') throw bodyTooLarge();
      request.form = parseForm(body, limits);
      const [fault] = request.form.faults.values();
      if (fault) throw invalidRequest(WORDS[fault]);
      return true;
    }
  }
  return mixin(ReadForm);
}

/** The form that FormGuard read. */
export const SentForm = createParamDecorator(
  (_: unknown, context: ExecutionContext): Form => context.switchToHttp().getRequest<FormRequest>().form,
);
