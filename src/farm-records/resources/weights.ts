import type { OtherEvent } from '../statement.js';
import type { Fields } from './fields.js';
import { massUnit } from './measure.js';
import { readAnimal } from './subject.js';

const WEIGHT = { min: 0, max: 100_000 };

export function readWeight(event: Fields): OtherEvent {
  readAnimal(event.needObject('animal'));
  const weight = event.object('weight');
  weight?.decimal('measurement', WEIGHT);
  if (weight) massUnit(weight, 'units');
  return { notes: 'weight' };
}

export function readGroupWeight(event: Fields): OtherEvent {
  massUnit(event, 'units');
  event.list('animalWeights', (entry) => {
    const animal = entry.object('animal');
    if (animal) readAnimal(animal);
    entry.decimal('weight', WEIGHT);
  });
  return { notes: 'weight' };
}
