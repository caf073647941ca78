import type Big from 'big.js';
import { plusDays } from './calendar.js';
import { type AnimalsAre, byNumber, choose, destination, type Part } from './choose.js';
import { daysStated, longest } from './courses.js';
import { feedWhpDays, lastDayFed } from './feed-withholding.js';
import type { Category, HeadLine, Holding } from './head-line.js';
import { type Feeding, feesOf, grossOf, type Trade, type Treatment } from './resources/index.js';
import type { Claim, Entry, Exit, StockEvent, Subject } from './statement.js';
import {
  type AnimalState,
  type Clearance,
  clearanceOf,
  holdingOf,
  largest,
  later,
  laterOf,
  type StockBook,
} from './stock-book.js';

/** When an event happens, and the money the farm keeps its books in. */
export interface Occasion {
  /** Unix milliseconds. */
  readonly at: number;
  /** The farm-local day. */
  readonly day: string;
  readonly currency: string;
  /** The farm-local day of another instant. */
  dayOf(at: number): string;
}

/**
 * Books one event: its lines of the head ledger, given the book just before it, which then holds them. Pure but for the book; the
 * same events in the same order give the same lines. An event that takes more head than there are is booked all the same:
 * a negative balance is for reports to show.
 */
export function bookEvent(event: StockEvent, occasion: Occasion, book: StockBook): HeadLine[] {
  return markEmptied(linesOf(event, occasion, book), occasion, book);
}

/** The lines of a movement as they are when its trade is another: worth something else, and otherwise the same. */
export function revalue(
  lines: readonly HeadLine[],
  { as, details }: Extract<StockEvent, { does: 'enter' | 'leave' }>,
  occasion: Pick<Occasion, 'currency'>,
): HeadLine[] {
  const heads = lines.map(({ head }) => head);
  const total = heads.reduce((sum, head) => sum + head, 0);
  const isReturn = as === 'sale' && lines.some(({ delta }) => delta > 0);
  const worth = valueOf(as, details.trade, total, occasion);
  const values = shares(isReturn ? worth?.neg() : worth, heads);
  return lines.map(({ value: _, ...line }, index) => ({ ...line, ...values[index] }));
}

function linesOf(event: StockEvent, occasion: Occasion, book: StockBook): HeadLine[] {
  const lines: HeadLine[] = [];
  const post = (line: HeadLine) => {
    lines.push(line);
    book.post(line, occasion.at);
  };
  const booking = new Booking(book, occasion, post);
  switch (event.does) {
    case 'open':
      for (const line of event.lines) booking.open(line, line.head, line.value);
      return lines;
    case 'enter':
      booking.enter(event.as, event.subject, event.details.trade);
      return lines;
    case 'leave':
      booking.leave(event.as, event.subject, event.details.trade);
      return lines;
    case 'tag':
      for (const animal of event.subject.animals) booking.tag(animal, event.subject);
      return lines;
    case 'transfer':
      for (const to of event.to) booking.transfer(event.from, to, to.head);
      return lines;
    case 'join':
      for (const animal of event.animals) booking.join(animal, event.mob);
      return lines;
    case 'part':
      for (const animal of event.animals) booking.part(animal, event.mob);
      return lines;
    case 'move':
      booking.move(event.subject, event.observed ? book.paddockCalled(event.toPaddock) : event.toPaddock);
      return lines;
    case 'reclassify':
      booking.reclassify(event.subject, event.to);
      return lines;
    case 'count':
      for (const { head, ...claim } of event.lines) booking.count(claim, head, event.bookAdjustment);
      return lines;
    case 'treat':
      booking.treat(event.subject, event.treatment);
      return lines;
    case 'feed':
      booking.feed(event.subject, event.feeding);
      return lines;
  }
}

class Booking {
  constructor(
    private readonly book: StockBook,
    private readonly occasion: Occasion,
    private readonly post: (line: HeadLine) => void,
  ) {}

  open(claim: Claim, head: number, value: string | undefined): void {
    const part = byNumber(destination(this.book, claim), head);
    this.change('opening', part, head, value === undefined ? {} : { value });
  }

  enter(as: Entry, subject: Subject, trade: Trade): void {
    const loose = subject.head ? [byNumber(destination(this.book, subject), subject.head)] : [];
    const parts = [...loose, ...subject.animals.map((animal) => this.arriving(animal, subject))];
    const value = valueOf(as, trade, headOf(subject), this.occasion);
    this.valued(parts, as === 'sale' ? value?.neg() : value, (part, worth) =>
      this.change(as, part, part.head, worth),
    );
  }

