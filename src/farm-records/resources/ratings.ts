import { ANIMAL_UNITS, type AnimalUnit } from '../farm.js';
import type { Declaration } from '../statement.js';
import type { Fields } from './fields.js';
import { speciesNamed } from './species.js';
import { present } from './trade.js';
import type { When } from './when.js';

/** How many animal units one head counts for. A mob's rating beats its class's. */
export interface AnimalUnitRating {
  readonly scope: { readonly mob?: string; readonly species?: string; readonly ageClass?: string };
  readonly unit: AnimalUnit;
  /** Units per head, exact. */
  readonly value: string;
  /** Absent: always. */
  readonly validFrom?: When;
}

export function readRating(resource: Fields): Declaration {
  const scope = resource.needObject('scope');
  const said = {
    mob: scope.id('mobId'),
    species: speciesNamed(scope.text('species')),
    ageClass: scope.text('ageClass'),
  };
  if (said.mob === undefined && said.species === undefined)
    resource.reject('scope', 'scope names neither a mobId nor a species.');
  const rating = {
    scope: present(said),
    unit: resource.needOneOf('unit', ANIMAL_UNITS),
    value: resource.needDecimal('value', { min: 0, max: 1000 }),
    ...present({ validFrom: resource.when('validFrom') }),
  };
  return { declares: 'rating', rating };
}
