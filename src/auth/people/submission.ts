import type { FastifyRequest } from 'fastify';
import { formPairs } from '../oauth/form.js';
import { isFormKey, type Visit } from './sessions.js';

/** A form that one of our pages sent. */
export class Submission {
  private readonly pairs: readonly (readonly [string | undefined, string | undefined])[];

  constructor({ body }: FastifyRequest) {
    this.pairs = Buffer.isBuffer(body) ? formPairs(body) : [];
  }

  get(name: string): string {
    return this.all(name)[0] ?? '';
  }

  all(name: string): string[] {
    return this.pairs.flatMap(([sent, value]) => (sent === name && value !== undefined ? [value] : []));
  }

  /** The form was shown to this very browser. */
  isGenuine(visit: Visit): boolean {
    return isFormKey(this.get('form_key'), visit);
  }
}
