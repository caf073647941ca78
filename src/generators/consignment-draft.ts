import {
  type FarmRecords,
  grossOf,
  type HeadLine,
  kilograms,
  type Movement,
  type RecordRef,
  type Weight,
} from '../farm-records/reader.js';
import { Decimal, over, split, sum, ZERO } from './decimals.js';
import { inOrderOfKeys, joinedKey } from './keys.js';
import type { ActiveWithholding, Consignment, Lot, LotFigures, LotPart } from './lot.js';

/** A consignment as its movements come in. */
export class ConsignmentDraft {
  private readonly lots = new Map<string, LotDraft>();
  private readonly fees = new Map<string, Decimal>();
  private tax: Decimal = ZERO;
  private readonly said = {
    pic: new Set<string>(),
    agent: new Set<string>(),
    nvd: new Set<string>(),
    saleType: new Set<string>(),
  };
  private readonly invoiced = new Set<number>();
  private readonly movements: Movement[] = [];

  constructor(
    private readonly records: FarmRecords,
    private readonly day: string,
    private readonly reference: string | null,
    private readonly counterparty: string | null,
    private readonly currency: string,
    private readonly sign: 1 | -1,
  ) {}

  add(movement: Movement, lines: readonly HeadLine[]): void {
    const { trade } = movement;
    this.movements.push(movement);
    for (const { kind, amount } of trade.fees) {
      const name = kind.toLowerCase();
      this.fees.set(name, (this.fees.get(name) ?? ZERO).plus(amount));
    }
    if (trade.tax !== undefined) this.tax = this.tax.plus(trade.tax);
    note(this.said.pic, trade.counterpartyPic);
    note(this.said.agent, trade.agent);
    note(this.said.nvd, trade.nvd);
    note(this.said.saleType, trade.saleType);
    if (trade.headInvoiced !== undefined) this.invoiced.add(trade.headInvoiced);
    this.addLines(movement, lines);
  }

  consignment(): Consignment {
    const drafts = inOrderOfKeys(this.lots).map(([, draft]) => draft);
    const weights = drafts.map((draft) => draft.head);
    const shares = new Map([...this.fees].map(([kind, amount]) => [kind, split(amount, weights)] as const));
    const taxes = split(this.tax, weights);
    const feesOf = (index: number) =>
      new Map([...shares].map(([kind, parts]) => [kind, parts[index] as Decimal] as const));
    return {
      day: this.day,
      reference: this.reference,
      counterparty: this.counterparty,
      counterpartyPic: joined(this.said.pic),
      agent: joined(this.said.agent),
      nvd: joined(this.said.nvd),
      saleType: joined(this.said.saleType),
      currency: this.currency,
      headInvoiced:
        this.invoiced.size === 0
          ? null
          : this.sign * [...this.invoiced].reduce((head, count) => head + count, 0),
      lots: drafts.map((draft, index) => {
        const charges = { fees: feesOf(index), tax: taxes[index] as Decimal };
        return draft.lot(this.day, this.sign, charges, () => this.broughtBy(charges));
      }),
    };
  }

  /** A lot's fees and tax by the records that brought them, each by its part in the whole. */
  private broughtBy({ fees, tax }: Charges): { record: RecordRef; charges: Charges }[] {
    const share = (of: Decimal, part: Decimal | string, whole: Decimal | undefined) =>
      over(of.times(part), whole) ?? ZERO;
    return this.movements.map(({ record, trade }) => {
      const own = Map.groupBy(trade.fees, ({ kind }) => kind.toLowerCase());
      const parts = [...own].map(([kind, said]) => {
        const amount = sum(said.map((fee) => new Decimal(fee.amount)));
        return [kind, share(fees.get(kind) ?? ZERO, amount, this.fees.get(kind))] as const;
      });
      return { record, charges: { fees: new Map(parts), tax: share(tax, trade.tax ?? '0', this.tax) } };
    });
  }

  private addLines({ record, trade, sex, breed, animals }: Movement, lines: readonly HeadLine[]): void {
    const gross = grossOf(
      trade,
      lines.reduce((head, line) => head + line.head, 0),
    );
    const shares =
      gross &&
      split(
        new Decimal(gross),
        lines.map((line) => line.head),
      );
    lines.forEach((line, index) => {
      const animal = animals.get(line.animal);
      const kind = { sex: sex ?? animal?.sex ?? null, breed: breed ?? animal?.breed ?? null };
      this.lotOf(line, kind, trade).add(record, line, trade, shares?.[index]);
    });
  }

  private lotOf(
    line: HeadLine,
    kind: { sex: string | null; breed: string | null },
    trade: Movement['trade'],
  ): LotDraft {
    const { names } = this.records;
    const { species, enterprise, ageClass, mob, paddock, managed } = line;
    const management = managed ? 'individual' : 'mob';
    const { type: weightType = null } = trade.weight ?? trade.carcassWeight ?? {};
    const priced = grossOf(trade, 1) !== undefined;
    const parts = [
      species,
      names.enterprise(enterprise),
      ageClass,
      names.mob(mob),
      names.paddock(paddock),
      management,
    ];
    const key = joinedKey(...parts, kind.breed, kind.sex, weightType, priced, enterprise, mob, paddock);
    let lot = this.lots.get(key);
    if (!lot) {
      lot = new LotDraft(
        { species, enterprise, ageClass, mob, paddock, management, weightType, ...kind },
        priced,
      );
      this.lots.set(key, lot);
    }
    return lot;
  }
}

