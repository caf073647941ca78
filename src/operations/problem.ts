import { PROBLEM_PAGES, type ProblemSlug } from './problem-pages.js';

export interface FieldProblem {
  /** JSON pointer to the bad field, such as `/tenantId`. */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * An RFC 9457 problem on its way to a caller. `slug` names its kind (problem-pages.ts), which has a status, a title and the page
 * that `type` points to; `detail` is read by people and never holds a secret, SQL or a stack.
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(
    readonly slug: ProblemSlug,
    readonly detail: string,
    readonly extras: {
      /** Instead of its kind's. */
      readonly status?: number;
      readonly errors?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly members?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(detail);
    const { status, title } = PROBLEM_PAGES[slug];
    this.status = extras.status ?? status;
    this.title = title;
  }
}

/** A problem as it is sent, as application/problem+json; `instance` is the path that was asked for. */
export function problemDocument(
  { slug, title, status, detail, extras: { errors, members } }: Problem,
  publicUrl: string,
  instance?: string,
): string {
  const type = `${publicUrl}/problems/${slug}`;
  return JSON.stringify({ type, title, status, detail, instance, errors, ...members });
}

/** 400 naming every bad field at once. */
export class ValidationProblem extends Problem {
  constructor(errors: readonly FieldProblem[]) {
    super('invalid-request', errors.map((error) => error.detail).join(' '), {
      errors,
    });
  }
}

/** 503: nothing was done; the same request may be sent again after `retryAfterSeconds`. */
export class UnavailableProblem extends Problem {
  constructor(
    detail = 'The service cannot answer just now. Nothing was done; please try again.',
    retryAfterSeconds = 5,
  ) {
    super('unavailable', detail, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}
