import { type Diary, plusDays, STORY } from './diary.js';

/** A mob goes to another paddock. Most days are written without a time; some moves happen at noon. */
export function moveTo(diary: Diary, mob: string, paddock: string): void {
  if (diary.book.headOf(mob) === 0 || diary.book.paddockOf(mob) === paddock) return;
  diary.book.move(mob, paddock);
  diary.note('PaddockMove', `move-${mob}`, { mobId: mob, toPaddockId: paddock });
}

/** The same, as a collar or a camera sees it. */
function seenIn(diary: Diary, mob: string, paddock: string): void {
  if (diary.book.headOf(mob) === 0 || diary.book.paddockOf(mob) === paddock) return;
  diary.book.move(mob, paddock);
  diary.event('icarGroupPositionObservationEventResource', `position-${mob}`, {
    groupMethod: 'ExistingAnimalSet',
    animalSetReference: { identifier: { scheme: 'mob', id: mob } },
    positionName: paddock,
  });
}

/** A mob goes round its paddocks, staying so many weeks in each, give or take a few days. */
export function rotate(diary: Diary, mob: string, paddocks: readonly string[], weeks: number): void {
  let day = plusDays(STORY.start, weeks * 7);
  for (let turn = 1; day <= STORY.end; turn++) {
    const paddock = paddocks[turn % paddocks.length] ?? '';
    const noon = turn % 4 === 0;
    const go = turn % 5 === 3 ? seenIn : moveTo;
    diary.on(noon || go === seenIn ? `${day}T12:00` : day, () => go(diary, mob, paddock));
    day = plusDays(day, weeks * 7 + diary.chance.between(-4, 4));
  }
}