interface Charges {
  readonly fees: ReadonlyMap<string, Decimal>;
  readonly tax: Decimal;
}

type LotKind = Pick<
  Lot,
  'species' | 'breed' | 'sex' | 'ageClass' | 'enterprise' | 'mob' | 'paddock' | 'management' | 'weightType'
>;

/** A line of a lot with what it weighs and is worth, as far as that is known. */
interface LotLine {
  readonly record: RecordRef;
  readonly line: HeadLine;
  readonly live: Decimal | undefined;
  readonly carcass: Decimal | undefined;
  readonly gross: Decimal | undefined;
}

class LotDraft {
  head = 0;
  private readonly lines: LotLine[] = [];
  private readonly bases = new Set<string | null>();
  private readonly unitPrices = new Set<string | null>();

  constructor(
    private readonly kind: LotKind,
    private readonly priced: boolean,
  ) {}

  add(
    record: RecordRef,
    line: HeadLine,
    { price, weight, carcassWeight }: Movement['trade'],
    gross: Decimal | undefined,
  ): void {
    this.head += line.head;
    this.lines.push({
      record,
      line,
      live: weightOf(weight, carcassWeight, 'live', line.head),
      carcass: weightOf(weight, carcassWeight, 'carcass', line.head),
      gross,
    });
    this.bases.add(price?.basis ?? null);
    this.unitPrices.add(price?.amount ?? null);
  }

  /** `charges` are the lot's share of the consignment's; `broughtBy` says which records they come from. */
  lot(
    day: string,
    sign: 1 | -1,
    charges: Charges,
    broughtBy: () => { record: RecordRef; charges: Charges }[],
  ): Lot {
    const signed = (amount: Decimal) => amount.times(sign);
    return {
      ...this.kind,
      head: this.head * sign,
      liveKilograms: mapped(whole(this.lines.map(({ live }) => live)), signed),
      carcassKilograms: mapped(whole(this.lines.map(({ carcass }) => carcass)), signed),
      priceBasis: only(this.bases),
      unitPrice: this.bases.size === 1 ? only(this.unitPrices) : null,
      gross: this.priced ? signed(sum(this.lines.flatMap(({ gross }) => gross ?? []))) : undefined,
      ...signedCharges(charges, signed),
      whp: this.active(day, (line) => line.whpClear),
      esi: this.active(day, (line) => line.esiClear),
      parts: () => [
        ...this.lines.map((line) => this.partOf(line, day, sign)),
        ...broughtBy().map(({ record, charges: own }) => ({
          ...this.nothing,
          record,
          ...signedCharges(own, signed),
        })),
      ],
    };
  }

  private get nothing(): LotFigures {
    const none = { head: 0 };
    return {
      head: 0,
      gross: this.priced ? ZERO : undefined,
      fees: new Map(),
      tax: ZERO,
      whp: none,
      esi: none,
    };
  }

  private partOf({ record, line, gross }: LotLine, day: string, sign: 1 | -1): LotPart {
    const held = (clear: string | undefined) => ({ head: (clear ?? '') > day ? line.head : 0 });
    return {
      ...this.nothing,
      record,
      head: line.head * sign,
      ...(gross && { gross: gross.times(sign) }),
      whp: held(line.whpClear),
      esi: held(line.esiClear),
    };
  }

  /** Stock moved on the clear date are clear. */
  private active(day: string, clearOf: (line: HeadLine) => string | undefined): ActiveWithholding {
    const held = this.lines.map(({ line }) => line).filter((line) => (clearOf(line) ?? '') > day);
    return {
      head: held.reduce((head, line) => head + line.head, 0),
      clearDate: held.reduce<string | null>(
        (last, line) =>
          last === null || (clearOf(line) as string) > last ? (clearOf(line) as string) : last,
        null,
      ),
    };
  }
}

function signedCharges({ fees, tax }: Charges, signed: (amount: Decimal) => Decimal): Charges {
  return { fees: new Map([...fees].map(([name, amount]) => [name, signed(amount)])), tax: signed(tax) };
}

function weightOf(
  weight: Weight | undefined,
  carcassWeight: Weight | undefined,
  type: Weight['type'],
  head: number,
): Decimal | undefined {
  const given = weight?.type === type ? weight : type === 'carcass' ? carcassWeight : undefined;
  const kilos = given && kilograms(given.value, given.unit);
  return kilos === undefined ? undefined : new Decimal(kilos).times(head);
}

/** The sum when every part is known. */
function whole(parts: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? sum(known) : undefined;
}

function mapped(value: Decimal | undefined, change: (value: Decimal) => Decimal): Decimal | undefined {
  return value && change(value);
}

function only<Value>(values: ReadonlySet<Value>): Value | null {
  return values.size === 1 ? ([...values][0] as Value) : null;
}

function note(into: Set<string>, value: string | undefined): void {
  if (value !== undefined) into.add(value);
}

function joined(values: ReadonlySet<string>): string | null {
  return values.size === 0 ? null : [...values].toSorted().join('; ');
}