  /** Of a whole mob leave those who are there: a class of it with less than none stays as it is, to be seen. */
  leave(as: Exit, subject: Subject, trade: Trade): void {
    const parts = [
      ...subject.animals.map((animal) => this.leaving(animal, subject)),
      ...this.chosen(subject).filter((part) => part.head > 0),
    ];
    const head = parts.reduce((sum, part) => sum + part.head, 0);
    this.valued(parts, valueOf(as, trade, head, this.occasion), (part, worth) =>
      this.change(as, part, -part.head, { ...worth, ...this.active(this.clearance(part)) }),
    );
  }

  /** One of the mob's head by number gets a record of its own. An animal already on the farm is only registered again. */
  tag(animal: string, claim: Claim): void {
    if (this.present(animal)) return;
    const [part] = choose(this.book, claim, 1, 'left out');
    if (!part) return;
    const carried = this.active(this.clearance(part));
    this.change('tagging', part, -1);
    this.change('tagging', { ...part, managed: true, animal }, 1, carried);
  }

  transfer(from: string, to: Claim, head: number): void {
    const { paddock, mob, ...wanted } = to;
    for (const part of choose(this.book, { ...wanted, mob: from }, head)) {
      this.shift('mob_transfer', part, {
        ...part.holding,
        mob: mob ?? '',
        paddock: paddock ?? part.holding.paddock,
      });
    }
  }

  join(animal: string, mob: string): void {
    for (const part of this.here([animal])) this.shift('mob_transfer', part, { ...part.holding, mob });
  }

  part(animal: string, mob: string): void {
    for (const part of this.here([animal])) {
      if (part.holding.mob === mob) this.shift('mob_transfer', part, { ...part.holding, mob: '' });
    }
  }

  move(subject: Subject, paddock: string): void {
    const animals = this.here(subject.animals);
    const parts =
      subject.mob === undefined || subject.animals.length > 0
        ? []
        : choose(this.book, subject, subject.head, 'anonymous');
    for (const part of [...animals, ...parts]) this.shift('paddock_move', part, { ...part.holding, paddock });
  }

  /** What an animal is reclassified from is what the ledger says it is. */
  reclassify(subject: Subject, to: Pick<Claim, 'ageClass' | 'enterprise'>): void {
    const animals = this.here(subject.animals);
    for (const part of [...animals, ...this.chosen(subject)]) {
      const { ageClass = part.holding.ageClass, enterprise = part.holding.enterprise } = to;
      this.shift('reclassification', part, { ...part.holding, ageClass, enterprise });
    }
  }

  /** Compares a count with the book at the grain of what it says, and books the difference when that is wanted. */
  count(claim: Claim, counted: number, adjust: boolean): void {
    const cells = (claim.mob === undefined ? this.book.allCells() : this.book.cells(claim.mob)).filter(
      ({ holding }) =>
        Object.entries(claim).every(([what, value]) => holding[what as keyof Holding] === value),
    );
    const book = cells.reduce((sum, cell) => sum + cell.loose + cell.managed, 0);
    const grain = { species: '', enterprise: '', ageClass: '', mob: '', paddock: '', ...claim };
    this.post({
      ...holdingOf(grain),
      category: 'count',
      animal: '',
      managed: false,
      delta: 0,
      head: counted,
      book,
    });
    if (!adjust || counted === book) return;
    const place = largest(cells, (cell) => cell.loose)?.holding ?? destination(this.book, claim);
    const surplus = counted - book;
    if (surplus > 0) this.change('adjust_in', byNumber(place, surplus), surplus);
    else
      this.writeOff(
        -surplus,
        place,
        cells.filter((cell) => cell.loose > 0),
      );
  }

  treat(subject: Subject, treatment: Treatment): void {
    const { courseId } = treatment;
    const { courses, medicines } = this.book;
    const stated = daysStated(treatment, medicines.of(treatment));
    const parts = this.reached(subject);
    for (const part of parts) {
      const treated = { animal: part.animal, mob: part.holding.mob };
      const before = courseId === undefined ? {} : courses.daysOf(courseId, treated);
      const { whp, esi } = longest(stated, before);
      const clear = {
        whpClear: this.clear(whp, stated.whp === undefined ? treatment.whpEnd : undefined),
        esiClear: this.clear(esi, stated.esi === undefined ? treatment.esiEnd : undefined),
      };
      this.change('treatment', part, 0, clearanceOf(clear));
    }
    if (courseId === undefined) return;
    for (const { animal, holding } of parts) courses.note(courseId, { animal, mob: holding.mob }, stated);
  }

