import { type Principal, reaches } from '../auth/index.js';
import { Problem, ValidationProblem } from '../operations/problem.js';
import { MalformedCsv } from './csv/index.js';
import { InvalidFarm } from './farm-settings.js';
import { MalformedJson } from './import-items.js';
import { FarmChanged, UnknownFarm } from './importer.js';

/** Refuses a farm outside the caller's reach, existing or not. */
export function requireReach(principal: Principal, farmId: string): void {
  if (farmId.includes('\0')) throw farmNotFound();
  if (reaches(principal, farmId)) return;
  throw new Problem('farm-not-accessible', 'The credential does not reach this farm.');
}

export function farmNotFound(): Problem {
  return new Problem('farm-not-found', 'No farm has this id. PUT /v2/farms/{farmId} creates it.');
}

/** Throws what a caller reads in place of an error of the domain. */
export function toProblem(error: unknown): never {
  if (error instanceof InvalidFarm) throw new ValidationProblem(error.problems);
  if (error instanceof UnknownFarm) throw farmNotFound();
  if (error instanceof MalformedJson) throw new Problem('malformed-json', error.message);
  if (error instanceof MalformedCsv) throw new Problem('malformed-csv', error.message);
  if (error instanceof FarmChanged) {
    throw new Problem(
      'farm-changed',
      'The time zone of the farm changed during the import. Send the records again.',
    );
  }
  throw error;
}
