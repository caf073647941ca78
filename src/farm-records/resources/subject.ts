import { animalKey } from '../head-line.js';
import type { Claim, Subject } from '../statement.js';
import type { Fields } from './fields.js';
import { speciesNamed } from './species.js';
import { present } from './trade.js';

/** `{scheme, id}` as the key of an animal. */
export function readAnimal(identifier: Fields): string {
  const scheme = identifier.text('scheme') ?? '';
  if (scheme.includes('|')) identifier.reject('scheme', 'scheme must not contain a vertical bar.');
  return animalKey(scheme, identifier.needId('id'));
}

/** The claims of native lines and of `ext`. */
export function readClaim(fields: Fields): Claim {
  return present({
    species: speciesNamed(fields.text('species')),
    enterprise: fields.id('enterpriseId'),
    ageClass: fields.text('ageClass'),
    mob: fields.id('mobId'),
    paddock: fields.id('paddockId'),
  });
}

/** What ICAR has two resource types for: events of an animal and of a group. */
export type Whom = 'animal' | 'group';

/** Whom an event is about. A group's must name animals or a number of head or, where `wholeMob` will do, a mob. */
export function readSubject(whom: Whom, event: Fields, ext: Fields | undefined, wholeMob = true): Subject {
  if (whom === 'animal') return readAnimalSubject(event, ext);
  const subject = readGroupSubject(event, ext);
  needSomebody(event, subject, wholeMob);
  return subject;
}

function readAnimalSubject(event: Fields, ext: Fields | undefined): Subject {
  const detail = event.object('animalDetail');
  const species = speciesNamed(detail?.text('specie'));
  const claim = ext ? readClaim(ext) : {};
  return { ...present({ species }), ...claim, animals: [readAnimal(event.needObject('animal'))] };
}

/** A mob, animals listed, a number of head, or several of these. */
function readGroupSubject(event: Fields, ext: Fields | undefined): Subject {
  const inventory = event.object('inventoryClassification');
  const embedded = event.object('embeddedAnimalSet');
  const animals = [...new Set(embedded?.list('member', readAnimal) ?? [])];
  const counted = inventory?.head('count') ?? event.head('countObserved');
  const claim = {
    species: speciesNamed(inventory?.text('species')),
    mob: readSetReference(event) ?? (animals.length === 0 ? embedded?.id('id') : undefined),
    ...(ext ? readClaim(ext) : {}),
  };
  const head = animals.length > 0 ? Math.max(0, (counted ?? 0) - animals.length) : counted;
  return { ...present(claim), animals, ...present({ head }) };
}

/** Who had to be named and is not. */
function needSomebody(event: Fields, subject: Subject, wholeMob: boolean): void {
  if (subject.animals.length > 0 || subject.head !== undefined) return;
  if (wholeMob && subject.mob !== undefined) return;
  event.reject(
    'inventoryClassification',
    'inventoryClassification.count is missing: the event names neither a number of head nor animals.',
  );
}

function readSetReference(event: Fields): string | undefined {
  const reference = event.object('animalSetReference');
  if (!reference) return event.id('animalSetId');
  return reference.object('identifier')?.id('id') ?? reference.id('@id') ?? reference.id('href');
}