  /** A feed withholds as a treatment does: for its days after the last day of the feeding, the longest of several feeds. */
  feed(subject: Subject, feeding: Feeding): void {
    const days = Math.max(
      0,
      ...feeding.fed.map(({ feedId }) => feedWhpDays(feeding, this.book.feedDays.get(feedId)) ?? 0),
    );
    const last = lastDayFed(this.occasion.day, feeding.end, (at) => this.occasion.dayOf(at));
    const clear = clearanceOf({ whpClear: days === 0 ? undefined : plusDays(last, days) });
    for (const part of this.reached(subject)) this.change('feeding', part, 0, clear);
  }

  /** Head treated or fed. None is an answer too: the record is not dropped. */
  private reached(subject: Subject): Part[] {
    const animals = subject.animals.map((animal) => this.leaving(animal, subject));
    const parts = [...animals, ...this.chosen(subject, 'anonymous')].filter((part) => part.head > 0);
    return parts.length > 0 ? parts : [byNumber(destination(this.book, subject), 0)];
  }

  /** The day on which stock treated now are clear: after so many days, or by an end that was given. */
  private clear(days: number | undefined, end: Treatment['whpEnd']): string | undefined {
    const counted = days === undefined ? undefined : plusDays(this.occasion.day, days);
    const given = end && ('day' in end ? end.day : this.occasion.dayOf(end.instant));
    return later(counted, given);
  }

  /** The animals that the ledger has on the farm; others cannot move on it. */
  private here(animals: readonly string[]): Part[] {
    return animals.filter((animal) => this.present(animal)).map((animal) => this.leaving(animal, {}));
  }

  /** Head that the subject counts rather than names; all of its mob when it does neither. */
  private chosen(subject: Subject, animals: AnimalsAre = 'named'): Part[] {
    if (subject.head === undefined && (subject.animals.length > 0 || subject.mob === undefined)) return [];
    return choose(this.book, subject, subject.head, animals);
  }

  private arriving(animal: string, claim: Claim): Part {
    const declared = this.book.declared(animal);
    const before = this.book.animal(animal)?.holding;
    const earlier = known(
      declared?.claim.ageClass ?? before?.ageClass,
      declared?.claim.enterprise ?? before?.enterprise,
      declared?.species ?? before?.species,
    );
    return { holding: destination(this.book, { ...earlier, ...claim }), head: 1, managed: true, animal };
  }

  /**
   * Where an animal leaves from: where the ledger has it, in the class that the event says or else its own. An animal the ledger does
   * not have is one of its mob's head by number when the event names such a mob.
   */
  private leaving(animal: string, claim: Claim): Part {
    const state = this.book.animal(animal);
    if (state && state.head > 0) {
      const { species, mob, paddock, enterprise, ageClass } = this.book.locate(state);
      const said = { enterprise: claim.enterprise ?? enterprise, ageClass: claim.ageClass ?? ageClass };
      return { holding: { species, mob, paddock, ...said }, head: 1, managed: true, animal };
    }
    const part =
      claim.mob !== undefined && this.hasLoose(claim.mob)
        ? choose(this.book, claim, 1, 'left out')[0]
        : undefined;
    return part
      ? { ...part, animal }
      : { holding: this.lastSeen(animal, state, claim), head: 1, managed: true, animal };
  }

  private lastSeen(animal: string, state: AnimalState | undefined, claim: Claim): Holding {
    const declared = this.book.declared(animal);
    if (!state)
      return destination(this.book, {
        ...known(declared?.claim.ageClass, declared?.claim.enterprise, declared?.species),
        ...claim,
      });
    return holdingOf({ ...state.holding, ...claim });
  }

  private hasLoose(mob: string): boolean {
    return this.book.cells(mob).some((cell) => cell.loose > 0);
  }

  private present(animal: string): boolean {
    return (this.book.animal(animal)?.head ?? 0) > 0;
  }

