import type { FarmSettings } from '../../client/index.js';
import { declareMedicines } from './story/care.js';
import { tellOfCattle } from './story/cattle.js';
import { Chance } from './story/chance.js';
import { declareCountry } from './story/country.js';
import { Diary, FARM_ZONE, type FarmRecord, STORY } from './story/diary.js';
import { tellOfFeed } from './story/feeding.js';
import { declareFeeds } from './story/feeds.js';
import { tellOfMerinos } from './story/merino.js';
import { openTheBook } from './story/opening.js';
import { tellOfPrimeLambs } from './story/prime-lambs.js';
import { tellOfTheStud } from './story/stud.js';

export type { FarmRecord } from './story/diary.js';

export const SAMPLE_FARM_ID = 'wirrabilla';

/** As `PUT /v2/farms/{farmId}` takes it. */
export const SAMPLE_FARM: FarmSettings & { timeZone: string } = {
  name: 'Wirrabilla, a sample farm',
  timeZone: FARM_ZONE,
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
};

/** The newer of the two financial years that the sample farm's records tell of; days, both included. */
export const SAMPLE_PERIOD = { start: '2025-07-01', end: '2026-06-30' };

const SEED = 20_240_701;

/**
 * Two financial years of a mixed farm in New South Wales, written down as a farm system would: paddocks, ratings, medicines and
 * feeds, then what happened to the stock, day by day. The same seed tells the same story to the byte.
 */
export function sampleFarmRecords(seed = SEED): readonly FarmRecord[] {
  const diary = new Diary(new Chance(seed));
  declareCountry(diary);
  declareMedicines(diary);
  declareFeeds(diary);
  diary.on(STORY.start, () => openTheBook(diary));
  for (const tell of [tellOfMerinos, tellOfPrimeLambs, tellOfCattle, tellOfTheStud, tellOfFeed]) tell(diary);
  return diary.tell();
}
