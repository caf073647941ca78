import { Problem, ValidationProblem } from '../operations/problem.js';
import { BadDestination, FarmOutOfReach, TooManyEndpoints } from './messages.js';

export function endpointNotFound(): Problem {
  return new Problem('webhook-endpoint-not-found', 'Your credential has no webhook endpoint with this id.');
}

/** The id of an endpoint that PostgreSQL can be asked for; there is none of any other. */
export function storable(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw endpointNotFound();
  return id;
}

export function deliveryNotFound(): Problem {
  return new Problem(
    'webhook-delivery-not-found',
    'The delivery log of this webhook endpoint has no message with this id.',
  );
}

/** Throws what a caller reads in place of an error of the domain. */
export function toProblem(error: unknown): never {
  if (error instanceof BadDestination)
    throw new ValidationProblem([{ pointer: '/url', detail: `url cannot be called: ${error.message}.` }]);
  if (error instanceof FarmOutOfReach)
    throw new Problem(
      'farm-not-accessible',
      'One of the farms does not exist, or your credential does not reach it.',
    );
  if (error instanceof TooManyEndpoints)
    throw new Problem(
      'too-many-webhook-endpoints',
      `A credential has up to ${error.most} webhook endpoints; delete one that is not needed any more.`,
    );
  throw error;
}