  private writeOff(
    head: number,
    place: Holding,
    cells: readonly { holding: Holding; loose: number }[],
  ): void {
    let rest = head;
    for (const { holding, loose } of [...cells].sort((one, other) => other.loose - one.loose)) {
      const taken = Math.min(rest, loose);
      if (taken > 0) this.change('adjust_out', byNumber(holding, taken), -taken);
      rest -= taken;
    }
    if (rest > 0) this.change('adjust_out', byNumber(place, rest), -rest);
  }

  /** Out of one holding into another, withholding included; nothing when they are the same. */
  private shift(category: Category, part: Part, to: Holding): void {
    const from = part.holding;
    if (Object.entries(to).every(([what, value]) => from[what as keyof Holding] === value)) return;
    const carried = this.active(this.clearance(part));
    this.change(category, part, -part.head);
    this.change(category, { ...part, holding: to }, part.head, carried);
  }

  private clearance({ animal, managed, holding }: Part): Clearance {
    const own = animal === '' ? {} : this.book.clearanceOfAnimal(animal);
    return (managed && animal !== '') || holding.mob === ''
      ? own
      : laterOf(
          own,
          managed ? this.book.clearanceOfMob(holding.mob) : this.book.clearanceOfLoose(holding.mob),
        );
  }

  private active(clearance: Clearance): Clearance {
    return lasting(clearance, this.occasion.day);
  }

  private valued(
    parts: readonly Part[],
    value: Big | undefined,
    book: (part: Part, worth: { value?: string }) => void,
  ): void {
    const worth = shares(
      value,
      parts.map(({ head }) => head),
    );
    parts.forEach((part, index) => book(part, worth[index] ?? {}));
  }

  private change(
    category: Category,
    part: Part,
    delta: number,
    more: Clearance & { value?: string } = {},
  ): void {
    const { holding, managed, animal } = part;
    this.post({ ...holding, category, animal, managed, delta, head: Math.abs(part.head), ...more });
  }
}

/** What of a withholding still lasts on a day. */
function lasting({ whpClear, esiClear }: Clearance, today: string): Clearance {
  const after = (day: string | undefined) => (day !== undefined && day > today ? day : undefined);
  return clearanceOf({ whpClear: after(whpClear), esiClear: after(esiClear) });
}

/** Marks the lines with which the last withheld head by number of a mob are gone. */
function markEmptied(lines: HeadLine[], { day }: Occasion, book: StockBook): HeadLine[] {
  const left = new Map<string, number>();
  lines.forEach(({ mob, managed, delta }, index) => {
    if (delta < 0 && !managed && mob !== '') left.set(mob, index);
  });
  for (const [mob, index] of left) {
    const line = lines[index];
    if (!line || book.hasLoose(mob)) continue;
    const { whpClear, esiClear } = lasting(book.clearanceOfLoose(mob), day);
    if (whpClear === undefined && esiClear === undefined) continue;
    lines[index] = { ...line, empties: true };
    book.empty(mob);
  }
  return lines;
}

/** A value by head, what does not divide with the last. */
function shares(value: Big | undefined, heads: readonly number[]): { value?: string }[] {
  const total = heads.reduce((sum, head) => sum + head, 0);
  if (!value || total === 0) return heads.map(() => ({}));
  let rest = value;
  return heads.map((head, index) => {
    const own = index === heads.length - 1 ? rest : value.times(head).div(total).round(10);
    rest = rest.minus(own);
    return { value: own.toFixed() };
  });
}

function headOf(subject: Subject): number {
  return (subject.head ?? 0) + subject.animals.length;
}

/** What the books take a movement in at, in the farm's currency: purchases landed, sales gross, returns as negative sales. */
function valueOf(
  as: Entry | Exit,
  trade: Trade,
  head: number,
  { currency }: Pick<Occasion, 'currency'>,
): Big | undefined {
  if (as !== 'purchase' && as !== 'sale') return undefined;
  if (trade.price?.currency !== currency) return undefined;
  const gross = grossOf(trade, head);
  return as === 'purchase' ? gross?.plus(feesOf(trade)) : gross;
}

function known(
  ageClass: string | undefined,
  enterprise: string | undefined,
  species: string | undefined,
): Claim {
  return {
    ...(ageClass !== undefined && { ageClass }),
    ...(enterprise !== undefined && { enterprise }),
    ...(species !== undefined && { species }),
  };
}
