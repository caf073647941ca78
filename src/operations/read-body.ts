import { plainToInstance } from 'class-transformer';
import { ValidateIf, validateSync, type ValidationError } from 'class-validator';
import { type FieldProblem, ValidationProblem } from './problem.js';

/** A field may be left out; null is not the same. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A body as far as it could be read, and what is wrong with it. */
export interface ReadBody<Body> {
  readonly read: Body;
  readonly errors: readonly FieldProblem[];
}

/**
 * The fields that `Body` declares, held against its decorators. Nothing is coerced and unknown fields are ignored. Throws a
 * ValidationProblem when the body is no object; `expected` then says what it should be.
 */
export function checkBody<Body extends object>(
  Body: new () => Body,
  body: unknown,
  expected: string,
): ReadBody<Body> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ValidationProblem([{ pointer: '', detail: `The body must be ${expected}.` }]);
  const read = plainToInstance(Body, pick(body, Object.keys(new Body())));
  return { read, errors: validateSync(read).map(describe) };
}

/** The same, throwing a ValidationProblem that names every bad field. */
export function readBody<Body extends object>(Body: new () => Body, body: unknown, expected: string): Body {
  const { read, errors } = checkBody(Body, body, expected);
  if (errors.length > 0) throw new ValidationProblem(errors);
  return read;
}

/** The fields of a body that were sent. */
export function sentFields<Body extends object>(body: Body): Partial<Body> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<Body>;
}

function pick(body: object, fields: readonly string[]): Record<string, unknown> {
  const given = body as Record<string, unknown>;
  return Object.fromEntries(
    fields.map((field) => [field, Object.hasOwn(given, field) ? given[field] : undefined]),
  );
}

function describe({ property, value, constraints = {} }: ValidationError): FieldProblem {
  const detail =
    value === undefined
      ? `${property} is missing.`
      : (Object.values(constraints)[0] ?? `${property} is not valid.`);
  return { pointer: `/${property}`, detail };
}
