export interface FieldProblem {
  /** JSON pointer to the bad field, such as `/tenantId`. */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * An RFC 9457 problem on its way to a caller. `slug` names the page under /problems that `type` points to;
 * `detail` is read by people and never holds a secret, SQL or a stack.
 */
export class Problem extends Error {
  constructor(
    readonly slug: string,
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly extras: {
      readonly errors?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly members?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(detail);
  }
}

/** 400 naming every bad field at once. */
export class ValidationProblem extends Problem {
  constructor(errors: readonly FieldProblem[]) {
    super('invalid-request', 400, 'The request is not valid', errors.map((error) => error.detail).join(' '), {
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
    super('unavailable', 503, 'The service is unavailable', detail, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}
