import type { Statement } from '../statement.js';
import { readAnimalDeclaration, readAnimalSet } from './animals.js';
import { readOpeningStock, readStockCount } from './counts.js';
import { readFeed, readFeedIntake, readFeedSale, readFeedTransaction, readGroupFeeding } from './feeds.js';
import type { Fields } from './fields.js';
import { readLocation, readPaddock } from './land.js';
import {
  readMobTransfer,
  readNamed,
  readPaddockMove,
  readPosition,
  readReclassification,
  readSetMembership,
} from './mobs.js';
import { readArrival, readBirth, readDeath, readDeparture } from './movements.js';
import { readRating } from './ratings.js';
import { readMedicine, readTreatment } from './treatments.js';
import { readGroupWeight, readWeight } from './weights.js';

type Read = (resource: Fields) => Statement;

/** Resource types by what they tell of. */
export const TELLING_OF = {
  births: ['icarMovementBirthEventResource', 'icarGroupMovementBirthEventResource'],
  arrivals: ['icarMovementArrivalEventResource', 'icarGroupMovementArrivalEventResource'],
  departures: ['icarMovementDepartureEventResource', 'icarGroupMovementDepartureEventResource'],
  deaths: ['icarMovementDeathEventResource', 'icarGroupMovementDeathEventResource'],
  treatments: ['icarTreatmentEventResource', 'icarGroupTreatmentEventResource'],
  feedings: ['icarGroupFeedingEventResource', 'icarFeedIntakeEventResource'],
  feedSales: ['FeedSale', 'icarFeedTransactionResource'],
  positions: ['icarPositionObservationEventResource', 'icarGroupPositionObservationEventResource'],
} as const;

/** What can be imported: how each resource type is read. A reader notes what is wrong and never throws. */
export const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['Paddock', readPaddock],
  ['Enterprise', readNamed('enterprise')],
  ['Mob', readNamed('mob')],
  ['OpeningStock', readOpeningStock],
  ['StockCount', readStockCount],
  ['MobTransfer', readMobTransfer],
  ['Reclassification', readReclassification],
  ['PaddockMove', readPaddockMove],
  ['FeedSale', readFeedSale],
  ['AnimalUnitRating', readRating],
  ['icarLocationResource', readLocation],
  ['icarAnimalCoreResource', readAnimalDeclaration],
  ['icarAnimalSetResource', readAnimalSet],
  ['icarAnimalSetJoinEventResource', readSetMembership('join')],
  ['icarAnimalSetLeaveEventResource', readSetMembership('part')],
  ['icarMovementBirthEventResource', readBirth('animal')],
  ['icarMovementArrivalEventResource', readArrival('animal')],
  ['icarMovementDepartureEventResource', readDeparture('animal')],
  ['icarMovementDeathEventResource', readDeath('animal')],
  ['icarGroupMovementBirthEventResource', readBirth('group')],
  ['icarGroupMovementArrivalEventResource', readArrival('group')],
  ['icarGroupMovementDepartureEventResource', readDeparture('group')],
  ['icarGroupMovementDeathEventResource', readDeath('group')],
  ['icarTreatmentEventResource', readTreatment('animal')],
  ['icarGroupTreatmentEventResource', readTreatment('group')],
  ['icarMedicineResource', readMedicine],
  ['icarGroupFeedingEventResource', readGroupFeeding],
  ['icarFeedIntakeEventResource', readFeedIntake],
  ['icarFeedResource', readFeed],
  ['icarFeedTransactionResource', readFeedTransaction],
  ['icarWeightEventResource', readWeight],
  ['icarGroupWeightEventResource', readGroupWeight],
  ['icarPositionObservationEventResource', readPosition('animal')],
  ['icarGroupPositionObservationEventResource', readPosition('group')],
]);
